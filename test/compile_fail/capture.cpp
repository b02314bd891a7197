// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a lambda that captures
// RUN: not %cxx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -DVALID %s
#include <selvage/dsl.hpp>
namespace sv = selvage;

double factor = 2.0;
inline auto make(double a) {
#ifdef VALID
  (void)a;
  return sv::kernel<"capture">([](sv::inout<double> y, sv::value<double> b) {
    auto i = sv::global_id(y);
    y(i) *= b;
  });
#else
  return sv::kernel<"capture">([a](sv::inout<double> y) {
    auto i = sv::global_id(y);
    y(i) *= a;
  });
#endif
}
// CHECK: error: {{.*}}a kernel cannot capture: pass what it needs as sv::value or a view
