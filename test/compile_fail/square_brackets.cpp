// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an element in square brackets
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"square_brackets">([](sv::inout<double> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = 1.0;
#else
  auto i = sv::global_id(y);
  y[i] = 1.0;
#endif
});
// CHECK: error: {{.*}}an element is written in round brackets: y(i), c(i, j)
