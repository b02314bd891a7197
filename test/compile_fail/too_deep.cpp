// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// more than 256 regions in one another
// RUN: not %cxx -fconstexpr-depth=4096 %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

// Needs more of the compiler than its default depth, whose end is told otherwise.
template <int Depth>
constexpr void nest(sv::scope k, sv::inout<double> y, sv::value<int> a, auto i) {
  if constexpr (Depth == 0)
    y(i) = 1.0;
  else
    k.if_(a > Depth, [&] { nest<Depth - 1>(k, y, a, i); });
}

inline constexpr auto k = sv::kernel<"too_deep">([](sv::inout<double> y, sv::value<int> a, sv::scope k) {
  auto i = sv::global_id(y);
#ifdef VALID
  nest<100>(k, y, a, i);
#else
  nest<257>(k, y, a, i);
#endif
});
// CHECK: error: {{.*}}more than 256 if_, loops and folds stand in one another
