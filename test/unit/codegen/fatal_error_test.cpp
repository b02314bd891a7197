// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM takes for a fatal error is thrown, and the process goes on. Tests sources of the plug-in from inside, since
// no image that the emitter takes is known to make LLVM fail.
#include "error.hpp"
#include "object.hpp"

#include <doctest/doctest.h>

#include <string>

// LLVM defines __has_feature for compilers that lack it; gcc says it by a macro.
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
using leaks_allowed = __lsan::ScopedDisabler;
#else
struct leaks_allowed {};
#endif

namespace {

using namespace selvage;

/// Compiles a call of llvm.exp.f64 for NVPTX, which has no such function.
void compile_what_cannot_be() {
  [[maybe_unused]] const leaks_allowed here;
  // Never destroyed: after a fatal error LLVM's objects are in an unknown state.
  auto* context = new llvm::LLVMContext;
  codegen::collect_diagnostics(*context);
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string problem;
  auto* machine = llvm::TargetRegistry::lookupTarget(triple, problem)->createTargetMachine(triple, "sm_90", "", {}, {});
  auto* module = new llvm::Module("bad", *context);
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  llvm::IRBuilder<> b(*context);
  auto* type = llvm::FunctionType::get(b.getDoubleTy(), {b.getDoubleTy()}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "bad", module);
  b.SetInsertPoint(llvm::BasicBlock::Create(*context, "entry", function));
  b.CreateRet(b.CreateUnaryIntrinsic(llvm::Intrinsic::exp, function->getArg(0)));
  const codegen::fatal_errors_thrown thrown;
  codegen::file_of(*module, *machine, llvm::CodeGenFileType::AssemblyFile);
}

TEST_CASE("fatal errors of LLVM are thrown, again and again") {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  for (int k = 0; k < 3; ++k) {
    try {
      compile_what_cannot_be();
      FAIL("compiled");
    } catch (const codegen::fatal_error& e) {
      CHECK(e.code() == error_code::unsupported);
      CHECK(std::string(e.what()).find("LLVM cannot compile this") == 0);
    }
  }
}

}  // namespace
