// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FDTD_2D: finite differences in time of Maxwell's equations in two dimensions.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

using out = sv::inout<double, 2>;
using in = sv::in<double, 2>;

constexpr auto boundary = sv::kernel<"fdtd_2d_boundary">([](out ey, sv::in<double> fict, sv::value<std::int64_t> t) {
  auto j = sv::global_id(ey.extent(1));
  ey(0, j) = fict(t);
});

constexpr auto electric_y = sv::kernel<"fdtd_2d_ey">([](out ey, in hz) {
  auto [row, j] = sv::global_id(ey.extent(0) - 1, ey.extent(1));
  auto i = row + 1;
  ey(i, j) -= 0.5 * (hz(i, j) - hz(i - 1, j));
});

constexpr auto electric_x = sv::kernel<"fdtd_2d_ex">([](out ex, in hz) {
  auto [i, column] = sv::global_id(ex.extent(0), ex.extent(1) - 1);
  auto j = column + 1;
  ex(i, j) -= 0.5 * (hz(i, j) - hz(i, j - 1));
});

constexpr auto magnetic = sv::kernel<"fdtd_2d_hz">([](out hz, in ex, in ey) {
  auto [i, j] = sv::global_id(hz.extent(0) - 1, hz.extent(1) - 1);
  hz(i, j) -= 0.7 * (ex(i, j + 1) - ex(i, j) + ey(i + 1, j) - ey(i, j));
});

void reference(host<double, 2> hz, host<double, 2> ex, host<double, 2> ey, host<double> fict) {
  const std::int64_t nx = hz.extent(0), ny = hz.extent(1);
  for (std::int64_t t = 0; t < fict.extent(0); ++t) {
    for (std::int64_t j = 0; j < ny; ++j) ey(0, j) = fict(t);
    for (std::int64_t i = 1; i < nx; ++i)
      for (std::int64_t j = 0; j < ny; ++j) ey(i, j) -= 0.5 * (hz(i, j) - hz(i - 1, j));
    for (std::int64_t i = 0; i < nx; ++i)
      for (std::int64_t j = 1; j < ny; ++j) ex(i, j) -= 0.5 * (hz(i, j) - hz(i, j - 1));
    for (std::int64_t i = 0; i < nx - 1; ++i)
      for (std::int64_t j = 0; j < ny - 1; ++j) hz(i, j) -= 0.7 * (ex(i, j + 1) - ex(i, j) + ey(i + 1, j) - ey(i, j));
  }
}

const registration registered("Polybench_FDTD_2D", [](trial& t) {
  const auto n = t.square() + 1;
  const std::int64_t steps = 40;
  auto hz = t.constant(0.0, n, n);
  auto ex = t.array(n, n);
  auto ey = t.array(n, n);
  auto fict = t.array(steps);
  const auto m = n - 1;
  t.work(8 * (n + 1 + 2 * n * n + 6 * n * m + 2 * m * m) * steps, (6 * n * m + 5 * m * m) * steps);
  t.repeat(
      [&] {
        for (std::int64_t s = 0; s < steps; ++s) {
          boundary.on(t.device)(ey, fict, s);
          electric_y.on(t.device)(ey, hz);
          electric_x.on(t.device)(ex, hz);
          magnetic.on(t.device)(hz, ex, ey);
        }
      },
      [&] { reference(host(hz), host(ex), host(ey), host(fict)); });
  t.checksum(hz, scale(1e-3, 999'000, n * (n - 1)));
});

}  // namespace
}  // namespace rajaperf
