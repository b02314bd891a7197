// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an atomic operation on an argument that is out
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"atomic_on_out">([](sv::out<int> y, sv::in<int> x, sv::inout<int> z) {
#ifdef VALID
  auto i = sv::global_id(x);
  y(i) = 0;
  sv::atomic_add(z(x(i)), 1);
#else
  auto i = sv::global_id(x);
  y(i) = 0;
  sv::atomic_add(y(x(i)), 1);
#endif
});
// CHECK: error: {{.*}}an atomic operation reads and writes its element: declare the argument inout
