// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a double for a float
// RUN: not %cxx -I%S/../../runtime/include %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -I%S/../../runtime/include -DVALID %s
#include "launch_kernels.hpp"

void launch(world& w) {
#ifdef VALID
  scale.on(w.d)(w.y, w.x, 2.0f);
#else
  scale.on(w.d)(w.y, w.x, 2.0);
#endif
}
// CHECK: error: {{.*}}not every value of the number that was passed is one of T; convert it
