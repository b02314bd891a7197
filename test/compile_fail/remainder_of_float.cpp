// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// % of floating point
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"remainder_of_float">([](sv::inout<double> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = y(i) - 2.0 * sv::floor(y(i) / 2.0);
#else
  auto i = sv::global_id(y);
  y(i) = y(i) % 2.0;
#endif
});
// CHECK: error: {{.*}}% takes integers
