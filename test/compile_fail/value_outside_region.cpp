// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a value of a loop is used behind it
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"value_outside_region">([](sv::scope k, sv::inout<double> y, sv::in<double> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  auto last = k.var(x(i));
  k.for_(3, [&](auto j) { last = last + x(i + j); });
  y(i) = last;
#else
  auto i = sv::global_id(y);
  auto last = sv::let(x(i));
  k.for_(3, [&](auto j) { last = last + x(i + j); });
  y(i) = last;
#endif
});
// CHECK: error: {{.*}}a value that was made inside an if_, loop or fold is used outside it: keep it in a variable
