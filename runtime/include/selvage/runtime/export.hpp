// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which symbols the runtime's shared library shows; everything else in it is hidden.
#pragma once

#define SELVAGE_RUNTIME_API __attribute__((visibility("default")))
