// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a constant beyond the type beside it
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"constant_does_not_fit">([](sv::inout<int> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = y(i) + 500000000;
#else
  auto i = sv::global_id(y);
  y(i) = y(i) + 5000000000;
#endif
});
// CHECK: error: {{.*}}a constant does not fit the type of the value beside it
