// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of floating-point values: LLVM's intrinsic, unless the target names a function of a library.
#include "emitter.hpp"

namespace selvage::inline v0::codegen {
namespace {

namespace intrinsic = llvm::Intrinsic;

llvm::Intrinsic::ID intrinsic_of(ir::operation o) {
  using op = ir::operation;
  switch (o) {
    case op::square_root:
      return intrinsic::sqrt;
    case op::exponential:
      return intrinsic::exp;
    case op::logarithm:
      return intrinsic::log;
    case op::sine:
      return intrinsic::sin;
    case op::cosine:
      return intrinsic::cos;
    case op::tangent:
      return intrinsic::tan;
    case op::hyperbolic_tangent:
      return intrinsic::tanh;
    case op::round_down:
      return intrinsic::floor;
    case op::round_up:
      return intrinsic::ceil;
    case op::round_nearest:
      return intrinsic::round;
    case op::power:
      return intrinsic::pow;
    case op::fused_multiply_add:
      return intrinsic::fma;
    default:
      llvm_unreachable("not a function");
  }
}

}  // namespace

llvm::Value* emitter::math(ir::operation o, ir::type t, llvm::ArrayRef<llvm::Value*> arguments) {
  if (o == ir::operation::reciprocal_square_root) {
    llvm::Value* root = math(ir::operation::square_root, t, arguments);
    return builder_.CreateFDiv(llvm::ConstantFP::get(root->getType(), 1.0), root);
  }
  const std::string library = target_.library_function(o, t);
  llvm::Type* type = type_of(t);
  if (library.empty()) return builder_.CreateIntrinsic(intrinsic_of(o), {type}, arguments);

  const std::vector<llvm::Type*> types(arguments.size(), type);
  llvm::FunctionCallee callee = module_->getOrInsertFunction(library, llvm::FunctionType::get(type, types, false));
  if (auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->setWillReturn();
  }
  return builder_.CreateCall(callee, arguments);
}

}  // namespace selvage::inline v0::codegen
