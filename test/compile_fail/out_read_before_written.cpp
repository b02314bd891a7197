// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an `out` is read before it is written
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"out_read_before_written">([](sv::out<double> y, sv::in<double> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = x(i);
  y(i) = y(i) + x(i);
#else
  auto i = sv::global_id(y);
  y(i) = y(i) + x(i);
#endif
});
// CHECK: error: {{.*}}argument 0 is `out`, and an element of it is read before this work-item has written it: declare it inout
