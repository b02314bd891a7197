// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MEMSET: x = value.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto set = sv::kernel<"memset">([](sv::out<double> x, sv::value<double> value) {
  auto i = sv::global_id(x);
  x(i) = value;
});

void reference(host<double> x, double value) {
  for (std::int64_t i = 0; i < x.extent(0); ++i) x(i) = value;
}

const registration registered("Algorithm_MEMSET", [](trial& t) {
  const auto n = t.size;
  auto x = t.constant(-1.234567e89, n);
  const double value = 0.0;
  t.work(8 * n, 0);
  t.repeat([&] { set.on(t.device)(x, value); }, [&] { reference(host(x), value); });
  t.checksum(x);
});

}  // namespace
}  // namespace rajaperf
