// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sqrt of an integer
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"math_of_integer">([](sv::inout<int> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = sv::cast<int>(sv::sqrt(sv::cast<double>(y(i))));
#else
  auto i = sv::global_id(y);
  y(i) = sv::cast<int>(sv::sqrt(y(i)));
#endif
});
// CHECK: error: {{.*}}sqrt takes float or double
