// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a domain for a kernel that has one
// RUN: not %cxx -I%S/../../runtime/include %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -I%S/../../runtime/include -DVALID %s
#include "launch_kernels.hpp"

void launch(world& w) {
#ifdef VALID
  increment.on(w.d).over(3)(w.y);
#else
  scale.on(w.d).over(3)(w.y, w.x, 1.0f);
#endif
}
// CHECK: error: {{.*}}this kernel takes its domain from its arguments (global_id); leave .over out
