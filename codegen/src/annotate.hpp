// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which node of the image each instruction comes from: as debug locations while LLVM works, as comments in what is
// printed. A location's line is the node's number plus one.
#pragma once

#include <selvage/ir/image.hpp>

#include "llvm.hpp"

#include <string>

namespace selvage::inline v0::codegen {

/// A scope for the locations of a function's instructions.
llvm::DISubprogram* make_scope(llvm::Module& module, llvm::Function& function);

/// LLVM IR with a comment, the node as ir::print_node shows it and its line, before the instructions of each.
std::string annotated_ir(llvm::Module& module, const ir::image_view& image);

/// Assembly with the same comments in the place of LLVM's `.loc` directives.
std::string annotated_assembly(llvm::StringRef assembly, llvm::StringRef comment, const ir::image_view& image);

}  // namespace selvage::inline v0::codegen
