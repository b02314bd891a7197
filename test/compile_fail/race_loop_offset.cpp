// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a loop runs over the elements of neighbours
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"race_loop_offset">([](sv::scope k, sv::in<double> x, sv::inout<double, 2> y) {
  auto i = sv::global_id(x);
  k.for_(3, [&](auto j) { y(i, j) = x(i); });
});
#else
inline constexpr auto k = sv::kernel<"race_loop_offset">([](sv::scope k, sv::in<double> x, sv::inout<double> y) {
  auto i = sv::global_id(x);
  k.for_(3, [&](auto j) { y(i + j) = x(i); });
});
#endif
// CHECK: error: {{.*}}data race: cannot prove that work-items write different elements of argument 1
