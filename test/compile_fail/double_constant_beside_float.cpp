// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a double constant beside a float value
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"double_constant_beside_float">([](sv::inout<float> y, sv::in<float> x) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = 2.0f * x(i);
#else
  auto i = sv::global_id(y);
  y(i) = 2.0 * x(i);
#endif
});
// CHECK: error: {{.*}}a double constant beside a float value would make the arithmetic double: write it as 2.0f
