// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Mandelbrot set: variables and a loop in a kernel. With a file's name it writes the picture as PNG.
#include "support/png.hpp"
#include "support/timer.hpp"

#include <fmt/core.h>
#include <selvage/selvage.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

namespace sv = selvage;

// How many steps z = z^2 + c stays within |z| < 2, for c over [-2, 0.5] x [-1.25, 1.25]; at most `limit`.
inline constexpr auto mandelbrot =
    sv::kernel<"mandelbrot">([](sv::scope k, sv::out<int, 2> image, sv::value<float> scale, sv::value<int> limit) {
      auto [row, column] = sv::global_id(image);
      auto re = scale * sv::cast<float>(column) - 2.0f;
      auto im = scale * sv::cast<float>(row) - 1.25f;
      auto x = k.var(0.0f);
      auto y = k.var(0.0f);
      auto n = k.var(0);
      k.while_([&] { return x * x + y * y < 4.0f && n < limit; },
               [&] {
                 auto t = x * x - y * y + re;
                 y = 2.0f * x * y + im;
                 x = t;
                 n += 1;
               });
      image(row, column) = n;
    });

int main(int argc, char** argv) try {
  constexpr std::int64_t n = 1000;
  constexpr int limit = 1000;
  constexpr float scale = 2.5f / static_cast<float>(n);
  sv::device device;
  sv::buffer<int, 2> image(n, n);
  mandelbrot.on(device)(image, scale, limit).wait();
  const double ms = samples::milliseconds([&] { mandelbrot.on(device)(image, scale, limit).wait(); });

  // The set's area is 1.50659, as is known from pixel counting; few points leave it after 1000 steps only.
  const auto counts = image.read();
  const auto inside = static_cast<double>(std::ranges::count(counts, limit));
  const double area = inside * scale * scale;
  // And it is symmetric about the real axis: row n/2 + k mirrors row n/2 - k, but for pixels where rounding decides.
  const auto at = [&](std::int64_t row, std::int64_t column) {
    return counts[static_cast<std::size_t>(row * n + column)];
  };
  std::int64_t unequal = 0;
  for (std::int64_t k = 1; k < n / 2; ++k)
    for (std::int64_t j = 0; j < n; ++j) unequal += at(n / 2 + k, j) != at(n / 2 - k, j);
  const bool right = std::abs(area - 1.50659) < 0.02 && unequal < n * n / 50;
  fmt::print("mandelbrot {0} x {0} on {1}: area {2:.4f}: {3}, {4:.3f} ms\n", n, device.describe().name, area,
             right ? "right" : "WRONG", ms);

  if (argc > 1) {
    samples::picture picture{n, n, {}};
    for (const int count : counts) {
      const double t = count == limit ? 0.0 : std::log2(1.0 + count) / std::log2(1.0 + limit);
      for (const double bend : {0.8, 0.6, 0.4})
        picture.pixels.push_back(count == limit ? 0 : static_cast<std::uint8_t>(255.0 * std::pow(t, bend)));
    }
    samples::write_png(argv[1], picture);
    fmt::print("written: {}\n", argv[1]);
  }
  return right ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "mandelbrot: {}\n", error.what());
  return 1;
}
