// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD GPUs: code objects of version 5 for the HSA runtime. One lane a work-item, x the fastest axis.
#include <fmt/format.h>

#include "../error.hpp"
#include "../object.hpp"
#include "gpu.hpp"

namespace selvage::inline v0::codegen {
namespace {

namespace intrinsic = llvm::Intrinsic;

constexpr const char* triple = "amdgcn-amd-amdhsa";
constexpr const char* library = "amdgcn-amd-amdhsa.bc";
constexpr const char* architectures[] = {"gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1151", "gfx1201"};
constexpr int oldest = 9;            ///< generation: the first whose accesses to global memory need no descriptor
constexpr int first_of_wave32 = 10;  ///< generation; older ones have waves of 64
/// A dispatch counts work-items in 32 bits along each axis.
constexpr std::int64_t greatest_groups = std::int64_t{1} << 24;

/// The number before the last two characters: 9 of gfx90a, 11 of gfx1100. 0 if the name is no architecture's.
int generation_of(std::string_view name) {
  if (!name.starts_with("gfx") || name.size() < 6 || name.size() > 7) return 0;
  int number = 0;
  for (const char c : name.substr(3, name.size() - 5)) {
    if (c < '0' || c > '9') return 0;
    number = number * 10 + (c - '0');
  }
  return number;
}

class amdgpu final : public gpu_target {
 public:
  explicit amdgpu(std::string_view name) : name_(name) {}

  code_format format() const override { return code_format::code_object; }
  std::unique_ptr<llvm::TargetMachine> machine() const override { return make_machine(triple, name_, ""); }

  std::string_view device_scope() const override { return "agent"; }
  std::string entry_name(std::string_view kernel) const override {
    std::string name = identifier_of(kernel);
    if (name.starts_with("_")) name += '_';  // libclc's functions begin so
    return name;
  }

  llvm::Function* declare(emitter& e) const override {
    llvm::Module& module = e.module();
    module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", 500);
    llvm::Function* kernel = declare_kernel(e, llvm::CallingConv::AMDGPU_KERNEL);
    const auto group = group_of(e.image().header.domain_rank);
    const std::uint32_t items = group[0] * group[1] * group[2];
    // The launch has groups of this size alone, so no kernel asks how large they are.
    kernel->addFnAttr("amdgpu-flat-work-group-size", fmt::format("{},{}", items, items));
    kernel->addFnAttr("uniform-work-group-size", "true");
    llvm::IRBuilder<>& b = e.builder();
    llvm::Metadata* extents[3];
    for (std::size_t k = 0; k < 3; ++k) extents[k] = llvm::ConstantAsMetadata::get(b.getInt32(group[k]));
    kernel->setMetadata("reqd_work_group_size", llvm::MDNode::get(module.getContext(), extents));
    return kernel;
  }

  /// The loader's arguments must be the block, byte for byte.
  void finish(emitter& e, llvm::Function* kernel) const override {
    const llvm::DataLayout& layout = e.module().getDataLayout();
    std::uint64_t at = 0;
    for (unsigned k = 0; k < e.block().slots.size(); ++k) {
      const argument_slot& slot = e.block().slots[k];
      llvm::Type* type = kernel->getArg(k)->getType();
      at = llvm::alignTo(at, layout.getABITypeAlign(type));
      if (at != slot.offset || layout.getTypeAllocSize(type) != slot.size)
        throw error(error_code::unsupported,
                    fmt::format("kernel '{}': '{}' stands at byte {} of {}'s arguments, and at byte {} of the block",
                                e.image().name, name_of(slot), at, name_, slot.offset));
      at += slot.size;
    }
  }

  void link_library(llvm::Module& module) const override { codegen::link_library(module, library); }

  llvm::CodeGenFileType file_type() const override { return llvm::CodeGenFileType::ObjectFile; }
  std::vector<std::byte> package(llvm::ArrayRef<char> object) const override {
    return link_shared(object, undefined_symbols::refused);
  }

 private:
  /// A wave along the fastest axis.
  shape_of_group group_of(std::uint32_t rank) const override {
    if (rank == 1 || generation_of(name_) >= first_of_wave32) return gpu_target::group_of(rank);
    return {64, 4, 1};
  }
  std::int64_t greatest_grid() const override { return greatest_groups; }

  llvm::Value* group_id(emitter& e, unsigned k) const override {
    static constexpr llvm::Intrinsic::ID ids[] = {intrinsic::amdgcn_workgroup_id_x, intrinsic::amdgcn_workgroup_id_y,
                                                  intrinsic::amdgcn_workgroup_id_z};
    return e.builder().CreateIntrinsic(ids[k], {});
  }
  llvm::Value* local_id(emitter& e, unsigned k) const override {
    static constexpr llvm::Intrinsic::ID ids[] = {intrinsic::amdgcn_workitem_id_x, intrinsic::amdgcn_workitem_id_y,
                                                  intrinsic::amdgcn_workitem_id_z};
    return e.builder().CreateIntrinsic(ids[k], {});
  }
  /// As `shape` computes it: asking for it would make the launch pass hidden arguments.
  llvm::Value* group_count(emitter& e, unsigned k) const override {
    llvm::IRBuilder<>& b = e.builder();
    const std::uint32_t rank = e.image().header.domain_rank;
    const std::uint32_t size = group_of(rank)[k];
    llvm::Value* rounded = b.CreateAdd(e.domain_extent(rank - 1 - k), b.getInt64(size - 1));
    llvm::Value* groups = b.CreateUDiv(rounded, b.getInt64(size));
    groups = b.CreateBinaryIntrinsic(intrinsic::umin, groups, b.getInt64(static_cast<std::uint64_t>(greatest_groups)));
    return b.CreateTrunc(groups, b.getInt32Ty());
  }

  std::string name_;
};

bool is_architecture(std::string_view name) {
  if (generation_of(name) < oldest) return false;
  static const std::unique_ptr<llvm::TargetMachine> any = make_machine(triple, architectures[0], "");
  return any->getMCSubtargetInfo()->isCPUStringValid(llvm::StringRef(name.data(), name.size()));
}

}  // namespace

target_family amdgpu_family() {
  return {[] { return std::vector<std::string>(std::begin(architectures), std::end(architectures)); },
          [](std::string_view name) -> std::unique_ptr<target> {
            if (!is_architecture(name)) return nullptr;
            return std::make_unique<amdgpu>(name);
          }};
}

}  // namespace selvage::inline v0::codegen
