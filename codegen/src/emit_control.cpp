// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, conditions, loops and folds. Variables are stack slots, which LLVM's SROA turns into values.
#include "emitter.hpp"

#include <selvage/ir/meaning.hpp>

#include <fmt/format.h>

#include <type_traits>

namespace selvage::inline v0::codegen {

llvm::Value* emitter::declare_variable(std::uint32_t index) {
  const ir::node& n = image_.nodes[index];
  llvm::Type* type = type_of(n.type);
  llvm::IRBuilder<> at_entry(entry_, entry_->begin());
  llvm::AllocaInst* slot = at_entry.CreateAlloca(type, nullptr, fmt::format("variable.{}", index));
  // The slot is one for all work-items that a call visits: without a first value of its own, one would see its
  // predecessor's.
  builder_.CreateStore(n.arity > 0 ? operand(n, 0) : llvm::Constant::getNullValue(type), slot);
  return slot;
}

emitter::region& emitter::region_of(std::uint32_t opening) {
  for (region& r : regions_)
    if (r.opening == opening) return r;
  llvm_unreachable("ir::check_structure has found the region");
}

llvm::Value* emitter::open_loop(loop& l, llvm::Value* first, llvm::Value* last, llvm::Value* step,
                                const std::string& name, bool signed_index) {
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  l.header = new_block(name + ".header");
  l.latch = new_block(name + ".latch");
  l.exit = new_block(name + ".exit");
  llvm::BasicBlock* body = new_block(name + ".body");
  builder_.CreateBr(l.header);
  builder_.SetInsertPoint(l.header);
  l.index = builder_.CreatePHI(first->getType(), 2, name);
  l.index->addIncoming(first, before);
  builder_.CreateCondBr(signed_index ? builder_.CreateICmpSLT(l.index, last) : builder_.CreateICmpULT(l.index, last),
                        body, l.exit);
  llvm::IRBuilder<> at_latch(l.latch);
  l.index->addIncoming(at_latch.CreateAdd(l.index, step, name + ".next", !signed_index, signed_index), l.latch);
  builder_.SetInsertPoint(body);
  return l.index;
}

llvm::BranchInst* emitter::close_loop(loop& l) {
  builder_.CreateBr(l.latch);
  builder_.SetInsertPoint(l.latch);
  llvm::BranchInst* back = builder_.CreateBr(l.header);
  builder_.SetInsertPoint(l.exit);
  return back;
}

void emitter::open(std::uint32_t index) {
  using op = ir::operation;
  const ir::node& n = image_.nodes[index];
  region& r = regions_.emplace_back();
  r.opening = index;
  if (n.code == op::for_) return open_for(r, index);
  if (n.code == op::fold) return open_fold(r, index);
  if (n.code == op::while_) {
    r.around.header = new_block("while.header");
    r.around.latch = r.around.header;
    r.around.exit = new_block("while.exit");
    builder_.CreateBr(r.around.header);
    builder_.SetInsertPoint(r.around.header);
    return;
  }
  const std::string name = n.code == op::if_ ? "if" : "choose";
  llvm::BasicBlock* then = new_block(name + ".then");
  r.otherwise = new_block(name + ".else");
  r.after = new_block(name + ".end");
  builder_.CreateCondBr(operand(n, 0), then, r.otherwise);
  builder_.SetInsertPoint(then);
}

void emitter::part() {
  region& r = regions_.back();
  builder_.CreateBr(r.after);
  builder_.SetInsertPoint(r.otherwise);
  r.otherwise = nullptr;
}

void emitter::test(const ir::node& n) {
  llvm::BasicBlock* body = new_block("while.body");
  builder_.CreateCondBr(operand(n, 1), body, regions_.back().around.exit);
  builder_.SetInsertPoint(body);
}

void emitter::yield(const ir::node& n) {
  region_of(image_.operand(n, 0)).yields.emplace_back(operand(n, 1), builder_.GetInsertBlock());
}

llvm::Value* emitter::close(const ir::node& n) {
  using op = ir::operation;
  region r = std::move(regions_.back());
  regions_.pop_back();
  switch (image_.nodes[r.opening].code) {
    case op::fold:
      return close_fold(r, n.type);
    case op::for_:
      close_loop(r.around);
      return nullptr;
    case op::while_:
      builder_.CreateBr(r.around.header);
      builder_.SetInsertPoint(r.around.exit);
      return nullptr;
    default:
      return close_conditional(r, n.type);
  }
}

llvm::Value* emitter::close_conditional(region& r, ir::type t) {
  builder_.CreateBr(r.after);
  if (r.otherwise != nullptr) {
    builder_.SetInsertPoint(r.otherwise);
    builder_.CreateBr(r.after);
  }
  builder_.SetInsertPoint(r.after);
  if (r.yields.empty()) return nullptr;
  llvm::PHINode* value = builder_.CreatePHI(type_of(t), 2, "choose");
  for (const auto& [yielded, from] : r.yields) value->addIncoming(yielded, from);
  return value;
}

/// meaning::trip_count, without its division where the step is a literal (LLVM's own affair then).
llvm::Value* emitter::trip_count(llvm::Value* begin, llvm::Value* end, llvm::Value* step) {
  llvm::IRBuilder<>& b = builder_;
  llvm::ConstantInt* zero = b.getInt64(0);
  llvm::ConstantInt* one = b.getInt64(1);
  llvm::Value* any = b.CreateAnd(b.CreateICmpSLT(begin, end), b.CreateICmpSGT(step, zero), "any");
  llvm::Value* divisor = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, step, one);
  llvm::Value* last = b.CreateUDiv(b.CreateSub(b.CreateSub(end, begin), one), divisor, "last");
  return b.CreateSelect(any, b.CreateAdd(last, one), zero, "trips");
}

void emitter::open_for(region& r, std::uint32_t index) {
  const ir::node& n = image_.nodes[index];
  llvm::IRBuilder<>& b = builder_;
  llvm::Value* begin = operand(n, 0);
  llvm::Value* end = operand(n, 1);
  llvm::Value* step = operand(n, 2);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(step);
  if (known != nullptr && known->isOne()) {
    values_[index] = open_loop(r.around, begin, end, step, "for");
    return;
  }
  // begin + step may leave 64 bits behind the last iteration, so iterations are counted: count * step stays below
  // end - begin, as an unsigned number.
  llvm::Value* count = open_loop(r.around, b.getInt64(0), trip_count(begin, end, step), b.getInt64(1), "for.count",
                                 /*signed_index=*/false);
  values_[index] = b.CreateAdd(begin, b.CreateMul(count, step, "", /*nuw=*/true), "for");
}

void emitter::open_fold(region& r, std::uint32_t index) {
  const ir::node& n = image_.nodes[index];
  const auto kind = static_cast<ir::fold_kind>(n.attribute);
  // The accumulator's type is that of the fold's value, which is its `end`, further on.
  ir::type t = ir::type::none;
  for (std::uint32_t k = index + 1; t == ir::type::none; ++k)
    if (image_.nodes[k].code == ir::operation::end && image_.operand(image_.nodes[k], 0) == index)
      t = image_.nodes[k].type;
  llvm::Value* first = nullptr;
  if (kind == ir::fold_kind::ordered) {
    first = operand(n, 2);
  } else {
    ir::with_type(t, [&]<class T>() { first = literal(t, ir::to_bits(ir::meaning::identity<T>(kind))); });
  }
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  values_[index] = open_loop(r.around, operand(n, 0), operand(n, 1), builder_.getInt64(1), "fold");
  llvm::IRBuilder<> at_header(r.around.header, r.around.header->begin());
  r.accumulator = at_header.CreatePHI(type_of(t), 2, fmt::format("fold.{}", name(kind)));
  r.accumulator->addIncoming(first, before);
}

llvm::Value* emitter::close_fold(region& r, ir::type t) {
  const auto kind = static_cast<ir::fold_kind>(image_.nodes[r.opening].attribute);
  llvm::Value* item = r.yields.front().first;
  r.accumulator->addIncoming(combine(kind, t, r.accumulator, item), r.around.latch);
  close_loop(r.around);
  return r.accumulator;
}

llvm::Value* emitter::combine(ir::fold_kind kind, ir::type t, llvm::Value* a, llvm::Value* b) {
  using fold = ir::fold_kind;
  namespace intrinsic = llvm::Intrinsic;
  const bool f = ir::is_float(t);
  const bool s = ir::is_signed(t);
  // Any order and grouping is right, so this operation alone may be reassociated.
  llvm::IRBuilder<>::FastMathFlagGuard restore(builder_);
  llvm::FastMathFlags any_order = flags();
  any_order.setAllowReassoc();
  builder_.setFastMathFlags(any_order);
  switch (kind) {
    case fold::sum:
      return f ? builder_.CreateFAdd(a, b) : builder_.CreateAdd(a, b);
    case fold::product:
      return f ? builder_.CreateFMul(a, b) : builder_.CreateMul(a, b);
    case fold::minimum:
      return builder_.CreateBinaryIntrinsic(f ? intrinsic::minimumnum : s ? intrinsic::smin : intrinsic::umin, a, b);
    case fold::maximum:
      return builder_.CreateBinaryIntrinsic(f ? intrinsic::maximumnum : s ? intrinsic::smax : intrinsic::umax, a, b);
    case fold::any:
      return builder_.CreateOr(a, b);
    case fold::all:
      return builder_.CreateAnd(a, b);
    case fold::ordered:
      return b;
  }
  llvm_unreachable("ir::check_structure has checked the kind");
}

}  // namespace selvage::inline v0::codegen
