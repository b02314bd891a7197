// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an element type that there is not
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"element_type">([](sv::inout<double> y) {
  auto i = sv::global_id(y);
  y(i) = y(i);
});
#else
inline constexpr auto k = sv::kernel<"element_type">([](sv::inout<long double> y) {
  auto i = sv::global_id(y);
  y(i) = y(i);
});
#endif
// CHECK: error: {{.*}}this type cannot be an element
