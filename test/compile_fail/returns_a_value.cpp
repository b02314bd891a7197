// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a kernel that returns a value
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"returns_a_value">([](sv::inout<double> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = 0.0;
#else
  auto i = sv::global_id(y);
  return y(i);
#endif
});
// CHECK: error: {{.*}}a kernel returns nothing: write its result to an argument
