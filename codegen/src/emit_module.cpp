// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of a kernel: module, fields with their attributes, the loops or guards that give work-items, and the walk
// over the nodes.
#include "annotate.hpp"
#include "emitter.hpp"

#include <selvage/ir/structure.hpp>

#include <fmt/format.h>

namespace selvage::inline v0::codegen {

llvm::ConstantRange extent_range() {
  constexpr std::uint64_t greatest = std::uint64_t{1} << 47;
  return llvm::ConstantRange(llvm::APInt(64, 0), llvm::APInt(64, greatest + 1));
}

bool may_be_noalias(const ir::image_view& image, std::uint32_t parameter) {
  return (image.parameters[parameter].flags & ir::parameter_flags::shared) == 0;
}

emitter::emitter(const ir::image_view& image, const codegen::variant& v, const codegen::target& t,
                 llvm::LLVMContext& context)
    : image_(image),
      variant_(v),
      target_(t),
      context_(context),
      builder_(context),
      block_(block_of(image)),
      arguments_(image.parameters.size()),
      values_(image.nodes.size()),
      index_arithmetic_(image.nodes.size()) {}

std::unique_ptr<llvm::Module> emitter::emit(llvm::TargetMachine& machine, bool annotated) {
  const auto name = std::string(image_.name);
  module_ = std::make_unique<llvm::Module>(name, context_);
  module_->setTargetTriple(machine.getTargetTriple());
  module_->setDataLayout(machine.createDataLayout());
  module_->setSourceFileName(std::string(image_.file));

  builder_.setFastMathFlags(flags());
  find_index_arithmetic();
  kernel_ = target_.declare(*this);
  kernel_->addFnAttr(llvm::Attribute::NoUnwind);
  if (annotated) scope_ = make_scope(*module_, *kernel_);
  bind_fields(kernel_);
  emit_work_items(kernel_);
  target_.finish(*this, kernel_);
  return std::move(module_);
}

llvm::FastMathFlags emitter::flags() const {
  llvm::FastMathFlags f;
  if (variant_.contract) f.setAllowContract();
  if ((image_.header.options & ir::options::fast) != 0) {
    // Not `nnan` and `ninf`: with them a NaN is poison, and an index made of it would pass its guard.
    f.setAllowContract();
    f.setAllowReassoc();
    f.setAllowReciprocal();
    f.setApproxFunc();
    f.setNoSignedZeros();
  }
  return f;
}

bool emitter::shares_memory() const {
  for (const ir::parameter& p : image_.parameters)
    if ((p.flags & ir::parameter_flags::shared) != 0) return true;
  return false;
}

llvm::Type* emitter::type_of(ir::type t) {
  if (t == ir::type::float32) return builder_.getFloatTy();
  if (t == ir::type::float64) return builder_.getDoubleTy();
  return builder_.getIntNTy(static_cast<unsigned>(properties(t).bits));
}

llvm::Type* emitter::memory_type_of(ir::type t) {
  return t == ir::type::boolean ? builder_.getInt8Ty() : type_of(t);
}

llvm::Type* emitter::type_of(const argument_slot& slot) {
  using source = argument_slot::source;
  switch (slot.from) {
    case source::pointer:
    case source::fault:
    case source::scratch:
      return builder_.getPtrTy(target_.global_space());
    case source::value:
      return memory_type_of(image_.parameters[slot.parameter].element);
    case source::extent:
    case source::stride:
    case source::domain_extent:
      break;
  }
  return builder_.getInt64Ty();
}

std::vector<llvm::Type*> emitter::field_types() {
  std::vector<llvm::Type*> types;
  for (const argument_slot& slot : block_.slots) types.push_back(type_of(slot));
  return types;
}

void emitter::describe_fields(llvm::Function* function) {
  using source = argument_slot::source;
  std::vector<bool> loaded(image_.parameters.size());
  for (const ir::node& n : image_.nodes)
    if (n.code == ir::operation::load || n.code == ir::operation::atomic) loaded[n.attribute] = true;

  for (unsigned k = 0; k < block_.slots.size(); ++k) {
    const argument_slot& slot = block_.slots[k];
    llvm::AttrBuilder attributes(context_);
    attributes.addAttribute(llvm::Attribute::NoUndef);
    if (slot.from == source::pointer) {
      const ir::parameter& p = image_.parameters[slot.parameter];
      if (may_be_noalias(image_, slot.parameter)) attributes.addAttribute(llvm::Attribute::NoAlias);
      if (p.mode == ir::access::in)
        attributes.addAttribute(llvm::Attribute::ReadOnly);
      else if (!loaded[slot.parameter])
        attributes.addAttribute(llvm::Attribute::WriteOnly);
      attributes.addAttribute(llvm::Attribute::NonNull);
      attributes.addAlignmentAttr(llvm::Align(static_cast<std::uint64_t>(properties(p.element).bytes)));
    } else if (slot.from == source::fault) {
      // No `noalias`: the work-items of the launch communicate through it.
      attributes.addAttribute(llvm::Attribute::NonNull);
      attributes.addAlignmentAttr(llvm::Align(8));
    } else if (slot.from == source::extent || slot.from == source::domain_extent) {
      attributes.addRangeAttr(extent_range());
    }
    function->getArg(k)->addAttrs(attributes);
    function->getArg(k)->setName(name_of(slot));
  }
}

void emitter::bind_fields(llvm::Function* function) {
  using source = argument_slot::source;
  entry_ = llvm::BasicBlock::Create(context_, "entry", function);
  builder_.SetInsertPoint(entry_);
  for (unsigned k = 0; k < block_.slots.size(); ++k) {
    const argument_slot& slot = block_.slots[k];
    llvm::Value* field = function->getArg(k);
    switch (slot.from) {
      case source::pointer:
        arguments_[slot.parameter].value = field;
        break;
      case source::value:
        arguments_[slot.parameter].value = from_memory(field, image_.parameters[slot.parameter].element);
        break;
      case source::extent:
        arguments_[slot.parameter].extents[slot.dimension] = field;
        break;
      case source::stride:
        arguments_[slot.parameter].strides[slot.dimension] = narrowed(field);
        break;
      case source::domain_extent:
        domain_[slot.dimension] = field;
        break;
      case source::fault:
        fault_ = field;
        break;
      case source::scratch:
        break;
    }
  }
  if (!variant_.contiguous) return;
  // Row-major: the product of the extents behind. It cannot wrap where an element exists, that is, where it is used.
  for (std::uint32_t p = 0; p < arguments_.size(); ++p) {
    argument& a = arguments_[p];
    for (std::uint32_t d = image_.parameters[p].rank; d-- > 0;) {
      if (d + 1U == image_.parameters[p].rank)
        a.strides[d] = narrowed(builder_.getInt64(1));
      else if (d + 2U == image_.parameters[p].rank)
        a.strides[d] = narrowed(a.extents[d + 1]);
      else
        a.strides[d] = builder_.CreateMul(narrowed(a.extents[d + 1]), a.strides[d + 1],
                                          fmt::format("a{}.stride.{}", p, d), true, !variant_.narrow);
    }
  }
}

llvm::Value* emitter::narrowed(llvm::Value* distance) {
  return variant_.narrow ? builder_.CreateTrunc(distance, builder_.getInt32Ty(), distance->getName()) : distance;
}

llvm::BasicBlock* emitter::new_block(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(context_, name, kernel_);
}

void emitter::emit_work_items(llvm::Function* kernel) {
  const std::uint32_t rank = image_.header.domain_rank;
  llvm::BasicBlock* done = llvm::BasicBlock::Create(context_, "done", kernel);
  std::vector<axis_range> axes;
  for (unsigned k = 0; k < rank; ++k) axes.push_back(target_.work_items(*this, k));

  // Axes with one work-item are guarded outside all loops.
  for (unsigned k = 0; k < rank; ++k) {
    if (axes[k].step != nullptr) continue;
    const std::uint32_t axis = rank - 1 - k;
    llvm::BasicBlock* inside = new_block(fmt::format("inside.{}", axis));
    builder_.CreateCondBr(
        builder_.CreateICmpULT(narrowed(axes[k].first), narrowed(axes[k].last), fmt::format("in.{}", axis)), inside,
        done);
    builder_.SetInsertPoint(inside);
    ids_[axis] = axes[k].first;
    ids_[axis]->setName(fmt::format("id.{}", axis));
  }
  // Work-items of a call on the host do not depend on each other, since what they write is theirs.
  bool looped = false;
  for (const axis_range& a : axes) looped = looped || a.step != nullptr;
  if (looped && !shares_memory()) access_group_ = llvm::MDNode::getDistinct(context_, {});

  std::vector<loop> loops;
  for (unsigned k = rank; k-- > 0;) {
    if (axes[k].step == nullptr) continue;
    const std::uint32_t axis = rank - 1 - k;
    ids_[axis] = open_loop(loops.emplace_back(), axes[k].first, axes[k].last, axes[k].step, fmt::format("id.{}", axis));
  }

  llvm::BasicBlock* end = new_block("work_item_end");
  emit_nodes();
  builder_.CreateBr(end);
  emit_failures(end);
  builder_.SetInsertPoint(end);
  while (!loops.empty()) {
    llvm::BranchInst* back = close_loop(loops.back());
    loops.pop_back();
    if (access_group_ != nullptr) {
      auto* parallel =
          llvm::MDNode::get(context_, {llvm::MDString::get(context_, "llvm.loop.parallel_accesses"), access_group_});
      auto* self = llvm::MDNode::getDistinct(context_, {nullptr, parallel});
      self->replaceOperandWith(0, self);
      back->setMetadata(llvm::LLVMContext::MD_loop, self);
    }
  }
  builder_.CreateBr(done);
  done->moveAfter(&kernel->back());
  builder_.SetInsertPoint(done);
  builder_.CreateRetVoid();
}

/// Signed arithmetic that cannot wrap: the launch that chose the unguarded variant has proved every launch-decidable
/// coordinate by intervals, and has seen that no signed operation that the coordinate comes from may wrap for any
/// work-item (interval::wraps, ir::decide). Only behind a select it looks at each side under the condition alone.
void emitter::find_index_arithmetic() {
  if (variant_.guarded) return;
  using op = ir::operation;
  std::vector<bool> proved(image_.nodes.size());
  const auto prove = [&](const ir::node& n, std::uint32_t count) {
    for (std::uint32_t o = 0; o < count; ++o) proved[image_.operand(n, o)] = true;
  };
  for (std::uint32_t k = static_cast<std::uint32_t>(image_.nodes.size()); k-- > 0;) {
    const ir::node& n = image_.nodes[k];
    if (properties(n.code).kind == ir::operation_kind::memory) {
      if ((n.flags & ir::node_flags::data_dependent) == 0) prove(n, image_.parameters[n.attribute].rank);
      continue;
    }
    if (!proved[k]) continue;
    index_arithmetic_[k] = ir::is_signed(n.type) && (n.code == op::add || n.code == op::subtract ||
                                                     n.code == op::multiply || n.code == op::negate);
    if (n.code == op::for_)
      prove(n, 3);
    else if (n.code == op::fold)
      prove(n, 2);
    else if (ir::is_pure(n.code) && n.code != op::select)
      prove(n, n.arity);
  }
}

void emitter::emit_nodes() {
  for (std::uint32_t k = 0; k < image_.nodes.size(); ++k) {
    if (scope_ != nullptr) builder_.SetCurrentDebugLocation(llvm::DILocation::get(context_, k + 1, 0, scope_));
    emit_node(k);
  }
  builder_.SetCurrentDebugLocation(llvm::DebugLoc());
}

// No default: an operation that is added to the list and not here does not compile.
void emitter::emit_node(std::uint32_t index) {
  using op = ir::operation;
  const ir::node& n = image_.nodes[index];
  llvm::Value*& value = values_[index];
  switch (n.code) {
    case op::literal:
      value = literal(n.type, n.bits);
      return;
    case op::value:
      value = arguments_[n.attribute].value;
      return;
    case op::extent:
      value = arguments_[n.attribute].extents[n.bits];
      return;
    case op::id:
      value = ids_[n.attribute];
      return;
    case op::domain:
      return;  // its extents are fields, computed by the launch
    case op::negate:
    case op::logical_not:
    case op::bit_not:
    case op::absolute:
    case op::square_root:
    case op::reciprocal_square_root:
    case op::round_down:
    case op::round_up:
    case op::round_nearest:
    case op::round_even:
    case op::round_to_zero:
    case op::cast:
    case op::add:
    case op::subtract:
    case op::multiply:
    case op::divide:
    case op::remainder:
    case op::minimum:
    case op::maximum:
    case op::bit_and:
    case op::bit_or:
    case op::bit_xor:
    case op::shift_left:
    case op::shift_right:
    case op::logical_and:
    case op::logical_or:
    case op::equal:
    case op::not_equal:
    case op::less:
    case op::less_equal:
    case op::copy_sign:
    case op::fused_multiply_add:
#define SELVAGE_ROW(X, name, word, arity) case op::name:
      SELVAGE_FUNCTIONS(SELVAGE_ROW, )
#undef SELVAGE_ROW
    case op::select:
      value = arithmetic(index);
      if (llvm::isa<llvm::Instruction>(value) && !value->hasName())
        value->setName(llvm::StringRef(properties(n.code).name.data(), properties(n.code).name.size()));
      return;
    case op::load:
      value = load(index);
      return;
    case op::store:
      store(index);
      return;
    case op::atomic:
      value = atomic(index);
      return;
    case op::variable:
      value = declare_variable(index);
      return;
    case op::get:
      value = builder_.CreateLoad(type_of(n.type), operand(n, 0), "get");
      return;
    case op::set:
      builder_.CreateStore(operand(n, 1), operand(n, 0));
      return;
    case op::if_:
    case op::choose:
    case op::for_:
    case op::while_:
    case op::fold:
      open(index);
      return;
    case op::else_:
      part();
      return;
    case op::test:
      test(n);
      return;
    case op::accumulator:
      value = region_of(image_.operand(n, 0)).accumulator;
      return;
    case op::yield:
      yield(n);
      return;
    case op::end:
      value = close(n);
      return;
  }
}

}  // namespace selvage::inline v0::codegen
