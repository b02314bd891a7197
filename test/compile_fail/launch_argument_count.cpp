// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// an argument too few
// RUN: not %cxx -I%S/../../runtime/include %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -I%S/../../runtime/include -DVALID %s
#include "launch_kernels.hpp"

void launch(world& w) {
#ifdef VALID
  scale.on(w.d)(w.y, w.x, 1.0f);
#else
  scale.on(w.d)(w.y, w.x);
#endif
}
// CHECK: error: {{.*}}the kernel takes another number of arguments
