// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that are measured beside hand-written CUDA.
#pragma once

#include <selvage/selvage.hpp>

namespace sv = selvage;

inline constexpr auto daxpy = sv::kernel<"daxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});

template <class T>
inline constexpr auto triad = sv::kernel<"triad">([](sv::out<T> a, sv::in<T> b, sv::in<T> c, sv::value<T> s) {
  auto i = sv::global_id(a);
  a(i) = b(i) + s * c(i);
});

inline constexpr auto matmul = sv::kernel<"matmul">([](sv::out<double, 2> c, sv::in<double, 2> a, sv::in<double, 2> b) {
  auto [i, j] = sv::global_id(c);
  c(i, j) = sv::sum(a.extent(1), [=](auto k) { return a(i, k) * b(k, j); });
});

inline constexpr auto heat =
    sv::kernel<"heat">([](sv::inout<double, 3> next, sv::in<double, 3> now, sv::value<double> alpha) {
      auto [x, y, z] = sv::global_id(now.extent(0) - 2, now.extent(1) - 2, now.extent(2) - 2);
      auto i = x + 1;
      auto j = y + 1;
      auto k = z + 1;
      auto neighbours = now(i - 1, j, k) + now(i + 1, j, k) + now(i, j - 1, k) + now(i, j + 1, k) +  //
                        now(i, j, k - 1) + now(i, j, k + 1);
      next(i, j, k) = now(i, j, k) + alpha * (neighbours - 6.0 * now(i, j, k));
    });
