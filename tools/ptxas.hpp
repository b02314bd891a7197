// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code for NVIDIA GPUs from PTX, where NVIDIA's assembler is on this machine.
#pragma once

#include <selvage/codegen/recipe.hpp>

#include <string>

namespace tools {

/// Path of ptxas: what SELVAGE_PTXAS names, else on PATH, else in /usr/local/cuda; empty if there is none.
std::string find_ptxas();

/// Replaces the kernel's PTX by machine code for its target. Throws selvage::error (unsupported) with ptxas's own text.
void assemble(selvage::codegen::compiled_kernel& kernel, const std::string& ptxas);

}  // namespace tools
