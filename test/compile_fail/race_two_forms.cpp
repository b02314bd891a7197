// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// two stores with different forms
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"race_two_forms">([](sv::inout<double> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = 1.0;
  y(0 + i) = 2.0;
#else
  auto i = sv::global_id(y);
  y(i) = 1.0;
  y(i + 1) = 2.0;
#endif
});
// CHECK: error: {{.*}}data race: cannot prove that work-items write different elements of argument 0
