// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a view of const elements that is written
// RUN: not %cxx -I%S/../../runtime/include %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -I%S/../../runtime/include -DVALID %s
#include "launch_kernels.hpp"

void launch(world& w) {
#ifdef VALID
  scale.on(w.d)(w.y, w.constant, 1.0f);
#else
  scale.on(w.d)(w.constant, w.x, 1.0f);
#endif
}
// CHECK: error: {{.*}}this argument of the kernel is out or inout and is written; pass a view<T>
