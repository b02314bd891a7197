// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NODAL_ACCUMULATION_3D: each real zone adds an eighth of its volume to its eight nodes.
#include "suite/interior.hpp"
#include "suite/mesh.hpp"
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto nodal_accumulation = sv::kernel<"nodal_accumulation_3d">(
    [](sv::inout<double, 3> x, sv::in<double, 3> vol, sv::value<std::int64_t> zones) {
      auto [k, j, i] = shifted(sv::global_id(zones, zones, zones), 2);
      auto v = 0.125 * vol(k, j, i);
      for (int c = 0; c < 8; ++c) sv::atomic_add(x(k + c / 4, j + c / 2 % 2, i + c % 2), v);
    });

void reference(host<double, 3> x, host<double, 3> vol, std::int64_t zones) {
  for (std::int64_t k = 2; k < zones + 2; ++k)
    for (std::int64_t j = 2; j < zones + 2; ++j)
      for (std::int64_t i = 2; i < zones + 2; ++i) {
        const double v = 0.125 * vol(k, j, i);
        for (int c = 0; c < 8; ++c) x(k + c / 4, j + c / 2 % 2, i + c % 2) += v;
      }
}

const registration registered("Apps_NODAL_ACCUMULATION_3D", [](trial& t) {
  const mesh m(t.cube());
  auto x = t.constant(0.0, m.extent, m.extent, m.extent);
  auto vol = t.constant(1.0, m.extent, m.extent, m.extent);
  const auto n = m.zones, cells = n * n * n;
  t.work(8 * (cells + 2 * (n + 1) * (n + 1) * (n + 1)) + 8 * cells, 9 * cells);
  t.repeat([&] { nodal_accumulation.on(t.device)(x, vol, n); }, [&] { reference(host(x), host(vol), n); });
  t.checksum(x, scale(1e-3, 1'000'000, cells));
});

}  // namespace
}  // namespace rajaperf
