// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a parameter that is no kernel parameter
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"foreign_parameter">([](sv::inout<double> y, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) = a;
});
#else
inline constexpr auto k = sv::kernel<"foreign_parameter">([](sv::inout<double> y, double a) {
  auto i = sv::global_id(y);
  y(i) = a;
});
#endif
// CHECK: error: {{.*}}a kernel's parameters are sv::in, sv::out, sv::inout, sv::value or sv::scope
