// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM's SPIR-V back end takes, and what it must be given instead of the rest.
#pragma once

#include "../llvm.hpp"

namespace selvage::inline v0::codegen {

/// Replaces, in an optimised module, what the back end would end the process over or make wrong code of. Throws
/// selvage::error (unsupported) that names the construct where there is no replacement.
void legalize_for_spirv(llvm::Module& module);

}  // namespace selvage::inline v0::codegen
