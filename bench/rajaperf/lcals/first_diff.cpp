// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FIRST_DIFF: x(i) = y(i + 1) - y(i).
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto first_diff = sv::kernel<"first_diff">([](sv::out<double> x, sv::in<double> y) {
  auto i = sv::global_id(x);
  x(i) = y(i + 1) - y(i);
});

void reference(host<double> x, host<double> y) {
  for (std::int64_t i = 0; i < x.extent(0); ++i) x(i) = y(i + 1) - y(i);
}

const registration registered("Lcals_FIRST_DIFF", [](trial& t) {
  const auto n = t.size;
  auto x = t.constant(0.0, n);
  auto y = t.array(n + 1);
  t.work(16 * n + 8, n);
  t.repeat([&] { first_diff.on(t.device)(x, y); }, [&] { reference(host(x), host(y)); });
  t.checksum(x);
});

}  // namespace
}  // namespace rajaperf
