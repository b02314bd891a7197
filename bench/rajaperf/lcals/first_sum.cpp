// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FIRST_SUM: x(i) = y(i - 1) + y(i) for i > 0.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto first_sum = sv::kernel<"first_sum">([](sv::scope k, sv::inout<double> x, sv::in<double> y) {
  auto i = sv::global_id(x);
  k.if_(i > 0, [&] { x(i) = y(i - 1) + y(i); });
});

void reference(host<double> x, host<double> y) {
  for (std::int64_t i = 1; i < x.extent(0); ++i) x(i) = y(i - 1) + y(i);
}

const registration registered("Lcals_FIRST_SUM", [](trial& t) {
  const auto n = t.size;
  auto x = t.constant(0.0, n);
  auto y = t.array(n);
  t.work(16 * n - 8, n - 1);
  t.repeat([&] { first_sum.on(t.device)(x, y); }, [&] { reference(host(x), host(y)); });
  t.checksum(x);
});

}  // namespace
}  // namespace rajaperf
