// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a kernel value before ?:
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"condition_ternary">([](sv::inout<double> y, sv::in<double> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = sv::select(x(i) > 0.0, 1.0, 2.0);
#else
  auto i = sv::global_id(y);
  y(i) = x(i) > 0.0 ? 1.0 : 2.0;
#endif
});
// CHECK: error: {{.*}}a kernel value is not a C++ condition, {{.*}}: use k.if_, k.while_ or sv::select
