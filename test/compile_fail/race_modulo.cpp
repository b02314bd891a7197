// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// work-items share elements modulo 7
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"race_modulo">([](sv::in<double> x, sv::inout<double> y) {
#ifdef VALID
  auto i = sv::global_id(x);
  y(i) = x(i % 7);
#else
  auto i = sv::global_id(x);
  y(i % 7) = x(i);
#endif
});
// CHECK: error: {{.*}}data race: cannot prove that work-items write different elements of argument 1
