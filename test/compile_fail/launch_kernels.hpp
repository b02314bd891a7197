// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of wrong launches launch.
#pragma once

#include <selvage/selvage.hpp>

namespace sv = selvage;

inline constexpr auto scale = sv::kernel<"scale">([](sv::inout<double> y, sv::in<double> x, sv::value<float> a) {
  auto i = sv::global_id(y);
  y(i) += sv::cast<double>(a) * x(i);
});

inline constexpr auto increment = sv::kernel<"increment">([](sv::scope k, sv::inout<double> y) {
  auto i = sv::global_id<1>(k);
  y(i) += 1.0;
});

struct world {
  sv::device d;
  sv::buffer<double> y, x;
  sv::buffer<float> single;
  sv::buffer<double, 2> matrix;
  sv::view<const double> constant;
};
