// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a double is stored to a float
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"store_narrows">([](sv::inout<float> y, sv::in<double> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = sv::cast<float>(x(i));
#else
  auto i = sv::global_id(y);
  y(i) = x(i);
#endif
});
// CHECK: error: {{.*}}the value may lose something in the type of what it is assigned to: write sv::cast<T>
