// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a variable is copied, which would be a second name of it
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"copied">([](sv::scope s, sv::inout<double> y) {
  auto i = sv::global_id(y);
  auto x = s.var(0.0);
#ifdef VALID
  auto old = sv::let(x);
#else
  auto old = x;
#endif
  x = 1.0;
  y(i) = old;
});
// CHECK: error: {{.*}}a copy of a variable would be a second name of it, not its value: write auto old = sv::let(x)
