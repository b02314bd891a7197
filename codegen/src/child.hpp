// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in a child process, for a back end of LLVM that keeps state from one module to the next, or that ends the
// process.
#pragma once

#include "llvm.hpp"

#include <functional>
#include <string>

namespace selvage::inline v0::codegen {

/// The bytes that `work` gives in a copy of this process. Throws selvage::error: (unsupported) with the sentence of the
/// exception that left `work`, or that says how the child ended; (out_of_memory) if there can be no child. The caller
/// holds shared_use_of_llvm_options and gets it back. `doing` begins the sentence: "emitting kernel 'daxpy'".
llvm::SmallVector<char, 0> in_child(const std::function<llvm::SmallVector<char, 0>()>& work, const std::string& doing);

}  // namespace selvage::inline v0::codegen
