// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// all work-items write one element
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"race_one_cell">([](sv::scope k, sv::in<double> x, sv::inout<double> y) {
  auto i = sv::global_id(x);
  k.if_(i == 0, [&] { y(0) = x(i); });
});
#else
inline constexpr auto k = sv::kernel<"race_one_cell">([](sv::in<double> x, sv::inout<double> y) {
  auto i = sv::global_id(x);
  y(0) = x(i);
});
#endif
// CHECK: error: {{.*}}data race: cannot prove that work-items write different elements of argument 1
