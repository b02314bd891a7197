// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code of an optimised module.
#include "object.hpp"

#include "error.hpp"

namespace selvage::inline v0::codegen {

llvm::SmallVector<char, 0> file_of(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  // The module was verified when it was emitted; what passes make of it is LLVM's affair.
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    throw error(error_code::unsupported, "LLVM cannot emit this kind of file for this target");
  passes.run(module);
  throw_if_diagnosed(module.getContext(), "emitting machine code");
  return bytes;
}

}  // namespace selvage::inline v0::codegen
