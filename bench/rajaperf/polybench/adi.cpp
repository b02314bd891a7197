// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADI: alternating-direction implicit steps; each sweep solves a tridiagonal system a line.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

using line = sv::inout<double, 2>;
using grid = host<double, 2>;
using scalar = sv::value<double>;

constexpr auto columns = sv::kernel<"adi_columns">(
    [](sv::scope k, line v, line p, line q, sv::in<double, 2> u, scalar a, scalar b, scalar c, scalar d, scalar f) {
      auto n = u.extent(0);
      auto i = sv::global_id(n - 2) + 1;
      v(0, i) = 1.0;
      p(i, 0) = 0.0;
      q(i, 0) = v(0, i);
      k.for_(1, n - 1, [&](auto j) {
        p(i, j) = -c / (a * p(i, j - 1) + b);
        q(i, j) =
            (-d * u(j, i - 1) + (1.0 + 2.0 * d) * u(j, i) - f * u(j, i + 1) - a * q(i, j - 1)) / (a * p(i, j - 1) + b);
      });
      v(n - 1, i) = 1.0;
      k.for_(1, n - 1, [&](auto step) {
        auto j = n - 1 - step;
        v(j, i) = p(i, j) * v(j + 1, i) + q(i, j);
      });
    });

constexpr auto rows = sv::kernel<"adi_rows">(
    [](sv::scope k, line u, line p, line q, sv::in<double, 2> v, scalar a, scalar c, scalar d, scalar e, scalar f) {
      auto n = u.extent(0);
      auto i = sv::global_id(n - 2) + 1;
      u(i, 0) = 1.0;
      p(i, 0) = 0.0;
      q(i, 0) = u(i, 0);
      k.for_(1, n - 1, [&](auto j) {
        p(i, j) = -f / (d * p(i, j - 1) + e);
        q(i, j) =
            (-a * v(i - 1, j) + (1.0 + 2.0 * a) * v(i, j) - c * v(i + 1, j) - d * q(i, j - 1)) / (d * p(i, j - 1) + e);
      });
      u(i, n - 1) = 1.0;
      k.for_(1, n - 1, [&](auto step) {
        auto j = n - 1 - step;
        u(i, j) = p(i, j) * u(i, j + 1) + q(i, j);
      });
    });

void reference(grid u, grid v, grid p, grid q, double a, double b, double c, double d, double e, double f) {
  const std::int64_t n = u.extent(0);
  for (std::int64_t i = 1; i < n - 1; ++i) {
    v(0, i) = 1.0;
    p(i, 0) = 0.0;
    q(i, 0) = v(0, i);
    for (std::int64_t j = 1; j < n - 1; ++j) {
      p(i, j) = -c / (a * p(i, j - 1) + b);
      q(i, j) =
          (-d * u(j, i - 1) + (1.0 + 2.0 * d) * u(j, i) - f * u(j, i + 1) - a * q(i, j - 1)) / (a * p(i, j - 1) + b);
    }
    v(n - 1, i) = 1.0;
    for (std::int64_t j = n - 2; j > 0; --j) v(j, i) = p(i, j) * v(j + 1, i) + q(i, j);
  }
  for (std::int64_t i = 1; i < n - 1; ++i) {
    u(i, 0) = 1.0;
    p(i, 0) = 0.0;
    q(i, 0) = u(i, 0);
    for (std::int64_t j = 1; j < n - 1; ++j) {
      p(i, j) = -f / (d * p(i, j - 1) + e);
      q(i, j) =
          (-a * v(i - 1, j) + (1.0 + 2.0 * a) * v(i, j) - c * v(i + 1, j) - d * q(i, j - 1)) / (d * p(i, j - 1) + e);
    }
    u(i, n - 1) = 1.0;
    for (std::int64_t j = n - 2; j > 0; --j) u(i, j) = p(i, j) * u(i, j + 1) + q(i, j);
  }
}

const registration registered("Polybench_ADI", [](trial& t) {
  const auto n = t.square() + 2;
  const int steps = 4;
  auto u = t.constant(0.0, n, n);
  auto v = t.array(n, n);
  auto p = t.array(n, n);
  auto q = t.array(n, n);
  const double cell = 1.0 / static_cast<double>(n), step = 1.0 / steps;
  const double mul1 = 2.0 * step / (cell * cell), mul2 = 1.0 * step / (cell * cell);
  const double a = -mul1 / 2.0, b = 1.0 + mul1, c = a, d = -mul2 / 2.0, e = 1.0 + mul2, f = d;
  t.work(96 * n * (n - 2) * steps, 34 * (n - 2) * (n - 2) * steps);
  t.repeat(
      [&] {
        for (int s = 0; s < steps; ++s) {
          columns.on(t.device)(v, p, q, u, a, b, c, d, f);
          rows.on(t.device)(u, p, q, v, a, c, d, e, f);
        }
      },
      [&] {
        for (int s = 0; s < steps; ++s) reference(host(u), host(v), host(p), host(q), a, b, c, d, e, f);
      });
  t.checksum(u, scale(1e-7, 1'000'000, (n - 2) * (n - 2)));
});

}  // namespace
}  // namespace rajaperf
