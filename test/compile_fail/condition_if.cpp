// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a kernel value as a C++ condition
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"condition_if">([](sv::scope k, sv::inout<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
  k.if_(x(i) > 0.0, [&] { y(i) = 0.0; });
});
#else
inline constexpr auto k = sv::kernel<"condition_if">([](sv::inout<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
  if (x(i) > 0.0) y(i) = 0.0;
});
#endif
// CHECK: error: {{.*}}a kernel value is not a C++ condition, {{.*}}: use k.if_, k.while_ or sv::select
