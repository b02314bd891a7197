// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an id of the domain does not take part in the index
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"race_missing_id">([](sv::in<double, 2> x, sv::inout<double> y) {
  auto i = sv::global_id(y);
  y(i) += sv::sum(x.extent(1), [=](auto j) { return x(i, j); });
});
#else
inline constexpr auto k = sv::kernel<"race_missing_id">([](sv::in<double, 2> x, sv::inout<double> y) {
  auto [i, j] = sv::global_id(x);
  y(i) += x(i, j);
});
#endif
// CHECK: error: {{.*}}data race: cannot prove that work-items write different elements of argument 1
