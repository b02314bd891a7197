// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimises a module as clang -O3 would, with everything that LLVM knows of the target.
#include "object.hpp"

namespace selvage::inline v0::codegen {
namespace {

/// LLVM's vectoriser ends a fold of llvm.minimumnum by llvm.vector.reduce.fmin, which may take +0 for -0. Nothing else
/// makes that intrinsic here, so wherever it stands it becomes a tree of what was meant.
void expand_reductions(llvm::Module& module) {
  namespace intrinsic = llvm::Intrinsic;
  llvm::SmallVector<llvm::IntrinsicInst*, 4> reductions;
  for (llvm::Function& f : module)
    for (llvm::Instruction& i : llvm::instructions(f))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i))
        if (call->getIntrinsicID() == intrinsic::vector_reduce_fmin ||
            call->getIntrinsicID() == intrinsic::vector_reduce_fmax)
          reductions.push_back(call);
  for (llvm::IntrinsicInst* reduction : reductions) {
    llvm::IRBuilder<> b(reduction);
    b.setFastMathFlags(reduction->getFastMathFlags());
    const auto combine =
        reduction->getIntrinsicID() == intrinsic::vector_reduce_fmin ? intrinsic::minimumnum : intrinsic::maximumnum;
    llvm::Value* left = reduction->getArgOperand(0);
    for (unsigned lanes = llvm::cast<llvm::FixedVectorType>(left->getType())->getNumElements(); lanes > 1; lanes /= 2) {
      llvm::SmallVector<int, 16> low, high;
      for (unsigned k = 0; k < lanes / 2; ++k)
        low.push_back(static_cast<int>(k)), high.push_back(static_cast<int>(lanes / 2 + k));
      left = b.CreateBinaryIntrinsic(combine, b.CreateShuffleVector(left, low), b.CreateShuffleVector(left, high));
    }
    reduction->replaceAllUsesWith(b.CreateExtractElement(left, std::uint64_t{0}));
    reduction->eraseFromParent();
  }
}

}  // namespace

void optimize(llvm::Module& module, llvm::TargetMachine& machine, const target& t) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopInterleaving = true;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  tuning.LoopUnrolling = true;

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [&t](llvm::StringRef pass, const llvm::Any&) { return t.optimises_with(pass); });
  // A file system of its own, since nothing is read, instead of the one that all threads share.
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks,
                            llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>());
  // Registered first, so that it stands in for the default one.
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(t.library_info(machine)); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
  expand_reductions(module);
  t.legalize(module);
}

}  // namespace selvage::inline v0::codegen
