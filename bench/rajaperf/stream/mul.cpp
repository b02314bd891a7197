// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MUL: b = alpha c.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto mul = sv::kernel<"mul">([](sv::out<double> b, sv::in<double> c, sv::value<double> alpha) {
  auto i = sv::global_id(b);
  b(i) = alpha * c(i);
});

void reference(host<double> b, host<double> c, double alpha) {
  for (std::int64_t i = 0; i < b.extent(0); ++i) b(i) = alpha * c(i);
}

const registration registered("Stream_MUL", [](trial& t) {
  const auto n = t.size;
  auto b = t.constant(0.0, n);
  auto c = t.array(n);
  const double alpha = t.scalar();
  t.work(16 * n, n);
  t.repeat([&] { mul.on(t.device)(b, c, alpha); }, [&] { reference(host(b), host(c), alpha); });
  t.checksum(b);
});

}  // namespace
}  // namespace rajaperf
