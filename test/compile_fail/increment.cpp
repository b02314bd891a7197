// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ++ of an element
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"increment">([](sv::inout<double> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) += 1.0;
#else
  auto i = sv::global_id(y);
  y(i)++;
#endif
});
// CHECK: error: {{.*}}a kernel value has no ++ and --: write += 1 and -= 1
