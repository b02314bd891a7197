// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a number where an array stands
// RUN: not %cxx -I%S/../../runtime/include %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -I%S/../../runtime/include -DVALID %s
#include "launch_kernels.hpp"

void launch(world& w) {
#ifdef VALID
  scale.on(w.d)(w.y, w.x, static_cast<short>(2));
#else
  scale.on(w.d)(w.y, 1.0, 2.0f);
#endif
}
// CHECK: error: {{.*}}this argument of the kernel is an array (in, out or inout); pass a selvage::buffer
