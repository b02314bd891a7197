// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a double added to a float
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"atomic_narrows">([](sv::inout<float> y, sv::in<int> x) {
#ifdef VALID
  auto i = sv::global_id(x);
  sv::atomic_add(y(x(i)), 1.5f);
#else
  auto i = sv::global_id(x);
  sv::atomic_add(y(x(i)), 1.5);
#endif
});
// CHECK: error: {{.*}}the value may lose something in the type of the element: write sv::cast<T>(...) around it
