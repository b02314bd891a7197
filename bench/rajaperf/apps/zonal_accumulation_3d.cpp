// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ZONAL_ACCUMULATION_3D: each real zone takes the mean of its eight nodes.
#include "suite/interior.hpp"
#include "suite/mesh.hpp"
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto zonal_accumulation = sv::kernel<"zonal_accumulation_3d">(
    [](sv::inout<double, 3> vol, sv::in<double, 3> x, sv::value<std::int64_t> zones) {
      auto [k, j, i] = shifted(sv::global_id(zones, zones, zones), 2);
      vol(k, j, i) = 0.125 * (x(k, j, i) + x(k, j, i + 1) + x(k, j + 1, i) + x(k, j + 1, i + 1) +  //
                              x(k + 1, j, i) + x(k + 1, j, i + 1) + x(k + 1, j + 1, i) + x(k + 1, j + 1, i + 1));
    });

void reference(host<double, 3> vol, host<double, 3> x, std::int64_t zones) {
  for (std::int64_t k = 2; k < zones + 2; ++k)
    for (std::int64_t j = 2; j < zones + 2; ++j)
      for (std::int64_t i = 2; i < zones + 2; ++i)
        vol(k, j, i) = 0.125 * (x(k, j, i) + x(k, j, i + 1) + x(k, j + 1, i) + x(k, j + 1, i + 1) +  //
                                x(k + 1, j, i) + x(k + 1, j, i + 1) + x(k + 1, j + 1, i) + x(k + 1, j + 1, i + 1));
}

const registration registered("Apps_ZONAL_ACCUMULATION_3D", [](trial& t) {
  const mesh m(t.cube());
  auto x = t.constant(1.0, m.extent, m.extent, m.extent);
  auto vol = t.constant(0.0, m.extent, m.extent, m.extent);
  const auto n = m.zones, cells = n * n * n;
  t.work(8 * (2 * cells + (n + 1) * (n + 1) * (n + 1)), 8 * cells);
  t.repeat([&] { zonal_accumulation.on(t.device)(vol, x, n); }, [&] { reference(host(vol), host(x), n); });
  t.checksum(vol, scale(1e-3, 1'000'000, cells));
});

}  // namespace
}  // namespace rajaperf
