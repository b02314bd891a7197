// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HYDRO_2D: one explicit step of two-dimensional hydrodynamics, on the interior of a grid.
#include "suite/interior.hpp"
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

using out = sv::inout<double, 2>;  // the border keeps its values
using in = sv::in<double, 2>;
using grid = host<double, 2>;

constexpr auto fluxes = sv::kernel<"hydro_2d_fluxes">([](out za, out zb, in zp, in zq, in zr, in zm) {
  auto [k, j] = interior(za);
  za(k, j) = (zp(k + 1, j - 1) + zq(k + 1, j - 1) - zp(k, j - 1) - zq(k, j - 1)) * (zr(k, j) + zr(k, j - 1)) /
             (zm(k, j - 1) + zm(k + 1, j - 1));
  zb(k, j) =
      (zp(k, j - 1) + zq(k, j - 1) - zp(k, j) - zq(k, j)) * (zr(k, j) + zr(k - 1, j)) / (zm(k, j) + zm(k, j - 1));
});

constexpr auto velocities =
    sv::kernel<"hydro_2d_velocities">([](out zu, out zv, in za, in zb, in zz, in zr, sv::value<double> s) {
      auto [k, j] = interior(zu);
      zu(k, j) += s * (za(k, j) * (zz(k, j) - zz(k, j + 1)) - za(k, j - 1) * (zz(k, j) - zz(k, j - 1)) -
                       zb(k, j) * (zz(k, j) - zz(k - 1, j)) + zb(k + 1, j) * (zz(k, j) - zz(k + 1, j)));
      zv(k, j) += s * (za(k, j) * (zr(k, j) - zr(k, j + 1)) - za(k, j - 1) * (zr(k, j) - zr(k, j - 1)) -
                       zb(k, j) * (zr(k, j) - zr(k - 1, j)) + zb(k + 1, j) * (zr(k, j) - zr(k + 1, j)));
    });

constexpr auto positions =
    sv::kernel<"hydro_2d_positions">([](out zrout, out zzout, in zr, in zz, in zu, in zv, sv::value<double> t) {
      auto [k, j] = interior(zrout);
      zrout(k, j) = zr(k, j) + t * zu(k, j);
      zzout(k, j) = zz(k, j) + t * zv(k, j);
    });

void reference(grid za, grid zb, grid zp, grid zq, grid zr, grid zm, grid zu, grid zv, grid zz, grid zrout, grid zzout,
               double s, double t) {
  const std::int64_t n = za.extent(0);
  for (std::int64_t k = 1; k < n - 1; ++k)
    for (std::int64_t j = 1; j < n - 1; ++j) {
      za(k, j) = (zp(k + 1, j - 1) + zq(k + 1, j - 1) - zp(k, j - 1) - zq(k, j - 1)) * (zr(k, j) + zr(k, j - 1)) /
                 (zm(k, j - 1) + zm(k + 1, j - 1));
      zb(k, j) =
          (zp(k, j - 1) + zq(k, j - 1) - zp(k, j) - zq(k, j)) * (zr(k, j) + zr(k - 1, j)) / (zm(k, j) + zm(k, j - 1));
    }
  for (std::int64_t k = 1; k < n - 1; ++k)
    for (std::int64_t j = 1; j < n - 1; ++j) {
      zu(k, j) += s * (za(k, j) * (zz(k, j) - zz(k, j + 1)) - za(k, j - 1) * (zz(k, j) - zz(k, j - 1)) -
                       zb(k, j) * (zz(k, j) - zz(k - 1, j)) + zb(k + 1, j) * (zz(k, j) - zz(k + 1, j)));
      zv(k, j) += s * (za(k, j) * (zr(k, j) - zr(k, j + 1)) - za(k, j - 1) * (zr(k, j) - zr(k, j - 1)) -
                       zb(k, j) * (zr(k, j) - zr(k - 1, j)) + zb(k + 1, j) * (zr(k, j) - zr(k + 1, j)));
    }
  for (std::int64_t k = 1; k < n - 1; ++k)
    for (std::int64_t j = 1; j < n - 1; ++j) {
      zrout(k, j) = zr(k, j) + t * zu(k, j);
      zzout(k, j) = zz(k, j) + t * zv(k, j);
    }
}

const registration registered("Lcals_HYDRO_2D", [](trial& t) {
  const auto n = std::max<std::int64_t>(t.square(), 2);
  auto zrout = t.constant(0.0, n, n), zzout = t.constant(0.0, n, n);
  auto za = t.array(n, n), zb = t.array(n, n), zm = t.array(n, n), zp = t.array(n, n), zq = t.array(n, n);
  auto zr = t.array(n, n), zu = t.array(n, n), zv = t.array(n, n), zz = t.array(n, n);
  const double step_u = 0.0041, step_x = 0.0037;
  const auto m = n - 2;
  t.work(8 * (18 * m * m + 32 * (m + 1)), 44 * m * m);
  t.repeat(
      [&] {
        fluxes.on(t.device)(za, zb, zp, zq, zr, zm);
        velocities.on(t.device)(zu, zv, za, zb, zz, zr, step_u);
        positions.on(t.device)(zrout, zzout, zr, zz, zu, zv, step_x);
      },
      [&] {
        reference(host(za), host(zb), host(zp), host(zq), host(zr), host(zm), host(zu), host(zv), host(zz), host(zrout),
                  host(zzout), step_u, step_x);
      });
  t.checksum(zzout, scale(1e-3, 1'000'000, t.size));
  t.checksum(zrout, scale(1e-3, 1'000'000, t.size));
});

}  // namespace
}  // namespace rajaperf
