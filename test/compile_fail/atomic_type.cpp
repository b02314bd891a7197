// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an atomic operation on elements of one byte
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"atomic_type">([](sv::inout<std::int8_t> y, sv::in<int> x, sv::inout<int> z) {
#ifdef VALID
  auto i = sv::global_id(x);
  sv::atomic_add(z(x(i)), 1);
#else
  auto i = sv::global_id(x);
  sv::atomic_add(y(x(i)), 1);
#endif
});
// CHECK: error: {{.*}}atomic operations work on numbers of 32 and 64 bits
