// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// INIT_VIEW1D: a(i) = (i + 1) v.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto init_view1d = sv::kernel<"init_view1d">([](sv::out<double> a, sv::value<double> v) {
  auto i = sv::global_id(a);
  a(i) = sv::cast<double>(i + 1) * v;
});

void reference(host<double> a, double v) {
  for (std::int64_t i = 0; i < a.extent(0); ++i) a(i) = static_cast<double>(i + 1) * v;
}

const registration registered("Basic_INIT_VIEW1D", [](trial& t) {
  const auto n = t.size;
  auto a = t.constant(0.0, n);
  const double v = 0.00000123;
  t.work(8 * n, n);
  t.repeat([&] { init_view1d.on(t.device)(a, v); }, [&] { reference(host(a), v); });
  t.checksum(a);
});

}  // namespace
}  // namespace rajaperf
