// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// every work-item writes one element of a larger row
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"out_written_at_one_place">([](sv::scope k, sv::in<double> x, sv::out<double, 2> y) {
  auto i = sv::global_id(x);
  k.for_(y.extent(1), [&](auto j) { y(i, j) = x(i); });
});
#else
inline constexpr auto k = sv::kernel<"out_written_at_one_place">([](sv::in<double> x, sv::out<double, 2> y) {
  auto i = sv::global_id(x);
  y(i, 0) = x(i);
});
#endif
// CHECK: error: {{.*}}argument 1 is `out`, but not every element is written on every path
