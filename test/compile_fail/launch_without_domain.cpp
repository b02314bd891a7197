// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a domain that is never given: nothing would be launched
// RUN: not %cxx -Werror -I%S/../../runtime/include %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %cxx -Werror -I%S/../../runtime/include -DVALID %s
#include "launch_kernels.hpp"

void launch(world& w) {
#ifdef VALID
  increment.on(w.d)(w.y).over(3);
#else
  increment.on(w.d)(w.y);
#endif
}
// CHECK: error: {{.*}}this kernel's domain is given at the launch, so nothing happens before .over(extents...)
