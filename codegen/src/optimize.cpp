// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimises a module as clang -O3 would, with everything that LLVM knows of the target.
#include "object.hpp"

namespace selvage::inline v0::codegen {

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
  llvm::PassBuilder builder(&machine, tuning);
  // Registered first, so that it stands in for the default one.
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(t.library_info(machine)); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

}  // namespace selvage::inline v0::codegen
