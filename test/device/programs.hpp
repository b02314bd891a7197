// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of the device tests.
#pragma once

#include <selvage/selvage.hpp>

#include <cstdint>

namespace programs {

namespace sv = selvage;

inline constexpr auto daxpy = sv::kernel<"daxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});

inline constexpr auto fill = sv::kernel<"fill">([](sv::out<double> y, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) = a;
});

inline constexpr auto copy = sv::kernel<"copy">([](sv::out<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
  y(i) = x(i);
});

inline constexpr auto gather =
    sv::kernel<"gather">([](sv::out<double> y, sv::in<double> x, sv::in<std::int32_t> index) {
      auto i = sv::global_id(y);
      y(i) = x(index(i));
    });

inline constexpr auto matmul = sv::kernel<"matmul">([](sv::out<double, 2> c, sv::in<double, 2> a, sv::in<double, 2> b) {
  auto [i, j] = sv::global_id(c);
  c(i, j) = sv::sum(a.extent(1), [=](auto k) { return a(i, k) * b(k, j); });
});

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

/// Seven points over the interior.
inline constexpr auto heat = sv::kernel<"heat">([](sv::inout<double, 3> next, sv::in<double, 3> now) {
  auto [x, y, z] = sv::global_id(now.extent(0) - 2, now.extent(1) - 2, now.extent(2) - 2);
  auto i = x + 1;
  auto j = y + 1;
  auto k = z + 1;
  next(i, j, k) = now(i, j, k) + 0.1 * (now(i - 1, j, k) + now(i + 1, j, k) + now(i, j - 1, k) + now(i, j + 1, k) +
                                        now(i, j, k - 1) + now(i, j, k + 1) - 6.0 * now(i, j, k));
});

/// Over a domain that the launch gives.
inline constexpr auto square = sv::kernel<"square">([](sv::scope k, sv::inout<std::int64_t> y) {
  auto i = sv::global_id<1>(k);
  y(i) = i * i;
});

}  // namespace programs
