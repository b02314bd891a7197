// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// global_id twice
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"second_domain">([](sv::inout<double, 2> y) {
#ifdef VALID
  auto [i, j] = sv::global_id(y);
  y(i, j) = sv::cast<double>(i + j);
#else
  auto [i, j] = sv::global_id(y);
  auto [m, n] = sv::global_id(y);
  y(m, n) = sv::cast<double>(i + j);
#endif
});
// CHECK: error: {{.*}}global_id is called a second time, but a kernel has one domain
