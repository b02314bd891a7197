// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a variable is the index
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"race_variable_index">([](sv::scope k, sv::inout<double> y) {
  auto i = sv::global_id(y);
  auto n = k.var(i);
  y(i) = sv::cast<double>(n);
});
#else
inline constexpr auto k = sv::kernel<"race_variable_index">([](sv::scope k, sv::inout<double> y) {
  auto i = sv::global_id(y);
  auto n = k.var(i);
  y(n) = 1.0;
});
#endif
// CHECK: error: {{.*}}data race: cannot prove that work-items write different elements of argument 0
