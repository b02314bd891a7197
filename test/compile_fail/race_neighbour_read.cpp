// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a neighbour of the written element is read
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"race_neighbour_read">([](sv::inout<double> y, sv::in<double> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = x(i - 1) + y(i);
#else
  auto i = sv::global_id(y);
  y(i) = y(i - 1) + x(i);
#endif
});
// CHECK: error: {{.*}}data race: an element of argument 0 that another work-item owns is read
