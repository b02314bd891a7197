// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a floating-point index
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"float_index">([](sv::inout<double> y, sv::in<double> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = x(sv::cast<int>(x(i)));
#else
  auto i = sv::global_id(y);
  y(i) = x(x(i));
#endif
});
// CHECK: error: {{.*}}an index is an integer: sv::cast<std::int64_t>
