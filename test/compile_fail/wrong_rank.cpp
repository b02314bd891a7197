// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a matrix with one index
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"wrong_rank">([](sv::inout<double, 2> y) {
#ifdef VALID
  auto [i, j] = sv::global_id(y);
  y(i, j) = 1.0;
#else
  auto [i, j] = sv::global_id(y);
  y(i) = 1.0;
#endif
});
// CHECK: error: {{.*}}a view takes as many indices as it has dimensions (its rank)
