// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a matrix is transposed in place
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"race_transposed_read">([](sv::out<double, 2> c, sv::in<double, 2> a) {
  auto [i, j] = sv::global_id(c);
  c(i, j) = a(j, i);
});
#else
inline constexpr auto k = sv::kernel<"race_transposed_read">([](sv::inout<double, 2> c) {
  auto [i, j] = sv::global_id(c);
  c(i, j) = c(j, i);
});
#endif
// CHECK: error: {{.*}}data race: an element of argument 0 that another work-item owns is read
