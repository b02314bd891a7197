// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// VOL3D: volumes of hexahedra from their corners, as the suite computes them.
#include "suite/mesh.hpp"
#include "suite/registry.hpp"

#include <array>

namespace rajaperf {
namespace {

/// One coordinate of a zone's corners, as the differences that the formula needs.
constexpr auto differences(const auto& q, const auto& i, const auto& jp, const auto& kp) {
  auto corner = [&](const auto& offset) { return q(i + offset); };
  auto q0 = q(i), q1 = corner(1), q2 = corner(jp), q3 = corner(jp + 1), q4 = corner(kp), q5 = corner(kp + 1);
  auto q6 = corner(kp + jp), q7 = corner(kp + jp + 1);
  return std::array{q7 - q1, q7 - q2, q7 - q4, q3 - q0, q5 - q0, q6 - q0};
}

/// (a + b) . (c x d) of the differences with these numbers.
constexpr auto triple(const auto& x, const auto& y, const auto& z, std::size_t a, std::size_t b, std::size_t c,
                      std::size_t d) {
  return (x[a] + x[b]) * (y[c] * z[d] - z[c] * y[d]) + (y[a] + y[b]) * (z[c] * x[d] - x[c] * z[d]) +
         (z[a] + z[b]) * (x[c] * y[d] - y[c] * x[d]);
}

constexpr auto volume(const auto& x, const auto& y, const auto& z, const auto& i, const auto& jp, const auto& kp) {
  constexpr std::size_t d71 = 0, d72 = 1, d74 = 2, d30 = 3, d50 = 4, d60 = 5;
  auto dx = differences(x, i, jp, kp), dy = differences(y, i, jp, kp), dz = differences(z, i, jp, kp);
  return (triple(dx, dy, dz, d71, d60, d72, d30) + triple(dx, dy, dz, d72, d50, d74, d60) +
          triple(dx, dy, dz, d74, d30, d74, d60) + triple(dx, dy, dz, d74, d30, d71, d50)) *
         (1.0 / 12.0);
}

constexpr auto vol3d = sv::kernel<"vol3d">(
    [](sv::inout<double> vol, sv::in<double> x, sv::in<double> y, sv::in<double> z, sv::value<std::int64_t> first,
       sv::value<std::int64_t> count, sv::value<std::int64_t> jp, sv::value<std::int64_t> kp) {
      auto i = sv::global_id(count) + first;
      vol(i) = volume(x, y, z, i, jp, kp);
    });

void reference(host<double> vol, host<double> x, host<double> y, host<double> z, const mesh& m) {
  for (std::int64_t i = m.first; i < m.first + m.count; ++i) vol(i) = volume(x, y, z, i, m.jp, m.kp);
}

const registration registered("Apps_VOL3D", [](trial& t) {
  const mesh m(t.cube());
  auto x = t.constant(0.0, m.nodes), y = t.constant(0.0, m.nodes), z = t.constant(0.0, m.nodes);
  m.set_positions(x, 1, 0.3);
  m.set_positions(y, m.jp, 0.2);
  m.set_positions(z, m.kp, 0.1);
  auto vol = t.constant(0.0, m.nodes);
  t.work(8 * (m.count + 3 * (m.count + m.first)), 72 * m.count);
  t.repeat([&] { vol3d.on(t.device)(vol, x, y, z, m.first, m.count, m.jp, m.kp); },
           [&] { reference(host(vol), host(x), host(y), host(z), m); });
  t.checksum(vol, scale(1e-3, 1'000'000, m.zones * m.zones * m.zones));
});

}  // namespace
}  // namespace rajaperf
