// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// the function of a fold writes an argument
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"effect_in_fold">([](sv::inout<double, 2> y, sv::out<double> s) {
#ifdef VALID
  auto i = sv::global_id(s);
  s(i) = sv::sum(y.extent(1), [=](auto j) { return y(i, j); });
#else
  auto i = sv::global_id(s);
  s(i) = sv::sum(y.extent(1), [=](auto j) { y(i, j) = 0.0; return y(i, j); });
#endif
});
// CHECK: error: {{.*}}the function of a fold writes an argument or a variable from outside it
