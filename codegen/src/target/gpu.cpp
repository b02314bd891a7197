// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What GPUs have in common.
#include "gpu.hpp"

namespace selvage::inline v0::codegen {

axis_range gpu_target::work_items(emitter& e, unsigned k) const {
  llvm::IRBuilder<>& b = e.builder();
  const std::uint32_t rank = e.image().header.domain_rank;
  const std::uint32_t size = group_of(rank)[k];
  // A domain of less than 2^31 work-items along an axis has groups of less than 2^32.
  llvm::Type* bits = e.variant().narrow ? b.getInt32Ty() : b.getInt64Ty();
  const bool nsw = !e.variant().narrow;
  const auto items = [&](llvm::Value* groups) {
    groups = b.CreateZExt(groups, bits);
    return size == 1 ? groups : b.CreateMul(groups, llvm::ConstantInt::get(bits, size), "", /*nuw=*/true, nsw);
  };
  axis_range range;
  range.first = items(group_id(e, k));
  if (size > 1) range.first = b.CreateAdd(range.first, b.CreateZExt(local_id(e, k), bits), "", /*nuw=*/true, nsw);
  range.first = b.CreateZExt(range.first, b.getInt64Ty());
  range.last = e.domain_extent(rank - 1 - k);
  if (e.variant().wide_grid && k > 0) range.step = b.CreateZExt(items(group_count(e, k)), b.getInt64Ty());
  return range;
}

llvm::TargetLibraryInfoImpl gpu_target::library_info(const llvm::TargetMachine& machine) const {
  llvm::TargetLibraryInfoImpl info(machine.getTargetTriple());
  info.disableAllFunctions();
  return info;
}

void gpu_target::shape(const ir::image_view& image, const variant& v, step& launch) const {
  using code = size_expression::code;
  const std::uint32_t rank = image.header.domain_rank;
  launch.group = group_of(rank);
  for (std::uint32_t k = 0; k < 3; ++k) {
    auto& rows = launch.grid[k].rows;
    if (k >= rank) {
      rows = {{code::literal, 0, 0, 1}};
      continue;
    }
    rows = {{code::domain_extent, rank - 1 - k, 0, 0},
            {code::literal, 0, 0, launch.group[k]},
            {code::ceil_divide, 0, 1, 0}};
    if (v.wide_grid && k > 0) {
      rows.push_back({code::literal, 0, 0, greatest_grid()});
      rows.push_back({code::minimum, 2, 3, 0});
    }
  }
}

llvm::Function* gpu_target::declare_kernel(emitter& e, llvm::CallingConv::ID convention) const {
  auto* type = llvm::FunctionType::get(e.builder().getVoidTy(), e.field_types(), false);
  auto* kernel = llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name(e.image().name), e.module());
  kernel->setCallingConv(convention);
  e.describe_fields(kernel);
  return kernel;
}

}  // namespace selvage::inline v0::codegen
