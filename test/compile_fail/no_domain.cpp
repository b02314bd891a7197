// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a kernel without a domain
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"no_domain">([](sv::scope k, sv::inout<double> y) {
  auto i = sv::global_id(k);
  y(i) = 1.0;
});
#else
inline constexpr auto k = sv::kernel<"no_domain">([](sv::out<double, 0> y) {
  y() = 1.0;
});
#endif
// CHECK: error: {{.*}}this kernel has no domain: take the work-item's ids with sv::global_id
