// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a fold over constants alone without a scope
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"constant_fold_bounds">([](sv::scope s, sv::inout<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
  y(i) = s.sum(5, [=](auto k) { return x(i + k); });
});
#else
inline constexpr auto k = sv::kernel<"constant_fold_bounds">([](sv::inout<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
  y(i) = sv::sum(5, [=](auto k) { return x(i + k); });
});
#endif
// CHECK: error: {{.*}}a fold over constant bounds is a member of the scope: k.sum
