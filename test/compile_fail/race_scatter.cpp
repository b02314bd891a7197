// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an element chosen by an index array is written
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"race_scatter">([](sv::in<double> x, sv::inout<double> y, sv::in<int> index) {
#ifdef VALID
  auto i = sv::global_id(x);
  y(i) = x(index(i));
#else
  auto i = sv::global_id(x);
  y(index(i)) = x(i);
#endif
});
// CHECK: error: {{.*}}data race: cannot prove that work-items write different elements of argument 1
