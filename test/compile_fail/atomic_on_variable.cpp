// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an atomic operation on a variable, which no other work-item sees
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"atomic_on_variable">([](sv::inout<int> y, sv::in<int> x, sv::scope k) {
#ifdef VALID
  auto i = sv::global_id(x);
  auto v = k.var(0);
  v += 1;
  sv::atomic_add(y(i), v);
#else
  auto i = sv::global_id(x);
  auto v = k.var(0);
  sv::atomic_add(v, x(i));
#endif
});
// CHECK: error: {{.*}}an atomic operation works on an element of a view, such as y(i)
