// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select on a number
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"select_condition">([](sv::inout<double> y, sv::in<double> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = sv::select(x(i) != 0.0, 1.0, 2.0);
#else
  auto i = sv::global_id(y);
  y(i) = sv::select(x(i), 1.0, 2.0);
#endif
});
// CHECK: error: {{.*}}select's first argument is a condition (bool)
