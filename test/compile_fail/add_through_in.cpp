// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an `in` argument is assigned to by +=
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"add_through_in">([](sv::inout<double> y, sv::in<double> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) += x(i);
#else
  auto i = sv::global_id(y);
  x(i) += y(i);
#endif
});
// CHECK: error: {{.*}}this argument is `in` (read-only): declare it out or inout
