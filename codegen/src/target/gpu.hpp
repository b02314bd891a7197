// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What GPUs have in common: one thread a work-item, x the fastest axis, groups of constant shape.
#pragma once

#include "../emitter.hpp"

namespace selvage::inline v0::codegen {

class gpu_target : public target {
 public:
  axis_range work_items(emitter& e, unsigned k) const override;
  void finish(emitter&, llvm::Function*) const override {}
  llvm::TargetLibraryInfoImpl library_info(const llvm::TargetMachine& machine) const override;
  std::string library_function(ir::operation o, ir::type t) const override { return name_in_libclc(o, t); }
  bool links_libclc() const override { return true; }
  unsigned global_space() const override { return 1; }
  void shape(const ir::image_view& image, const variant& v, step& launch) const override;

 protected:
  using shape_of_group = std::array<std::uint32_t, 3>;

  /// Work-items of a group, x first: 256 in a line, or a row of lines along the fastest axis, for coalesced accesses.
  virtual shape_of_group group_of(std::uint32_t rank) const {
    return rank == 1 ? shape_of_group{256, 1, 1} : shape_of_group{32, 8, 1};
  }
  /// Groups along y and z that a launch of the variant `wide_grid` has at most.
  virtual std::int64_t greatest_grid() const = 0;
  /// Along axis k, as i32: the number of this group, that of the work-item in it, and how many groups there are.
  virtual llvm::Value* group_id(emitter& e, unsigned k) const = 0;
  virtual llvm::Value* local_id(emitter& e, unsigned k) const = 0;
  virtual llvm::Value* group_count(emitter& e, unsigned k) const = 0;

  /// The kernel function, whose parameters are the fields of the argument block.
  llvm::Function* declare_kernel(emitter& e, llvm::CallingConv::ID convention) const;
};

}  // namespace selvage::inline v0::codegen
