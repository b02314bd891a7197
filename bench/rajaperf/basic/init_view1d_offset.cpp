// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// INIT_VIEW1D_OFFSET: a(i - 1) = i v for i = 1, ..., N.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto init_view1d_offset = sv::kernel<"init_view1d_offset">([](sv::out<double> a, sv::value<double> v) {
  auto i = sv::global_id(a) + 1;
  a(i - 1) = sv::cast<double>(i) * v;
});

void reference(host<double> a, double v) {
  for (std::int64_t i = 1; i < a.extent(0) + 1; ++i) a(i - 1) = static_cast<double>(i) * v;
}

const registration registered("Basic_INIT_VIEW1D_OFFSET", [](trial& t) {
  const auto n = t.size;
  auto a = t.constant(0.0, n);
  const double v = 0.00000123;
  t.work(8 * n, n);
  t.repeat([&] { init_view1d_offset.on(t.device)(a, v); }, [&] { reference(host(a), v); });
  t.checksum(a);
});

}  // namespace
}  // namespace rajaperf
