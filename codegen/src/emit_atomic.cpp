// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on elements: an instruction where LLVM has one that means the same, else a loop of
// compare-exchanges.
//
// All are relaxed: they order nothing but the accesses to their own element. Their scope is the device.
#include "emitter.hpp"

namespace selvage::inline v0::codegen {
namespace {

using kind = ir::atomic_kind;
using rmw = llvm::AtomicRMWInst;
constexpr auto relaxed = llvm::AtomicOrdering::Monotonic;

/// LLVM's instruction of the same meaning; BAD_BINOP if there is none. (Its fmin and fmax leave the sign of zero open.)
rmw::BinOp instruction_of(kind what, ir::type t) {
  const bool f = ir::is_float(t);
  const bool s = ir::is_signed(t);
  switch (what) {
    case kind::add:
      return f ? rmw::FAdd : rmw::Add;
    case kind::minimum:
      return f ? rmw::BAD_BINOP : s ? rmw::Min : rmw::UMin;
    case kind::maximum:
      return f ? rmw::BAD_BINOP : s ? rmw::Max : rmw::UMax;
    case kind::bit_and:
      return rmw::And;
    case kind::bit_or:
      return rmw::Or;
    case kind::bit_xor:
      return rmw::Xor;
    case kind::exchange:
      return rmw::Xchg;
    case kind::compare_exchange:
      return rmw::BAD_BINOP;
  }
  return rmw::BAD_BINOP;
}

}  // namespace

llvm::SyncScope::ID emitter::device_scope() {
  return context_.getOrInsertSyncScopeID(llvm::StringRef(target_.device_scope().data(), target_.device_scope().size()));
}

llvm::Value* emitter::atomic(std::uint32_t index) {
  const ir::node& n = image_.nodes[index];
  llvm::IRBuilder<>& b = builder_;
  guard(index);
  llvm::Value* at = address(n);
  const auto what = static_cast<kind>(n.bits);
  if (what == kind::compare_exchange) return exchange_if_same(n, at);
  const rmw::BinOp instruction = instruction_of(what, n.type);
  const bool f = ir::is_float(n.type);
  if (instruction == rmw::BAD_BINOP || (f && !target_.has_float_atomics())) return exchange_until_same(n, at);
  const llvm::MaybeAlign alignment(static_cast<std::uint64_t>(properties(n.type).bytes));
  return b.CreateAtomicRMW(instruction, at, operand(n, n.arity - 1U), alignment, relaxed, device_scope());
}

/// Compares bits, as std::atomic does.
llvm::Value* emitter::exchange_if_same(const ir::node& n, llvm::Value* at) {
  llvm::IRBuilder<>& b = builder_;
  llvm::Type* bits = b.getIntNTy(static_cast<unsigned>(properties(n.type).bits));
  llvm::Value* expected = b.CreateBitCast(operand(n, n.arity - 2U), bits);
  llvm::Value* desired = b.CreateBitCast(operand(n, n.arity - 1U), bits);
  const llvm::MaybeAlign alignment(static_cast<std::uint64_t>(properties(n.type).bytes));
  llvm::Value* pair = b.CreateAtomicCmpXchg(at, expected, desired, alignment, relaxed, relaxed, device_scope());
  return b.CreateBitCast(b.CreateExtractValue(pair, 0), type_of(n.type), "before");
}

llvm::Value* emitter::exchange_until_same(const ir::node& n, llvm::Value* at) {
  llvm::IRBuilder<>& b = builder_;
  llvm::Type* bits = b.getIntNTy(static_cast<unsigned>(properties(n.type).bits));
  llvm::Value* value = operand(n, n.arity - 1U);
  const llvm::Align alignment(static_cast<std::uint64_t>(properties(n.type).bytes));
  llvm::LoadInst* first = b.CreateAlignedLoad(bits, at, alignment, "first");
  first->setAtomic(relaxed, device_scope());
  llvm::BasicBlock* from = b.GetInsertBlock();
  llvm::BasicBlock* again = new_block("again");
  llvm::BasicBlock* done = new_block("exchanged");
  b.CreateBr(again);

  b.SetInsertPoint(again);
  llvm::PHINode* seen = b.CreatePHI(bits, 2, "seen");
  seen->addIncoming(first, from);
  llvm::Value* before = b.CreateBitCast(seen, type_of(n.type), "before");
  llvm::Value* after = value;
  switch (static_cast<kind>(n.bits)) {
    case kind::add:
      after = b.CreateFAdd(before, value);
      break;
    case kind::minimum:
      after = b.CreateBinaryIntrinsic(llvm::Intrinsic::minimumnum, before, value);
      break;
    case kind::maximum:
      after = b.CreateBinaryIntrinsic(llvm::Intrinsic::maximumnum, before, value);
      break;
    case kind::exchange:
      break;
    default:
      llvm_unreachable("has an instruction on every target");
  }
  llvm::Value* pair =
      b.CreateAtomicCmpXchg(at, seen, b.CreateBitCast(after, bits), alignment, relaxed, relaxed, device_scope());
  seen->addIncoming(b.CreateExtractValue(pair, 0), b.GetInsertBlock());
  b.CreateCondBr(b.CreateExtractValue(pair, 1), done, again);
  b.SetInsertPoint(done);
  return before;
}

}  // namespace selvage::inline v0::codegen
