// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MEMCPY: y = x.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto copy = sv::kernel<"memcpy">([](sv::out<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
  y(i) = x(i);
});

void reference(host<double> y, host<double> x) {
  for (std::int64_t i = 0; i < y.extent(0); ++i) y(i) = x(i);
}

const registration registered("Algorithm_MEMCPY", [](trial& t) {
  const auto n = t.size;
  auto x = t.constant(0.0, n);
  auto y = t.constant(-1.234567e89, n);
  t.work(16 * n, 0);
  t.repeat([&] { copy.on(t.device)(y, x); }, [&] { reference(host(y), host(x)); });
  t.checksum(y);
});

}  // namespace
}  // namespace rajaperf
