// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one emitter: an image, node by node, into an LLVM module. Targets are asked only for what differs between them.
#pragma once

#include <selvage/codegen/recipe.hpp>
#include <selvage/ir/image.hpp>

#include "block.hpp"
#include "llvm.hpp"
#include "target.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace selvage::inline v0::codegen {

/// May the view's pointer carry `noalias`? Only if no other work-item touches what this one writes through it:
/// ownership, proved by the verifier. An argument through which work-items communicate has had its ownership withdrawn.
bool may_be_noalias(const ir::image_view& image, std::uint32_t parameter);

/// Values of extents, and of work-items' ids and their bounds: the launch refuses greater ones.
llvm::ConstantRange extent_range();

/// Emits one kernel. The image has the structure that ir::check_structure wants.
class emitter {
 public:
  emitter(const ir::image_view& image, const codegen::variant& v, const codegen::target& t, llvm::LLVMContext& context);

  /// The module with the kernel, not yet optimised; `annotated`, with locations (annotate.hpp). Once.
  std::unique_ptr<llvm::Module> emit(llvm::TargetMachine& machine, bool annotated = false);

  // What targets need.
  const ir::image_view& image() const { return image_; }
  const codegen::variant& variant() const { return variant_; }
  const argument_block& block() const { return block_; }
  llvm::IRBuilder<>& builder() { return builder_; }
  llvm::Module& module() { return *module_; }
  /// Type of a field of the argument block, as a parameter of a function and in memory.
  llvm::Type* type_of(const argument_slot& slot);
  std::vector<llvm::Type*> field_types();
  /// Names and attributes of a function's first parameters, which are the fields.
  void describe_fields(llvm::Function* function);
  /// The domain's extent along the image's axis.
  llvm::Value* domain_extent(std::uint32_t axis) { return domain_[axis]; }

 private:
  using coordinates = std::array<llvm::Value*, ir::maximum_rank>;

  struct argument {
    llvm::Value* value = nullptr;  ///< a view's pointer, or the scalar as a value
    coordinates extents{};
    coordinates strides{};  ///< in the bits that addresses are computed in
  };

  /// A loop in the form: header (index, test) -> body ... latch -> header, and exit.
  struct loop {
    llvm::BasicBlock* header = nullptr;
    llvm::BasicBlock* latch = nullptr;
    llvm::BasicBlock* exit = nullptr;
    llvm::PHINode* index = nullptr;
    llvm::Value* step = nullptr;
  };

  /// A region that is open: what its parts and its end need to know.
  struct region {
    std::uint32_t opening = 0;
    loop around;                            ///< of for_, while_ and fold
    llvm::BasicBlock* otherwise = nullptr;  ///< of if_ and choose: where the condition is false
    llvm::BasicBlock* after = nullptr;      ///< of if_ and choose: where both parts meet
    llvm::PHINode* accumulator = nullptr;   ///< of a fold
    llvm::SmallVector<std::pair<llvm::Value*, llvm::BasicBlock*>, 2> yields;
  };

  /// A failed access: what to record, and the block that comes from it.
  struct failure {
    llvm::BasicBlock* from = nullptr;
    std::uint32_t node = 0;
    std::uint32_t parameter = 0;
    llvm::Value* dimension = nullptr;
    llvm::Value* index = nullptr;
    llvm::Value* extent = nullptr;
  };

  // emit_module.cpp: module, arguments, work-items.
  void bind_fields(llvm::Function* function);
  void emit_work_items(llvm::Function* kernel);
  void emit_nodes();
  void emit_node(std::uint32_t index);
  void find_index_arithmetic();

  // emit_arithmetic.cpp: pure values.
  llvm::Value* literal(ir::type t, std::uint64_t bits);
  llvm::Value* arithmetic(std::uint32_t index);
  llvm::Value* quotient(const ir::node& n, llvm::Value* a, llvm::Value* b);
  llvm::Value* convert(llvm::Value* a, ir::type from, ir::type to);

  // math.cpp: functions.
  llvm::Value* math(ir::operation o, ir::type t, llvm::ArrayRef<llvm::Value*> arguments);
  llvm::CallInst* call_function(const std::string& name, ir::type t, llvm::ArrayRef<llvm::Value*> arguments);
  llvm::Value* call_libclc(const std::string& name, ir::operation o, ir::type t,
                           llvm::ArrayRef<llvm::Value*> arguments);

  // emit_memory.cpp: accesses.
  llvm::Value* load(std::uint32_t index);
  void store(std::uint32_t index);
  llvm::Value* address(const ir::node& access);

  // emit_atomic.cpp: atomic operations; each gives what was there before.
  llvm::Value* atomic(std::uint32_t index);
  llvm::Value* exchange_if_same(const ir::node& n, llvm::Value* at);
  llvm::Value* exchange_until_same(const ir::node& n, llvm::Value* at);
  llvm::SyncScope::ID device_scope();

  /// A coordinate as the sum of a value and a literal.
  struct split_coordinate {
    llvm::Value* moving = nullptr;
    std::int64_t shift = 0;
  };
  split_coordinate split(std::uint32_t coordinate);
  llvm::Value* narrow_address(const ir::node& access, llvm::ArrayRef<split_coordinate> parts, const std::string& name);
  void guard(std::uint32_t index);
  void emit_failures(llvm::BasicBlock* work_item_end);
  void annotate(llvm::Instruction* access);
  llvm::Value* to_memory(llvm::Value* value);
  llvm::Value* from_memory(llvm::Value* stored, ir::type t);

  // emit_control.cpp: variables, regions and folds.
  llvm::Value* declare_variable(std::uint32_t index);
  void open(std::uint32_t index);
  void open_for(region& r, std::uint32_t index);
  void open_fold(region& r, std::uint32_t index);
  void part();
  void test(const ir::node& n);
  void yield(const ir::node& n);
  llvm::Value* close(const ir::node& n);
  llvm::Value* close_conditional(region& r, ir::type t);
  llvm::Value* close_fold(region& r, ir::type t);
  llvm::Value* combine(ir::fold_kind kind, ir::type t, llvm::Value* a, llvm::Value* b);
  llvm::Value* trip_count(llvm::Value* begin, llvm::Value* end, llvm::Value* step);
  region& region_of(std::uint32_t opening);
  /// Opens a loop over first, first + step, ... < last; the builder then stands in its body. `signed_index`: the index
  /// is a signed number, else an unsigned one; either way the caller knows that index + step does not wrap.
  llvm::Value* open_loop(loop& l, llvm::Value* first, llvm::Value* last, llvm::Value* step, const std::string& name,
                         bool signed_index = true);
  /// Closes it; the builder then stands behind it. Gives the branch back to the header.
  llvm::BranchInst* close_loop(loop& l);

  llvm::Value* narrowed(llvm::Value* distance);  ///< in the bits that addresses are computed in
  llvm::BasicBlock* new_block(const llvm::Twine& name);
  llvm::Type* type_of(ir::type t);         ///< of a value
  llvm::Type* memory_type_of(ir::type t);  ///< in memory
  llvm::Value* operand(const ir::node& n, std::uint32_t k) { return values_[image_.operand(n, k)]; }
  /// The flags of all floating-point operations of this variant.
  llvm::FastMathFlags flags() const;
  bool shares_memory() const;

  const ir::image_view& image_;
  codegen::variant variant_;
  const codegen::target& target_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> builder_;
  argument_block block_;
  std::unique_ptr<llvm::Module> module_;

  llvm::Function* kernel_ = nullptr;
  llvm::DISubprogram* scope_ = nullptr;  ///< of locations, if there are any
  llvm::BasicBlock* entry_ = nullptr;    ///< where variables live
  std::vector<argument> arguments_;
  coordinates domain_{};
  coordinates ids_{};
  llvm::Value* fault_ = nullptr;
  llvm::MDNode* access_group_ = nullptr;  ///< of accesses that are independent between work-items

  std::vector<llvm::Value*> values_;    ///< by node
  std::vector<bool> index_arithmetic_;  ///< by node: the launch has proved that it does not wrap
  std::vector<region> regions_;
  std::vector<failure> failures_;
};

}  // namespace selvage::inline v0::codegen
