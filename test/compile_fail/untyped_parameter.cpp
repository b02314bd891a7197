// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a generic lambda
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"untyped_parameter">([](sv::inout<double> y) {
  auto i = sv::global_id(y);
  y(i) = 0.0;
});
#else
inline constexpr auto k = sv::kernel<"untyped_parameter">([](auto y) {
  y;
});
#endif
// CHECK: error: {{.*}}a kernel's parameters have types: sv::in<double> x, not auto x
