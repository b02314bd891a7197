// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// the domain depends on data
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

#ifdef VALID
inline constexpr auto k = sv::kernel<"domain_from_data">([](sv::inout<double> y, sv::value<int> n) {
  auto i = sv::global_id(n);
  y(i) = 1.0;
});
#else
inline constexpr auto k = sv::kernel<"domain_from_data">([](sv::inout<double> y, sv::in<int> n) {
  auto i = sv::global_id(n(0));
  y(i) = 1.0;
});
#endif
// CHECK: error: {{.*}}the extents of the domain must be known before the launch
