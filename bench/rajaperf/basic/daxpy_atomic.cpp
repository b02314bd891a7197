// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DAXPY_ATOMIC: y += a x, each sum as one step, though no two work-items meet.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto daxpy_atomic =
    sv::kernel<"daxpy_atomic">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
      auto i = sv::global_id(y);
      sv::atomic_add(y(i), a * x(i));
    });

void reference(host<double> y, host<double> x, double a) {
  for (std::int64_t i = 0; i < y.extent(0); ++i) y(i) += a * x(i);
}

const registration registered("Basic_DAXPY_ATOMIC", [](trial& t) {
  const auto n = t.size;
  auto y = t.constant(0.0, n);
  auto x = t.array(n);
  const double a = t.scalar();
  t.work(24 * n, 2 * n);
  t.repeat([&] { daxpy_atomic.on(t.device)(y, x, a); }, [&] { reference(host(y), host(x), a); });
  t.checksum(y);
});

}  // namespace
}  // namespace rajaperf
