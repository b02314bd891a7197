// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A 5x5 Gaussian blur of a PNG file: blur IN.png OUT.png
#include "support/png.hpp"
#include "support/timer.hpp"

#include <fmt/core.h>
#include <selvage/selvage.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>

namespace sv = selvage;

// Weights are a row of Pascal's triangle, which is a Gaussian's integer form; beyond the edges the picture goes on as
// it is there. 8-bit values promote to int as in C++.
inline constexpr auto blur =
    sv::kernel<"blur">([](sv::out<std::uint8_t, 3> to, sv::in<std::uint8_t, 3> from, sv::in<std::int32_t> weights) {
      auto [row, column, colour] = sv::global_id(to);
      auto size = weights.extent(0);
      auto within = [](auto at, auto extent) { return sv::min(sv::max(at, 0), extent - 1); };
      auto total = sv::sum(size, [=](auto i) {
        auto r = within(row + i - size / 2, from.extent(0));
        return weights(i) * sv::sum(size, [=](auto j) {
                 return weights(j) * from(r, within(column + j - size / 2, from.extent(1)), colour);
               });
      });
      to(row, column, colour) = sv::cast<std::uint8_t>((total + 128) / 256);
    });

constexpr std::array<std::int32_t, 5> weights{1, 4, 6, 4, 1};

std::uint8_t reference(const samples::picture& p, std::int64_t row, std::int64_t column, std::int64_t colour) {
  int total = 0;
  for (std::int64_t i = -2; i <= 2; ++i)
    for (std::int64_t j = -2; j <= 2; ++j) {
      const std::int64_t r = std::clamp<std::int64_t>(row + i, 0, p.rows - 1);
      const std::int64_t c = std::clamp<std::int64_t>(column + j, 0, p.columns - 1);
      total += weights[static_cast<std::size_t>(i + 2)] * weights[static_cast<std::size_t>(j + 2)] *
               p.pixels[static_cast<std::size_t>((r * p.columns + c) * 3 + colour)];
    }
  return static_cast<std::uint8_t>((total + 128) / 256);
}

int main(int argc, char** argv) try {
  if (argc != 3) {
    fmt::print(stderr, "usage: blur IN.png OUT.png\n");
    return 2;
  }
  samples::picture picture = samples::read_png(argv[1]);
  sv::device device;
  sv::buffer<std::uint8_t, 3> from(picture.rows, picture.columns, 3), to(picture.rows, picture.columns, 3);
  sv::buffer<std::int32_t> w(5);
  std::ranges::copy(picture.pixels, from.write().begin());
  std::ranges::copy(weights, w.write().begin());
  blur.on(device)(to, from, w).wait();
  const double ms = samples::milliseconds([&] { blur.on(device)(to, from, w).wait(); });

  const auto blurred = to.read();
  std::size_t wrong = 0;
  for (std::int64_t cell = 0; const std::uint8_t v : blurred) {
    wrong += v != reference(picture, cell / 3 / picture.columns, cell / 3 % picture.columns, cell % 3);
    ++cell;
  }
  fmt::print("blur of {} x {} pixels on {}: {}, {:.3f} ms\n", picture.rows, picture.columns, device.describe().name,
             wrong == 0 ? "right" : "WRONG", ms);
  picture.pixels.assign(blurred.begin(), blurred.end());
  samples::write_png(argv[2], picture);
  fmt::print("written: {}\n", argv[2]);
  return wrong == 0 ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "blur: {}\n", error.what());
  return 1;
}
