// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of floating-point values: a function of the target's library, else LLVM's intrinsic.
#include "emitter.hpp"

#include <fmt/format.h>

namespace selvage::inline v0::codegen {
namespace {

namespace intrinsic = llvm::Intrinsic;

/// not_intrinsic if there is none that every target has.
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
    case op::round_even:
      return intrinsic::roundeven;
    case op::round_to_zero:
      return intrinsic::trunc;
    case op::power:
      return intrinsic::pow;
    case op::fused_multiply_add:
      return intrinsic::fma;
    default:
      return intrinsic::not_intrinsic;
  }
}

}  // namespace

bool has_intrinsic(ir::operation o) {
  return intrinsic_of(o) != intrinsic::not_intrinsic;
}

std::string name_in_libm(ir::operation o, ir::type t) {
  return fmt::format("{}{}", ir::word_of(o), t == ir::type::float32 ? "f" : "");
}

std::string name_in_libclc(ir::operation o, ir::type t) {
  const std::string_view word = ir::word_of(o);
  if (word.empty()) return {};
  const std::string_view suffix = t == ir::type::float32 ? "f" : "d";
  return fmt::format("_Z{}{}{}{}", word.size(), word, suffix, properties(o).arity == 2 ? suffix : "");
}

/// A call of a function without effects: what it gives depends on its arguments alone.
llvm::CallInst* emitter::call_function(const std::string& name, ir::type t, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Type* type = type_of(t);
  const std::vector<llvm::Type*> types(arguments.size(), type);
  llvm::FunctionCallee callee = module_->getOrInsertFunction(name, llvm::FunctionType::get(type, types, false));
  llvm::CallInst* made = builder_.CreateCall(callee, arguments);
  if (auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->setWillReturn();
    function->setCallingConv(target_.library_convention());
  }
  made->setCallingConv(target_.library_convention());
  return made;
}

/// Calls libclc's function, with what it lacks of its own promises (libclc 22): arguments and results that are
/// subnormal, the zero's sign, infinities, and exponents beyond the range of the integers that it makes of them.
llvm::Value* emitter::call_libclc(const std::string& name, ir::operation o, ir::type t,
                                  llvm::ArrayRef<llvm::Value*> arguments) {
  using op = ir::operation;
  llvm::IRBuilder<>& b = builder_;
  llvm::Type* type = type_of(t);
  const auto constant = [&](double v) { return llvm::ConstantFP::get(type, v); };
  const auto call = [&](llvm::ArrayRef<llvm::Value*> values) {
    llvm::CallInst* made = call_function(name, t, values);
    made->addFnAttr(llvm::Attribute::NoBuiltin);  // AMD's back end knows these names, and would call others instead
    return made;
  };
  llvm::Value* x = arguments[0];
  const bool f32 = t == ir::type::float32;
  if ((o == op::exponential || o == op::exponential_2) && f32) {  // exp(x) = exp(x / 2)^2, where it is subnormal
    llvm::Value* low = b.CreateFCmpOLT(x, constant(-80.0));
    llvm::Value* e = call(b.CreateSelect(low, b.CreateFMul(x, constant(0.5)), x));
    return b.CreateSelect(low, b.CreateFMul(e, e), e);
  }
  if ((o == op::error_complement || o == op::floating_remainder || o == op::gamma) && f32) {
    llvm::SmallVector<llvm::Value*, 2> wide;
    for (llvm::Value* a : arguments) wide.push_back(b.CreateFPExt(a, b.getDoubleTy()));
    llvm::Value* exact = call_libclc(name_in_libclc(o, ir::type::float64), o, ir::type::float64, wide);
    return b.CreateFPTrunc(exact, type);
  }
  const bool odd = o == op::sine || o == op::tangent || o == op::exponential_minus_1 || o == op::arc_sine ||
                   o == op::arc_tangent || o == op::error_function;
  if (odd && !f32) return b.CreateSelect(b.CreateFCmpOEQ(x, constant(0.0)), x, call(x));
  if (o == op::gamma) {  // 1 / x near 0
    llvm::Value* tiny = b.CreateFCmpOLT(b.CreateUnaryIntrinsic(intrinsic::fabs, x), constant(0x1p-60));
    return b.CreateSelect(tiny, b.CreateFDiv(constant(1.0), x), call(x));
  }
  if (o == op::logarithm_of_gamma) {
    llvm::Value* infinite =
        b.CreateFCmpOEQ(b.CreateUnaryIntrinsic(intrinsic::fabs, x), llvm::ConstantFP::getInfinity(type));
    return b.CreateSelect(infinite, llvm::ConstantFP::getInfinity(type), call(x));
  }
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
  if (!name.empty())
    return target_.links_libclc() ? call_libclc(name, o, t, arguments) : call_function(name, t, arguments);
  return builder_.CreateIntrinsic(intrinsic_of(o), {type_of(t)}, arguments);
}

}  // namespace selvage::inline v0::codegen
