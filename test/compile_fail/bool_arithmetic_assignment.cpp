// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// += on a bool
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"bool_arithmetic_assignment">([](sv::inout<bool> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) |= y(i);
#else
  auto i = sv::global_id(y);
  y(i) += y(i);
#endif
});
// CHECK: error: {{.*}}a bool takes &=, |= and ^= only
