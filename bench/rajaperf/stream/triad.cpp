// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TRIAD: a = b + alpha c.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto triad =
    sv::kernel<"triad">([](sv::out<double> a, sv::in<double> b, sv::in<double> c, sv::value<double> alpha) {
      auto i = sv::global_id(a);
      a(i) = b(i) + alpha * c(i);
    });

void reference(host<double> a, host<double> b, host<double> c, double alpha) {
  for (std::int64_t i = 0; i < a.extent(0); ++i) a(i) = b(i) + alpha * c(i);
}

const registration registered("Stream_TRIAD", [](trial& t) {
  const auto n = t.size;
  auto a = t.constant(0.0, n);
  auto b = t.array(n);
  auto c = t.array(n);
  const double alpha = t.scalar();
  t.work(24 * n, 2 * n);
  t.repeat([&] { triad.on(t.device)(a, b, c, alpha); }, [&] { reference(host(a), host(b), host(c), alpha); });
  t.checksum(a, scale(1e-3, 1'000'000, n));
});

}  // namespace
}  // namespace rajaperf
