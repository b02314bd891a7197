// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// the ids are taken inside an if_
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"domain_in_region">([](sv::inout<double> y, sv::value<int> a, sv::scope k) {
#ifdef VALID
  auto i = sv::global_id(y);
  k.if_(a > 0, [&] { y(i) = 1.0; });
#else
  k.if_(a > 0, [&] {
    auto i = sv::global_id(y);
    y(i) = 1.0;
  });
#endif
});
// CHECK: error: {{.*}}global_id is called inside an if_, loop or fold: take the work-item's ids first
