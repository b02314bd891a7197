// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEL_DOT_VEC_2D: the divergence of a vector field on quadrilaterals, over the mesh's real zones.
#include "suite/interior.hpp"
#include "suite/mesh.hpp"
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto along_i(const auto& q, const auto& j, const auto& i) {
  return 0.5 * (q(j, i + 1) + q(j + 1, i + 1) - q(j + 1, i) - q(j, i));
}
constexpr auto along_j(const auto& q, const auto& j, const auto& i) {
  return 0.5 * (q(j + 1, i + 1) + q(j + 1, i) - q(j, i) - q(j, i + 1));
}
constexpr auto total(const auto& q, const auto& j, const auto& i) {
  return q(j, i + 1) + q(j + 1, i + 1) + q(j + 1, i) + q(j, i);
}

constexpr auto divergence(const auto& x, const auto& y, const auto& fx, const auto& fy, const auto& j, const auto& i) {
  auto xi = along_i(x, j, i), xj = along_j(x, j, i), yi = along_i(y, j, i), yj = along_j(y, j, i);
  auto fxi = along_i(fx, j, i), fxj = along_j(fx, j, i), fyi = along_i(fy, j, i), fyj = along_j(fy, j, i);
  auto rarea = 1.0 / (xi * yj - xj * yi + 1e-20);
  return rarea * (fxi * yj - fxj * yi) + rarea * (fyj * xi - fyi * xj) + total(fy, j, i) / total(y, j, i);
}

constexpr auto del_dot_vec_2d =
    sv::kernel<"del_dot_vec_2d">([](sv::inout<double, 2> div, sv::in<double, 2> x, sv::in<double, 2> y,
                                    sv::in<double, 2> xdot, sv::in<double, 2> ydot, sv::value<std::int64_t> zones) {
      auto [j, i] = shifted(sv::global_id(zones, zones), 2);
      div(j, i) = divergence(x, y, xdot, ydot, j, i);
    });

void reference(host<double, 2> div, host<double, 2> x, host<double, 2> y, host<double, 2> xdot, host<double, 2> ydot,
               std::int64_t zones) {
  for (std::int64_t j = 2; j < zones + 2; ++j)
    for (std::int64_t i = 2; i < zones + 2; ++i) div(j, i) = divergence(x, y, xdot, ydot, j, i);
}

const registration registered("Apps_DEL_DOT_VEC_2D", [](trial& t) {
  const mesh m(t.square());
  auto x = t.constant(0.0, m.extent, m.extent), y = t.constant(0.0, m.extent, m.extent);
  m.set_positions(x, 1, 0.2);
  m.set_positions(y, m.jp, 0.1);
  t.skip(1);  // the list of real zones
  auto xdot = t.array(m.extent, m.extent), ydot = t.array(m.extent, m.extent);
  auto div = t.constant(0.0, m.extent, m.extent);
  const auto n = m.zones;
  t.work(8 * (2 * n * n + 4 * (n + 1) * (n + 1)), 54 * n * n);
  t.repeat([&] { del_dot_vec_2d.on(t.device)(div, x, y, xdot, ydot, n); },
           [&] { reference(host(div), host(x), host(y), host(xdot), host(ydot), n); });
  t.checksum(div);
});

}  // namespace
}  // namespace rajaperf
