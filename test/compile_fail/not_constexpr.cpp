// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a function that is not constexpr, in a kernel that is exported
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
constexpr
#endif
inline int helper(int a) { return a + 1; }
inline constexpr auto k = sv::kernel<"not_constexpr">([](sv::out<int> y) {
  auto i = sv::global_id(y);
  y(i) = helper(3);
});
SELVAGE_EXPORT(k);
// CHECK: error: {{.*}}this kernel could not be recorded at compile time: {{.*}}a function that is not constexpr
