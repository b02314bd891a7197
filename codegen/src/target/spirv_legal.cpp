// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V: intrinsics are taken from a list; those that are not on it are expanded here, or refused with a sentence.
#include "spirv_legal.hpp"

#include <fmt/format.h>

#include "../error.hpp"

namespace selvage::inline v0::codegen {
namespace {

namespace intrinsic = llvm::Intrinsic;

/// Those that LLVM makes an instruction of OpenCL.std or of SPIR-V itself, with the same meaning.
bool is_taken(llvm::Intrinsic::ID id) {
  switch (id) {
    case intrinsic::fabs:
    case intrinsic::sqrt:
    case intrinsic::exp:
    case intrinsic::exp2:
    case intrinsic::log:
    case intrinsic::log2:
    case intrinsic::log10:
    case intrinsic::sin:
    case intrinsic::cos:
    case intrinsic::tan:
    case intrinsic::tanh:
    case intrinsic::pow:
    case intrinsic::powi:
    case intrinsic::fma:
    case intrinsic::floor:
    case intrinsic::ceil:
    case intrinsic::trunc:
    case intrinsic::rint:
    case intrinsic::nearbyint:
    case intrinsic::round:
    case intrinsic::roundeven:
    case intrinsic::copysign:
    case intrinsic::minnum:
    case intrinsic::maxnum:
    case intrinsic::abs:
    case intrinsic::smin:
    case intrinsic::smax:
    case intrinsic::umin:
    case intrinsic::umax:
    case intrinsic::ctpop:
    case intrinsic::ctlz:
    case intrinsic::cttz:
    case intrinsic::bswap:
    case intrinsic::fshl:
    case intrinsic::fshr:
    case intrinsic::scmp:
    case intrinsic::ucmp:
    case intrinsic::uadd_sat:
    case intrinsic::usub_sat:
    case intrinsic::sadd_sat:
    case intrinsic::ssub_sat:
      return true;
    default:
      return false;
  }
}

/// The lesser, or greater, of two numbers: a NaN loses, and -0 is less than +0.
llvm::Value* expand_minimum(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y, bool least) {
  llvm::Type* bits = b.getIntNTy(x->getType()->getScalarSizeInBits());
  llvm::Value* xi = b.CreateBitCast(x, bits);
  llvm::Value* yi = b.CreateBitCast(y, bits);
  llvm::Value* equal = b.CreateBitCast(least ? b.CreateOr(xi, yi) : b.CreateAnd(xi, yi), x->getType());
  llvm::Value* first = least ? b.CreateFCmpOLT(x, y) : b.CreateFCmpOGT(x, y);
  llvm::Value* r = b.CreateSelect(first, x, y);
  r = b.CreateSelect(b.CreateFCmpOEQ(x, y), equal, r);
  return b.CreateSelect(b.CreateFCmpUNO(y, y), x, r);  // x is NaN: no comparison held, and y was taken
}

/// From floating point to integer, saturating, NaN to 0.
llvm::Value* expand_saturating(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Type* to, bool is_signed) {
  const unsigned width = to->getIntegerBitWidth();
  const llvm::APInt least = is_signed ? llvm::APInt::getSignedMinValue(width) : llvm::APInt(width, 0);
  const llvm::APInt most = is_signed ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width);
  // The first power of two that is too great is a number of both types.
  llvm::APFloat bound(x->getType()->getFltSemantics(), 1);
  bound = llvm::scalbn(bound, static_cast<int>(is_signed ? width - 1 : width), llvm::APFloat::rmNearestTiesToEven);
  llvm::Value* above = b.CreateFCmpOGE(x, llvm::ConstantFP::get(x->getType(), bound));
  llvm::Value* below = nullptr;
  if (is_signed) {
    bound.changeSign();
    below = b.CreateFCmpOLT(x, llvm::ConstantFP::get(x->getType(), bound));
  } else {
    below = b.CreateFCmpOLT(x, llvm::ConstantFP::get(x->getType(), 0.0));
  }
  llvm::Value* unusual = b.CreateOr(b.CreateOr(above, below), b.CreateFCmpUNO(x, x));
  llvm::Value* inside = b.CreateSelect(unusual, llvm::ConstantFP::get(x->getType(), 0.0), x);
  llvm::Value* r = is_signed ? b.CreateFPToSI(inside, to) : b.CreateFPToUI(inside, to);
  r = b.CreateSelect(above, llvm::ConstantInt::get(to, most), r);
  return b.CreateSelect(below, llvm::ConstantInt::get(to, least), r);
}

/// x * 2^n by OpenCL's function, which the back end knows by its name.
llvm::Value* expand_ldexp(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* n, llvm::Module& module) {
  const char* name = x->getType()->isFloatTy() ? "_Z5ldexpfi" : "_Z5ldexpdi";
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(x->getType(), {x->getType(), b.getInt32Ty()}, false));
  llvm::cast<llvm::Function>(callee.getCallee())->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  llvm::CallInst* call = b.CreateCall(callee, {x, b.CreateSExtOrTrunc(n, b.getInt32Ty())});
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

/// {result, whether it left the type}.
llvm::Value* expand_overflow(llvm::IRBuilder<>& b, llvm::Intrinsic::ID id, llvm::Value* x, llvm::Value* y,
                             llvm::Type* pair) {
  llvm::Value* zero = llvm::ConstantInt::get(x->getType(), 0);
  const bool plus = id == intrinsic::uadd_with_overflow || id == intrinsic::sadd_with_overflow;
  llvm::Value* r = plus ? b.CreateAdd(x, y) : b.CreateSub(x, y);
  llvm::Value* left = nullptr;
  if (id == intrinsic::uadd_with_overflow)
    left = b.CreateICmpULT(r, x);
  else if (id == intrinsic::usub_with_overflow)
    left = b.CreateICmpULT(x, y);
  else if (plus)
    left = b.CreateXor(b.CreateICmpSLT(r, x), b.CreateICmpSLT(y, zero));
  else
    left = b.CreateXor(b.CreateICmpSLT(r, x), b.CreateICmpSGT(y, zero));
  return b.CreateInsertValue(b.CreateInsertValue(llvm::PoisonValue::get(pair), r, 0), left, 1);
}

/// What stands for the call, null if nothing does.
llvm::Value* replacement(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> b(&call);
  if (llvm::isa<llvm::FPMathOperator>(call)) b.setFastMathFlags(call.getFastMathFlags());
  const auto id = call.getIntrinsicID();
  switch (id) {
    case intrinsic::minimumnum:
    case intrinsic::maximumnum:
      return expand_minimum(b, call.getArgOperand(0), call.getArgOperand(1), id == intrinsic::minimumnum);
    case intrinsic::fptosi_sat:
    case intrinsic::fptoui_sat:
      return expand_saturating(b, call.getArgOperand(0), call.getType(), id == intrinsic::fptosi_sat);
    case intrinsic::ldexp:
      return expand_ldexp(b, call.getArgOperand(0), call.getArgOperand(1), *call.getModule());
    case intrinsic::uadd_with_overflow:
    case intrinsic::usub_with_overflow:
    case intrinsic::sadd_with_overflow:
    case intrinsic::ssub_with_overflow:
      return expand_overflow(b, id, call.getArgOperand(0), call.getArgOperand(1), call.getType());
    default:
      return nullptr;
  }
}

[[noreturn]] void refuse(const llvm::Function& f, const std::string& what) {
  throw error(error_code::unsupported,
              fmt::format("kernel '{}': SPIR-V has no {}, which LLVM's optimiser has made of the kernel; please report "
                          "this kernel, or write it another way",
                          f.getName().str(), what));
}

std::string text_of(const llvm::Type& type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

void check_type(const llvm::Function& f, const llvm::Type* type) {
  if (const auto* parts = llvm::dyn_cast<llvm::StructType>(type)) {
    for (const llvm::Type* part : parts->elements()) check_type(f, part);
    return;
  }
  if (type->isFloatTy() || type->isDoubleTy() || type->isPointerTy() || type->isVoidTy() || type->isLabelTy() ||
      type->isMetadataTy() || type->isIntegerTy(1) || type->isIntegerTy(8) || type->isIntegerTy(16) ||
      type->isIntegerTy(32) || type->isIntegerTy(64))
    return;
  refuse(f, fmt::format("values of type {}", text_of(*type)));
}

void check(const llvm::Instruction& i) {
  const llvm::Function& f = *i.getFunction();
  check_type(f, i.getType());
  for (const llvm::Use& operand : i.operands()) check_type(f, operand->getType());
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) {
    using kind = llvm::AtomicRMWInst;
    switch (exchange->getOperation()) {
      case kind::Xchg:
      case kind::Add:
      case kind::Sub:
      case kind::And:
      case kind::Or:
      case kind::Xor:
      case kind::Max:
      case kind::Min:
      case kind::UMax:
      case kind::UMin:
        return;
      default:
        refuse(f, fmt::format("atomic operation {}", kind::getOperationName(exchange->getOperation()).str()));
    }
  }
  switch (i.getOpcode()) {
    case llvm::Instruction::IndirectBr:
    case llvm::Instruction::Invoke:
    case llvm::Instruction::CallBr:
    case llvm::Instruction::Resume:
    case llvm::Instruction::LandingPad:
    case llvm::Instruction::VAArg:
      refuse(f, fmt::format("instruction {}", i.getOpcodeName()));
    default:
      return;
  }
}

}  // namespace

void legalize_for_spirv(llvm::Module& module) {
  for (const llvm::GlobalVariable& g : module.globals())
    throw error(error_code::unsupported, fmt::format("kernel '{}': SPIR-V takes no constant in memory ('{}')",
                                                     module.getName().str(), g.getName().str()));
  llvm::SmallVector<llvm::IntrinsicInst*, 16> calls;
  for (llvm::Function& f : module)
    for (llvm::Instruction& i : llvm::instructions(f))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) calls.push_back(call);
  for (llvm::IntrinsicInst* call : calls) {
    const auto id = call->getIntrinsicID();
    if (is_taken(id)) continue;
    if (call->getType()->isVoidTy() && (call->isAssumeLikeIntrinsic() || llvm::isa<llvm::DbgInfoIntrinsic>(call))) {
      call->eraseFromParent();  // hints
      continue;
    }
    llvm::Value* instead = replacement(*call);
    if (instead == nullptr) refuse(*call->getFunction(), fmt::format("{}", intrinsic::getBaseName(id).str()));
    instead->takeName(call);
    call->replaceAllUsesWith(instead);
    call->eraseFromParent();
  }
  for (const llvm::Function& f : module)
    for (const llvm::Instruction& i : llvm::instructions(f)) check(i);
}

}  // namespace selvage::inline v0::codegen
