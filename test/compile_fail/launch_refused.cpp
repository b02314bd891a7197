// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a refused kernel that is launched: the cause, and one error that points back to it
// RUN: not %cxx -I%S/../../runtime/include %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -I%S/../../runtime/include -DVALID %s
#include <selvage/selvage.hpp>
namespace sv = selvage;

inline constexpr auto k = sv::kernel<"refused">([](sv::inout<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
#ifdef VALID
  y(i) = sv::select(x(i) > 0.0, 1.0, y(i));
#else
  if (x(i) > 0.0) y(i) = 1.0;
#endif
});
void run(sv::device& d, sv::buffer<double>& y, sv::buffer<double>& x) { k.on(d)(y, x).wait(); }
// CHECK: error: {{.*}}a kernel value is not a C++ condition
// CHECK: error: {{.*}}this kernel could not be recorded at compile time: an error before this one says why
