// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses: addresses of elements, guards, and the record of the first failed access.
#include "emitter.hpp"

#include <selvage/ir/fault.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>

namespace selvage::inline v0::codegen {

llvm::Value* emitter::from_memory(llvm::Value* stored, ir::type t) {
  if (t != ir::type::boolean) return stored;
  return builder_.CreateICmpNE(stored, builder_.getInt8(0), stored->getName() + ".bool");
}

llvm::Value* emitter::to_memory(llvm::Value* value) {
  if (!value->getType()->isIntegerTy(1)) return value;
  return builder_.CreateZExt(value, builder_.getInt8Ty());
}

void emitter::annotate(llvm::Instruction* access) {
  if (access_group_ != nullptr) access->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
}

llvm::Value* emitter::load(std::uint32_t index) {
  const ir::node& n = image_.nodes[index];
  const ir::parameter& p = image_.parameters[n.attribute];
  guard(index);
  llvm::Type* type = memory_type_of(p.element);
  const llvm::Align alignment(static_cast<std::uint64_t>(properties(p.element).bytes));
  llvm::LoadInst* loaded =
      builder_.CreateAlignedLoad(type, address(n), alignment, fmt::format("load.a{}", n.attribute));
  annotate(loaded);
  // Nobody writes an `in` argument while the kernel runs: the launch refuses overlaps and orders launches by buffer.
  if (p.mode == ir::access::in && (p.flags & ir::parameter_flags::shared) == 0)
    loaded->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
  return from_memory(loaded, p.element);
}

void emitter::store(std::uint32_t index) {
  const ir::node& n = image_.nodes[index];
  guard(index);
  llvm::Value* value = to_memory(operand(n, n.arity - 1U));
  const llvm::Align alignment(static_cast<std::uint64_t>(properties(n.type).bytes));
  annotate(builder_.CreateAlignedStore(value, address(n), alignment));
}

/// A coordinate i + c with a small literal c, split: neighbours in a stencil then have the part of i in common. (LLVM
/// would rather make i*n + 2*n into (i + 2)*n, which costs a multiplication a neighbour.)
emitter::split_coordinate emitter::split(std::uint32_t coordinate) {
  constexpr std::int64_t small = 4096;
  const ir::node& n = image_.nodes[coordinate];
  const bool sum = n.code == ir::operation::add;
  if (sum || n.code == ir::operation::subtract) {
    for (std::uint32_t k = sum ? 0 : 1; k < 2; ++k) {
      const ir::node& c = image_.operand_node(n, k);
      const auto literal = static_cast<std::int64_t>(c.bits);
      if (c.code != ir::operation::literal || literal > small || literal < -small) continue;
      const split_coordinate rest = split(image_.operand(n, 1 - k));
      return {rest.moving, rest.shift + (sum ? literal : -literal)};
    }
  }
  return {values_[coordinate], 0};
}

/// The element's address where distances fit into 31 bits: modulo 2^32 they are exact whatever wraps on the way. The
/// literal of a coordinate whose stride is 1 is added last, for instructions have room for such a one.
llvm::Value* emitter::narrow_address(const ir::node& access, llvm::ArrayRef<split_coordinate> parts,
                                     const std::string& name) {
  llvm::IRBuilder<>& b = builder_;
  const argument& a = arguments_[access.attribute];
  const ir::parameter& p = image_.parameters[access.attribute];
  llvm::Type* bits = b.getInt32Ty();
  llvm::Value* distance = b.getInt32(0);
  std::int64_t last = 0;
  for (std::uint32_t d = 0; d < p.rank; ++d) {
    llvm::Value* part = b.CreateTrunc(parts[d].moving, bits, "part");
    if (variant_.contiguous && d + 1U == p.rank) {
      last = parts[d].shift;
    } else {
      part = b.CreateAdd(part, b.getInt32(static_cast<std::uint32_t>(parts[d].shift)));
      part = b.CreateMul(part, a.strides[d], "part");
    }
    distance = b.CreateAdd(distance, part, "distance");
  }
  llvm::Type* type = memory_type_of(p.element);
  llvm::Value* at = b.CreateGEP(type, a.value, b.CreateSExt(distance, b.getInt64Ty()), name);
  return last == 0 ? at : b.CreateGEP(type, at, b.getInt64(static_cast<std::uint64_t>(last)), name);
}

/// The element's address. Its coordinates are in bounds (by a guard, or by the launch's proof), and a view's elements
/// lie in one allocation of less than 2^63 bytes; so no step of this arithmetic wraps. Strides may be negative, though,
/// but for those of the contiguous variant, which bind_fields has made of the extents. A sum of products, not nested:
/// so LLVM sees what neighbouring elements have in common.
llvm::Value* emitter::address(const ir::node& access) {
  llvm::IRBuilder<>& b = builder_;
  const argument& a = arguments_[access.attribute];
  const ir::parameter& p = image_.parameters[access.attribute];
  if (p.rank == 0) return a.value;
  const std::string name = fmt::format("at.a{}", access.attribute);
  const auto unit = [&](std::uint32_t d) { return variant_.contiguous && d + 1U == p.rank; };

  std::array<split_coordinate, ir::maximum_rank> parts{};
  bool shifted = false;
  for (std::uint32_t d = 0; d < p.rank; ++d) {
    parts[d] = split(image_.operand(access, d));
    shifted = shifted || (parts[d].shift != 0 && !unit(d));
  }
  if (variant_.narrow) return narrow_address(access, llvm::ArrayRef(parts.data(), p.rank), name);
  if (shifted) {  // two steps, of which the first may be outside the allocation
    llvm::Value* moving = nullptr;
    llvm::Value* shift = nullptr;
    for (std::uint32_t d = 0; d < p.rank; ++d) {
      llvm::Value* c = b.getInt64(static_cast<std::uint64_t>(parts[d].shift));
      llvm::Value* m = unit(d) ? parts[d].moving : b.CreateMul(parts[d].moving, a.strides[d], "part");
      if (!unit(d)) c = b.CreateMul(c, a.strides[d], "shift");
      moving = moving == nullptr ? m : b.CreateAdd(moving, m, "offset");
      shift = shift == nullptr ? c : b.CreateAdd(shift, c, "shift");
    }
    llvm::Type* type = memory_type_of(p.element);
    return b.CreateGEP(type, b.CreateGEP(type, a.value, moving, name + ".unshifted"), shift, name);
  }

  const bool nuw = variant_.contiguous;
  llvm::Value* offset = nullptr;
  for (std::uint32_t d = 0; d < p.rank; ++d) {
    llvm::Value* part = operand(access, d);
    if (!unit(d)) part = b.CreateMul(part, a.strides[d], "part", nuw, /*nsw=*/true);
    offset = offset == nullptr ? part : b.CreateAdd(offset, part, "offset", nuw, /*nsw=*/true);
  }
  const auto no_wrap = nuw ? llvm::GEPNoWrapFlags::inBounds() | llvm::GEPNoWrapFlags::noUnsignedWrap()
                           : llvm::GEPNoWrapFlags::inBounds();
  return b.CreateGEP(memory_type_of(p.element), a.value, offset, name, no_wrap);
}

/// Checks each coordinate by itself; a failure is remembered, and handled once for all accesses of the work-item.
void emitter::guard(std::uint32_t index) {
  const ir::node& n = image_.nodes[index];
  const ir::parameter& p = image_.parameters[n.attribute];
  if (p.rank == 0) return;
  if (!variant_.guarded && (n.flags & ir::node_flags::data_dependent) == 0) return;

  llvm::IRBuilder<>& b = builder_;
  const coordinates& extents = arguments_[n.attribute].extents;
  coordinates inside{};
  llvm::Value* all = nullptr;
  for (std::uint32_t d = 0; d < p.rank; ++d) {
    // Unsigned, so that a negative coordinate is outside too.
    inside[d] = b.CreateICmpULT(operand(n, d), extents[d], fmt::format("inside.a{}.{}", n.attribute, d));
    all = all == nullptr ? inside[d] : b.CreateAnd(all, inside[d]);
  }
  llvm::BasicBlock* failed = new_block(fmt::format("outside.a{}", n.attribute));
  llvm::BasicBlock* go_on = new_block(fmt::format("checked.a{}", n.attribute));
  b.CreateCondBr(all, go_on, failed, llvm::MDBuilder(context_).createLikelyBranchWeights());

  b.SetInsertPoint(failed);
  const std::uint32_t last = p.rank - 1U;
  failure f{failed, index, n.attribute, b.getInt32(last), operand(n, last), extents[last]};
  for (std::uint32_t d = last; d-- > 0;) {  // so that the first one outside wins
    f.dimension = b.CreateSelect(inside[d], f.dimension, b.getInt32(d));
    f.index = b.CreateSelect(inside[d], f.index, operand(n, d));
    f.extent = b.CreateSelect(inside[d], f.extent, extents[d]);
  }
  failures_.push_back(f);
  b.SetInsertPoint(go_on);
}

/// All failures of the work-item meet in one block, which records the first of the launch and ends the work-item.
void emitter::emit_failures(llvm::BasicBlock* work_item_end) {
  if (failures_.empty()) return;
  llvm::IRBuilder<>& b = builder_;
  llvm::BasicBlock* failed = new_block("failed");
  llvm::BasicBlock* record = new_block("record");
  b.SetInsertPoint(failed);
  const auto count = static_cast<unsigned>(failures_.size());
  llvm::PHINode* node = b.CreatePHI(b.getInt32Ty(), count, "failed.node");
  llvm::PHINode* parameter = b.CreatePHI(b.getInt32Ty(), count, "failed.parameter");
  llvm::PHINode* dimension = b.CreatePHI(b.getInt32Ty(), count, "failed.dimension");
  llvm::PHINode* index = b.CreatePHI(b.getInt64Ty(), count, "failed.index");
  llvm::PHINode* extent = b.CreatePHI(b.getInt64Ty(), count, "failed.extent");
  for (const failure& f : failures_) {
    node->addIncoming(b.getInt32(f.node), f.from);
    parameter->addIncoming(b.getInt32(f.parameter), f.from);
    dimension->addIncoming(f.dimension, f.from);
    index->addIncoming(f.index, f.from);
    extent->addIncoming(f.extent, f.from);
    llvm::BranchInst::Create(failed, f.from);
  }

  llvm::Value* claim = b.CreateAtomicCmpXchg(fault_, b.getInt32(0), b.getInt32(1), llvm::Align(4),
                                             llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic,
                                             device_scope());
  b.CreateCondBr(b.CreateExtractValue(claim, 1, "first"), record, work_item_end);
  b.SetInsertPoint(record);
  const auto put = [&](std::size_t offset, llvm::Value* value) {
    b.CreateStore(value, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), fault_, offset));
  };
  put(offsetof(ir::fault_record, node), node);
  put(offsetof(ir::fault_record, parameter), parameter);
  put(offsetof(ir::fault_record, dimension), dimension);
  put(offsetof(ir::fault_record, index), index);
  put(offsetof(ir::fault_record, extent), extent);
  for (std::uint32_t k = 0; k < image_.header.domain_rank; ++k)
    put(offsetof(ir::fault_record, id) + k * sizeof(std::int64_t), ids_[k]);
  b.CreateBr(work_item_end);
}

}  // namespace selvage::inline v0::codegen
