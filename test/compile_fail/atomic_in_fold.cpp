// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an atomic operation inside the function of a fold
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"atomic_in_fold">([](sv::inout<double> y, sv::in<int> x, sv::inout<double> z, sv::scope k) {
#ifdef VALID
  auto i = sv::global_id(x);
  k.for_(3, [&](auto) { sv::atomic_add(y(x(i)), 1.0); });
#else
  auto i = sv::global_id(x);
  z(i) = k.sum(3, [&](auto) { return sv::atomic_add(y(x(i)), 1.0); });
#endif
});
// CHECK: error: {{.*}}the function of a fold writes an argument or a variable from outside it
