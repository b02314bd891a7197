// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a domain of another rank
// RUN: not %cxx -I%S/../../runtime/include %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -I%S/../../runtime/include -DVALID %s
#include "launch_kernels.hpp"

void launch(world& w) {
#ifdef VALID
  increment.on(w.d)(w.y).over(3);
#else
  increment.on(w.d)(w.y).over(3, 4);
#endif
}
// CHECK: error: {{.*}}.over(...) takes one extent for each dimension of the domain
