// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of floating-point values: LLVM's intrinsic, unless the target names a function of libclc.
#include "emitter.hpp"

#include <fmt/format.h>

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

/// OpenCL's name, without its mangling.
const char* word_of(ir::operation o) {
  using op = ir::operation;
  switch (o) {
    case op::exponential:
      return "exp";
    case op::logarithm:
      return "log";
    case op::sine:
      return "sin";
    case op::cosine:
      return "cos";
    case op::tangent:
      return "tan";
    case op::hyperbolic_tangent:
      return "tanh";
    case op::power:
      return "pow";
    default:
      return nullptr;
  }
}

}  // namespace

std::string name_in_libclc(ir::operation o, ir::type t) {
  const char* word = word_of(o);
  if (word == nullptr) return {};
  const std::string_view suffix = t == ir::type::float32 ? "f" : "d";
  return fmt::format("_Z{}{}{}{}", std::string_view(word).size(), word, suffix, properties(o).arity == 2 ? suffix : "");
}

/// Calls libclc's function, with what it lacks of its own promises (libclc 22): results that are subnormal, the zero's
/// sign, and exponents beyond the range of the integers that it makes of them.
llvm::Value* emitter::call_libclc(const std::string& name, ir::operation o, ir::type t,
                                  llvm::ArrayRef<llvm::Value*> arguments) {
  using op = ir::operation;
  llvm::IRBuilder<>& b = builder_;
  llvm::Type* type = type_of(t);
  const auto constant = [&](double v) { return llvm::ConstantFP::get(type, v); };
  const auto call = [&](llvm::ArrayRef<llvm::Value*> values) {
    const std::vector<llvm::Type*> types(values.size(), type);
    llvm::FunctionCallee callee = module_->getOrInsertFunction(name, llvm::FunctionType::get(type, types, false));
    if (auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
      function->setDoesNotThrow();
      function->setDoesNotAccessMemory();
      function->setWillReturn();
    }
    llvm::CallInst* made = b.CreateCall(callee, values);
    made->addFnAttr(llvm::Attribute::NoBuiltin);  // AMD's back end knows these names, and would call others instead
    return made;
  };
  llvm::Value* x = arguments[0];
  if (o == op::exponential && t == ir::type::float32) {  // exp(x) = exp(x / 2)^2, where it is subnormal
    llvm::Value* low = b.CreateFCmpOLT(x, constant(-80.0));
    llvm::Value* e = call(b.CreateSelect(low, b.CreateFMul(x, constant(0.5)), x));
    return b.CreateSelect(low, b.CreateFMul(e, e), e);
  }
  if ((o == op::sine || o == op::tangent) && t == ir::type::float64)
    return b.CreateSelect(b.CreateFCmpOEQ(x, constant(0.0)), x, call(x));
  if (o == op::power && t == ir::type::float64) {
    // Beyond 2^64 every exponent is even, and every power but those of 1 and -1 is 0 or infinite.
    llvm::Value* y = arguments[1];
    y = b.CreateSelect(b.CreateFCmpOGT(y, constant(0x1p64)), constant(0x1p64), y);
    y = b.CreateSelect(b.CreateFCmpOLT(y, constant(-0x1p64)), constant(-0x1p64), y);
    return call({x, y});
  }
  return call(arguments);
}

llvm::Value* emitter::math(ir::operation o, ir::type t, llvm::ArrayRef<llvm::Value*> arguments) {
  if (o == ir::operation::reciprocal_square_root) {
    llvm::Value* root = math(ir::operation::square_root, t, arguments);
    return builder_.CreateFDiv(llvm::ConstantFP::get(root->getType(), 1.0), root);
  }
  const std::string name = target_.library_function(o, t);
  if (!name.empty()) return call_libclc(name, o, t, arguments);
  return builder_.CreateIntrinsic(intrinsic_of(o), {type_of(t)}, arguments);
}

}  // namespace selvage::inline v0::codegen
