// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a function of std on a kernel value
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#include <cmath>
inline constexpr auto k = sv::kernel<"std_function">([](sv::inout<double> y, sv::in<double> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = sv::sin(x(i));
#else
  auto i = sv::global_id(y);
  y(i) = std::sin(x(i));
#endif
});
// CHECK: error: {{.*}}a kernel value is not a C++ number, {{.*}}use the functions of selvage, such as sv::sin
