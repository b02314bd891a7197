// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// && of numbers
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"logical_on_numbers">([](sv::scope k, sv::inout<int> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  k.if_(y(i) != 0 && i > 0, [&] { y(i) = 0; });
#else
  auto i = sv::global_id(y);
  k.if_(y(i) && i > 0, [&] { y(i) = 0; });
#endif
});
// CHECK: error: {{.*}}&& and || take conditions (bool): compare first, such as x != 0
