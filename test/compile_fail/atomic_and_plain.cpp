// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an argument of atomic operations is read without one
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"atomic_and_plain">([](sv::inout<int> y, sv::in<int> x, sv::in<int> z) {
#ifdef VALID
  auto i = sv::global_id(x);
  sv::atomic_add(y(x(i)), z(i));
#else
  auto i = sv::global_id(x);
  sv::atomic_add(y(x(i)), y(i));
#endif
});
// CHECK: error: {{.*}}argument 0 is used by an atomic operation, and read or written without one too
