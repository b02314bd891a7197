// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pure values: operation by class of type -> instruction. Each means exactly what ir/meaning.hpp says; where LLVM's own
// instruction leaves something undefined (division, shifts, conversions), what is defined is built around it.
#include "emitter.hpp"

namespace selvage::inline v0::codegen {

using llvm::Intrinsic::ID;
namespace intrinsic = llvm::Intrinsic;

llvm::Value* emitter::literal(ir::type t, std::uint64_t bits) {
  if (t == ir::type::float32) {
    const llvm::APInt pattern(32, bits & 0xffffffffU);
    return llvm::ConstantFP::get(context_, llvm::APFloat(llvm::APFloat::IEEEsingle(), pattern));
  }
  if (t == ir::type::float64)
    return llvm::ConstantFP::get(context_, llvm::APFloat(llvm::APFloat::IEEEdouble(), llvm::APInt(64, bits)));
  const auto width = static_cast<unsigned>(properties(t).bits);
  if (t == ir::type::boolean) bits = bits != 0 ? 1 : 0;
  return llvm::ConstantInt::get(context_, llvm::APInt(width, bits, false, /*implicitTrunc=*/true));
}

llvm::Value* emitter::arithmetic(std::uint32_t index) {
  using op = ir::operation;
  const ir::node& n = image_.nodes[index];
  llvm::IRBuilder<>& b = builder_;
  llvm::Value* x = n.arity > 0 ? operand(n, 0) : nullptr;
  llvm::Value* y = n.arity > 1 ? operand(n, 1) : nullptr;
  llvm::Value* z = n.arity > 2 ? operand(n, 2) : nullptr;
  const ir::type t = n.arity > 0 ? image_.operand_node(n, 0).type : n.type;  // of the operands
  const bool f = ir::is_float(t);
  const bool s = ir::is_signed(t);
  const bool nsw = index_arithmetic_[index];
  const auto masked = [&] {
    const auto width = static_cast<std::uint64_t>(properties(t).bits);
    return b.CreateAnd(y, llvm::ConstantInt::get(y->getType(), width - 1), "amount");
  };
  const auto either = [&](ID if_float, ID if_signed, ID if_unsigned) {
    return b.CreateBinaryIntrinsic(f ? if_float : s ? if_signed : if_unsigned, x, y);
  };

  switch (n.code) {
    case op::negate:
      return f ? b.CreateFNeg(x) : b.CreateNeg(x, "", nsw);
    case op::logical_not:
    case op::bit_not:
      return b.CreateNot(x);
    case op::absolute:
      if (f) return b.CreateUnaryIntrinsic(intrinsic::fabs, x);
      return s ? b.CreateBinaryIntrinsic(intrinsic::abs, x, /*is_int_min_poison=*/b.getFalse()) : x;
    case op::square_root:
    case op::reciprocal_square_root:
    case op::round_down:
    case op::round_up:
    case op::round_nearest:
    case op::round_even:
    case op::round_to_zero:
      return math(n.code, t, {x});
    case op::copy_sign:
      return b.CreateBinaryIntrinsic(intrinsic::copysign, x, y);
#define SELVAGE_ROW(X, name, word, arity) case op::name:
      SELVAGE_FUNCTIONS(SELVAGE_ROW, )
#undef SELVAGE_ROW
      if (n.arity == 2) return math(n.code, t, {x, y});
      return math(n.code, t, {x});
    case op::fused_multiply_add:
      return math(n.code, t, {x, y, z});
    case op::cast:
      return convert(x, t, n.type);
    case op::add:
      return f ? b.CreateFAdd(x, y) : b.CreateAdd(x, y, "", /*nuw=*/false, nsw);
    case op::subtract:
      return f ? b.CreateFSub(x, y) : b.CreateSub(x, y, "", /*nuw=*/false, nsw);
    case op::multiply:
      return f ? b.CreateFMul(x, y) : b.CreateMul(x, y, "", /*nuw=*/false, nsw);
    case op::divide:
      return f ? b.CreateFDiv(x, y) : quotient(n, x, y);
    case op::remainder:
      return quotient(n, x, y);
    case op::minimum:
      return either(intrinsic::minimumnum, intrinsic::smin, intrinsic::umin);
    case op::maximum:
      return either(intrinsic::maximumnum, intrinsic::smax, intrinsic::umax);
    case op::bit_and:
    case op::logical_and:
      return b.CreateAnd(x, y);
    case op::bit_or:
    case op::logical_or:
      return b.CreateOr(x, y);
    case op::bit_xor:
      return b.CreateXor(x, y);
    case op::shift_left:
      return b.CreateShl(x, masked());
    case op::shift_right:
      return s ? b.CreateAShr(x, masked()) : b.CreateLShr(x, masked());
    case op::equal:
      return f ? b.CreateFCmpOEQ(x, y) : b.CreateICmpEQ(x, y);
    case op::not_equal:
      return f ? b.CreateFCmpUNE(x, y) : b.CreateICmpNE(x, y);
    case op::less:
      return f ? b.CreateFCmpOLT(x, y) : s ? b.CreateICmpSLT(x, y) : b.CreateICmpULT(x, y);
    case op::less_equal:
      return f ? b.CreateFCmpOLE(x, y) : s ? b.CreateICmpSLE(x, y) : b.CreateICmpULE(x, y);
    case op::select:
      return b.CreateSelect(x, y, z);
    default:
      llvm_unreachable("emit_node sends only pure values here");
  }
}

/// Integer quotient and remainder. LLVM's are undefined for a zero divisor and for lowest / -1. Where the divisor may
/// be one of these, the instruction divides by 1 instead, and its result is replaced or happens to be right.
llvm::Value* emitter::quotient(const ir::node& n, llvm::Value* x, llvm::Value* y) {
  llvm::IRBuilder<>& b = builder_;
  const bool division = n.code == ir::operation::divide;
  const bool s = ir::is_signed(n.type);
  llvm::Type* type = x->getType();
  llvm::Constant* one = llvm::ConstantInt::get(type, 1);
  const auto divided_by = [&](llvm::Value* divisor) {
    if (division) return s ? b.CreateSDiv(x, divisor) : b.CreateUDiv(x, divisor);
    return s ? b.CreateSRem(x, divisor) : b.CreateURem(x, divisor);
  };
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(y);
      known && !known->isZero() && !(s && known->isMinusOne()))
    return divided_by(y);

  llvm::Value* zero = b.CreateICmpEQ(y, llvm::ConstantInt::get(type, 0), "divisor.zero");
  llvm::Value* minus_one =
      s ? b.CreateICmpEQ(y, llvm::ConstantInt::getSigned(type, -1), "divisor.minus_one") : b.getFalse();
  llvm::Value* result = divided_by(b.CreateSelect(b.CreateOr(zero, minus_one), one, y, "divisor"));
  if (!division) return b.CreateSelect(zero, x, result);  // x % 1 = 0 = x % -1
  if (s) result = b.CreateSelect(minus_one, b.CreateNeg(x), result);
  return b.CreateSelect(zero, llvm::ConstantInt::get(type, 0), result);
}

llvm::Value* emitter::convert(llvm::Value* x, ir::type from, ir::type to) {
  llvm::IRBuilder<>& b = builder_;
  llvm::Type* type = type_of(to);
  if (from == to) return x;
  if (to == ir::type::boolean) {
    llvm::Constant* zero = llvm::Constant::getNullValue(x->getType());
    return ir::is_float(from) ? b.CreateFCmpUNE(x, zero) : b.CreateICmpNE(x, zero);
  }
  if (ir::is_float(from)) {
    if (ir::is_float(to)) return b.CreateFPCast(x, type);
    const ID saturating = ir::is_signed(to) ? intrinsic::fptosi_sat : intrinsic::fptoui_sat;
    return b.CreateIntrinsic(saturating, {type, x->getType()}, {x});
  }
  if (ir::is_float(to)) return ir::is_signed(from) ? b.CreateSIToFP(x, type) : b.CreateUIToFP(x, type);
  return b.CreateIntCast(x, type, ir::is_signed(from));
}

}  // namespace selvage::inline v0::codegen
