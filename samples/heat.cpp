// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat conduction in a cube whose faces are kept at 0: explicit steps of a 7-point stencil over the interior.
#include "support/timer.hpp"

#include <fmt/core.h>
#include <selvage/selvage.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>
#include <utility>

namespace sv = selvage;

// The domain is the interior, so that no index leaves the cube; the launch proves it, and the kernel checks nothing.
inline constexpr auto step =
    sv::kernel<"heat">([](sv::inout<double, 3> next, sv::in<double, 3> now, sv::value<double> alpha) {
      auto [x, y, z] = sv::global_id(now.extent(0) - 2, now.extent(1) - 2, now.extent(2) - 2);
      auto i = x + 1;
      auto j = y + 1;
      auto k = z + 1;
      auto neighbours = now(i - 1, j, k) + now(i + 1, j, k) + now(i, j - 1, k) + now(i, j + 1, k) +  //
                        now(i, j, k - 1) + now(i, j, k + 1);
      next(i, j, k) = now(i, j, k) + alpha * (neighbours - 6.0 * now(i, j, k));
    });

int main() try {
  constexpr std::int64_t n = 129;
  constexpr int steps = 100;
  constexpr double alpha = 0.15;
  sv::device device;
  sv::buffer<double, 3> now(n, n, n), next(n, n, n);

  // sin sin sin is an eigenvector of the stencil: each step multiplies it by one known factor.
  const double h = std::numbers::pi / static_cast<double>(n - 1);
  const auto initial = [h](std::int64_t cell) {
    const auto wave = [h](std::int64_t i) { return i == n - 1 ? 0.0 : std::sin(h * static_cast<double>(i)); };
    return wave(cell / (n * n)) * wave(cell / n % n) * wave(cell % n);
  };
  for (std::int64_t cell = 0; double& u : now.write()) u = initial(cell++);
  std::ranges::fill(next.write(), 0.0);

  step.on(device)(next, now, alpha).wait();  // compiles and moves the data; the timed steps begin anew from `now`
  const double ms = samples::milliseconds([&] {
    sv::buffer<double, 3>*from = &now, *to = &next;
    for (int s = 0; s < steps; ++s, std::swap(from, to)) step.on(device)(*to, *from, alpha);
    device.synchronise();
  });

  const double factor = std::pow(1.0 + 6.0 * alpha * (std::cos(h) - 1.0), steps);
  double error = 0;
  for (std::int64_t cell = 0; const double u : now.read())
    error = std::max(error, std::abs(u - factor * initial(cell++)));
  const bool right = error < 1e-13;
  fmt::print("heat: {} steps of {}^3 cells on {}: error {:.1e}: {}, {:.3f} ms a step\n", steps, n,
             device.describe().name, error, right ? "right" : "WRONG", ms / steps);
  return right ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "heat: {}\n", error.what());
  return 1;
}
