// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// else_ that does not follow its if_
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"else">([](sv::scope s, sv::inout<double> y) {
  auto i = sv::global_id(y);
#ifdef VALID
  s.if_(i == 0, [&] { y(i) = 1.0; }).else_([&] { y(i) = 2.0; });
#else
  auto branch = s.if_(i == 0, [&] { y(i) = 1.0; });
  y(i) += 1.0;
  branch.else_([&] { y(i) = 2.0; });
#endif
});
// CHECK: error: {{.*}}else_ must stand directly behind its if_
