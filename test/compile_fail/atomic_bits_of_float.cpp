// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a bitwise atomic operation on floating-point numbers
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"atomic_bits_of_float">([](sv::inout<double> y, sv::in<int> x, sv::inout<int> z) {
#ifdef VALID
  auto i = sv::global_id(x);
  sv::atomic_or(z(x(i)), 1);
#else
  auto i = sv::global_id(x);
  sv::atomic_or(y(x(i)), 1);
#endif
});
// CHECK: error: {{.*}}atomic_and, atomic_or and atomic_xor work on integers of 32 and 64 bits
