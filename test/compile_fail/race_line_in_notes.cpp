// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// the notes of an image-level error hold the line of the access
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: not %cxx %s 2>&1 | FileCheck --check-prefix=LINE %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"line">([](sv::inout<double> y) {
  auto i = sv::global_id(y);
#ifdef VALID
  y(i) = 1.0;
#else
  y(i) = y(i + 1);
#endif
});
// LINE: at_line<14>
// CHECK: error: {{.*}}data race
