// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a variable is read before it is written on every path
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"unassigned_variable">([](sv::scope k, sv::inout<double> y, sv::in<double> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  auto t = k.var<double>();
  k.if_(x(i) > 0.0, [&] { t = x(i); }).else_([&] { t = 0.0; });
  y(i) = t;
#else
  auto i = sv::global_id(y);
  auto t = k.var<double>();
  k.if_(x(i) > 0.0, [&] { t = x(i); });
  y(i) = t;
#endif
});
// CHECK: error: {{.*}}a variable is read before it is written on every path: give it a first value
