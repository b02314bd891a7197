// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an operand that is no number
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

struct stranger {};
inline constexpr auto k = sv::kernel<"foreign_operand">([](sv::inout<double> y) {
#ifdef VALID
  auto i = sv::global_id(y);
  y(i) = y(i) + 1;
#else
  auto i = sv::global_id(y);
  y(i) = y(i) + stranger{};
#endif
});
// CHECK: error: {{.*}}one operand is neither a kernel value nor a number
