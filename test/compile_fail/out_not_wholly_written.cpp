// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an `out` is written under a condition only
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"out_not_wholly_written">([](sv::scope k, sv::in<double> x, sv::out<double> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  k.if_(x(i) > 0.0, [&] { y(i) = x(i); }).else_([&] { y(i) = 0.0; });
#else
  auto i = sv::global_id(y);
  k.if_(x(i) > 0.0, [&] { y(i) = x(i); });
#endif
});
// CHECK: error: {{.*}}argument 1 is `out`, but not every element is written on every path: declare it inout
