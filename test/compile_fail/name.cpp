// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a kernel's name is empty, or has a line break
// RUN: not %cxx -DNAME='""' %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: not %cxx -DNAME='"two\nlines"' %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DNAME='"one name"' %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<NAME>([](sv::inout<double> y) {
  auto i = sv::global_id(y);
  y(i) = 1.0;
});
// CHECK: error: {{.*}}a kernel's name is not empty and has no control characters
