// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B as in the formula: one work-item an element of C.
#include "support/timer.hpp"

#include <fmt/core.h>
#include <selvage/selvage.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <vector>

namespace sv = selvage;

inline constexpr auto matmul = sv::kernel<"matmul">([](sv::out<double, 2> c, sv::in<double, 2> a, sv::in<double, 2> b) {
  auto [i, j] = sv::global_id(c);
  c(i, j) = sv::sum(a.extent(1), [=](auto k) { return a(i, k) * b(k, j); });
});

constexpr std::int64_t n = 1000;
constexpr auto size = static_cast<std::size_t>(n);

// The greatest difference from a plain C++ product.
double difference(std::span<const double> c, std::span<const double> a, std::span<const double> b) {
  std::vector<double> row(size);
  double worst = 0;
  for (std::size_t i = 0; i < size; ++i) {
    std::ranges::fill(row, 0.0);
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t j = 0; j < size; ++j) row[j] += a[i * size + k] * b[k * size + j];
    for (std::size_t j = 0; j < size; ++j) worst = std::max(worst, std::abs(c[i * size + j] - row[j]));
  }
  return worst;
}

int main() try {
  sv::device device;
  sv::buffer<double, 2> a(n, n), b(n, n), c(n, n);
  std::ranges::fill(a.write(), 1.0);
  std::ranges::fill(b.write(), 2.0);
  const double first = samples::milliseconds([&] { matmul.on(device)(c, a, b).wait(); });
  const bool constant = std::ranges::all_of(c.read(), [](double v) { return v == 2000.0; });

  std::mt19937_64 random(2024);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::ranges::generate(a.write(), [&] { return unit(random); });
  std::ranges::generate(b.write(), [&] { return unit(random); });
  matmul.on(device)(c, a, b).wait();
  const double ms = samples::milliseconds([&] { matmul.on(device)(c, a, b).wait(); });

  // Summands are below 1 in magnitude: whatever the order, the rounding error is below n^2 eps / 2.
  const double error = difference(c.read(), a.read(), b.read());
  const bool right = constant && error < static_cast<double>(n * n) * 1.1e-16;
  fmt::print("matmul {0} x {0} on {1}: a = 1, b = 2, every element 2000: {2}; random, difference {3:.1e}: {4}\n", n,
             device.describe().name, constant ? "right" : "WRONG", error, right ? "right" : "WRONG");
  fmt::print("{:.2f} ms, {:.1f} GFLOP/s (first launch, with compilation and transfer: {:.0f} ms)\n", ms,
             2e-6 * static_cast<double>(n * n * n) / ms, first);
  return right ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "matmul: {}\n", error.what());
  return 1;
}
