// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EDGE3D: the sum of the entries of each zone's mass and stiffness matrix of 12 edge elements.
#include "suite/mesh.hpp"
#include "suite/registry.hpp"

#include <array>

namespace rajaperf {
namespace {

template <class T>
struct vector {
  T x, y, z;
};

constexpr auto add(const auto& a, const auto& b) {
  return vector{a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr auto times(const auto& s, const auto& a) {
  return vector{s * a.x, s * a.y, s * a.z};
}
constexpr auto dot(const auto& a, const auto& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr auto cross(const auto& a, const auto& b) {
  return vector{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double absolute(double x) {
  return std::abs(x);
}
constexpr auto absolute(sv::term auto x) {
  return sv::abs(x);
}

/// One coordinate's derivatives along the three directions of the reference cube, at its point (x, y, z); X is 1 - x.
constexpr auto derivatives(const auto& q, const auto& i, const auto& jp, const auto& kp, const auto& x, const auto& y,
                           const auto& z, const auto& X, const auto& Y, const auto& Z) {
  auto q0 = q(i), q1 = q(i + 1), q2 = q(i + jp), q3 = q(i + jp + 1);
  auto q4 = q(i + kp), q5 = q(i + kp + 1), q6 = q(i + kp + jp), q7 = q(i + kp + jp + 1);
  return vector{(q1 - q0) * Y * Z + (q2 - q3) * y * Z + (q5 - q4) * Y * z + (q6 - q7) * y * z,
                (q3 - q0) * X * Z + (q2 - q1) * x * Z + (q7 - q4) * X * z + (q6 - q5) * x * z,
                (q4 - q0) * X * Y + (q5 - q1) * x * Y + (q6 - q2) * x * y + (q7 - q3) * X * y};
}

/// What the point (x, y, z) of the quadrature adds to the sum of the matrix of zone i.
constexpr auto at_point(const auto& qx, const auto& qy, const auto& qz, const auto& i, const auto& jp, const auto& kp,
                        const auto& x, const auto& y, const auto& z) {
  auto X = 1.0 - x, Y = 1.0 - y, Z = 1.0 - z;
  auto dx = derivatives(qx, i, jp, kp, x, y, z, X, Y, Z), dy = derivatives(qy, i, jp, kp, x, y, z, X, Y, Z);
  auto dz = derivatives(qz, i, jp, kp, x, y, z, X, Y, Z);
  vector jx{dx.x, dy.x, dz.x}, jy{dx.y, dy.y, dz.y}, jz{dx.z, dy.z, dz.z};  // the Jacobian's rows

  auto determinant = dot(jx, cross(jy, jz));
  auto volume = absolute(determinant);
  auto inverse = 1.0 / (determinant + 1e-50), shrink = 1.0 / (volume + 1e-50);
  auto ix = times(inverse, cross(jy, jz)), iy = times(inverse, cross(jz, jx)), iz = times(inverse, cross(jx, jy));
  std::array t{times(Y * Z, ix), times(y * Z, ix), times(Y * z, ix), times(y * z, ix),   // transformed basis functions
               times(X * Z, iy), times(x * Z, iy), times(X * z, iy), times(x * z, iy),   //
               times(X * Y, iz), times(x * Y, iz), times(X * y, iz), times(x * y, iz)};  //
  auto curl = [&](const auto& u, const auto& ju, const auto& v, const auto& jv) {
    return times(shrink, add(times(u, ju), times(v, jv)));
  };
  std::array c{curl(-Y, jy, Z, jz), curl(-y, jy, -Z, jz), curl(Y, jy, z, jz),   curl(y, jy, -z, jz),  // and their curls
               curl(X, jx, -Z, jz), curl(x, jx, Z, jz),   curl(-X, jx, -z, jz), curl(-x, jx, z, jz),  //
               curl(-X, jx, Y, jy), curl(-x, jx, -Y, jy), curl(X, jx, y, jy),   curl(x, jx, -y, jy)};  //

  auto entry = [&](std::size_t p, std::size_t m) { return dot(t[p], t[m]) + dot(c[p], c[m]); };
  auto sum = entry(0, 0);
  for (std::size_t p = 1; p < 12; ++p) sum = sum + entry(p, p);
  for (std::size_t p = 1; p < 12; ++p)
    for (std::size_t m = 0; m < p; ++m) sum = sum + 2.0 * entry(p, m);
  return 0.125 * volume * sum;
}

constexpr double low = 0.2113248654051871, high = 0.7886751345948129;

constexpr auto edge3d =
    sv::kernel<"edge3d">([](sv::scope k, sv::inout<double> sum, sv::in<double> x, sv::in<double> y, sv::in<double> z,
                            sv::value<std::int64_t> first, sv::value<std::int64_t> count, sv::value<std::int64_t> jp,
                            sv::value<std::int64_t> kp) {
      auto i = sv::global_id(count) + first;
      sum(i) = k.sum(8, [=](auto q) {
        auto point = [](auto side) { return sv::select(side == 0, low, high); };
        return at_point(x, y, z, i, jp, kp, point(q % 2), point(q / 2 % 2), point(q / 4));
      });
    });

void reference(host<double> sum, host<double> x, host<double> y, host<double> z, const mesh& m) {
  for (std::int64_t i = m.first; i < m.first + m.count; ++i) {
    sum(i) = 0.0;
    for (const double c : {low, high})
      for (const double b : {low, high})
        for (const double a : {low, high}) sum(i) += at_point(x, y, z, i, m.jp, m.kp, a, b, c);
  }
}

const registration registered("Apps_EDGE3D", [](trial& t) {
  const mesh m(t.cube());
  auto x = t.constant(0.0, m.nodes), y = t.constant(0.0, m.nodes), z = t.constant(0.0, m.nodes);
  m.set_positions(x, 1, 0.3);
  m.set_positions(y, m.jp, 0.2);
  m.set_positions(z, m.kp, 0.1);
  auto sum = t.constant(0.0, m.nodes);
  t.work(8 * (m.count + 3 * (m.count + m.first)), 11619 * m.count);
  t.repeat([&] { edge3d.on(t.device)(sum, x, y, z, m.first, m.count, m.jp, m.kp); },
           [&] { reference(host(sum), host(x), host(y), host(z), m); });
  t.checksum(sum, scale(1e-3, 1'000'000, m.zones * m.zones * m.zones));
});

}  // namespace
}  // namespace rajaperf
