// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// int64 and float meet
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"mixed_types">([](sv::inout<float> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = y(i) * sv::cast<float>(i);
#else
  auto i = sv::global_id(y);
  y(i) = y(i) * i;
#endif
});
// CHECK: error: {{.*}}these operands have no common type that holds both without loss: write sv::cast<T>
