// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages behind emission: the target's library, optimisation, machine code, linking.
#pragma once

#include "target.hpp"

#include "llvm.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace selvage::inline v0::codegen {

/// Links those functions of a bitcode library that the module calls, as its own. The library is looked for beside the
/// plug-in, where CMake found it, and where libclc installs it; nothing is read if the module calls nothing.
void link_library(llvm::Module& module, const char* file);

/// LLVM's pipeline of -O3, for this machine.
void optimize(llvm::Module& module, llvm::TargetMachine& machine, const target& t);

/// Object code or assembly of a module.
llvm::SmallVector<char, 0> file_of(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType type);

/// An object file for the host with these kernels, see generator::object_with.
std::vector<std::byte> object_with(std::span<const compiled_kernel> kernels);

/// What becomes of functions that a kernel calls and does not have.
enum class undefined_symbols {
  left,     ///< for the loader: the host's libm and libmvec
  refused,  ///< a device's loader has none
};

/// An ELF object made a shared object, by lld in this process. One at a time.
std::vector<std::byte> link_shared(llvm::ArrayRef<char> object, undefined_symbols undefined);

}  // namespace selvage::inline v0::codegen
