// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL devices, those of Intel among them: SPIR-V modules for kernels. One OpenCL work-item a work-item, x the
// fastest axis.
#include "../error.hpp"
#include "../object.hpp"
#include "gpu.hpp"
#include "spirv_legal.hpp"

#include <fmt/format.h>

namespace selvage::inline v0::codegen {
namespace {

/// The versions of SPIR-V that are made, by the target's name.
struct version {
  std::string_view name;
  const char* triple;
};
constexpr version versions[] = {{"spirv64", "spirv64v1.4-unknown-unknown"},
                                {"spirv64v1.2", "spirv64v1.2-unknown-unknown"}};

constexpr std::size_t greatest_parameters = 255;  ///< of a function: SPIR-V 1.4, "Universal Limits"

class spirv final : public gpu_target {
 public:
  explicit spirv(const version& v) : version_(v) {}

  code_format format() const override { return code_format::spirv; }
  std::unique_ptr<llvm::TargetMachine> machine() const override {
    auto made = make_machine(version_.triple, "", "");
    // What LLVM would improve on the way to machine code undoes what legalize does, and the driver does it anyway.
    made->setOptLevel(llvm::CodeGenOptLevel::None);
    return made;
  }

  std::string_view device_scope() const override { return "device"; }
  bool has_float_atomics() const override { return false; }  // only by extensions, which few drivers have
  /// OpenCL C's words and functions are no names of kernels.
  std::string entry_name(std::string_view kernel) const override { return identifier_of(kernel) + "_kernel"; }

  llvm::Function* declare(emitter& e) const override {
    if (e.block().slots.size() > greatest_parameters)
      throw error(
          error_code::unsupported,
          fmt::format("kernel '{}' has {} fields of arguments (a view has a pointer, extents and strides), and {} "
                      "takes {}: pass fewer views, or views of lower rank",
                      e.image().name, e.block().slots.size(), version_.name, greatest_parameters));
    llvm::Module& module = e.module();
    llvm::LLVMContext& context = module.getContext();
    llvm::IRBuilder<>& b = e.builder();
    const auto numbers = [&](std::initializer_list<std::uint32_t> list) {
      llvm::SmallVector<llvm::Metadata*, 3> items;
      for (const std::uint32_t n : list) items.push_back(llvm::ConstantAsMetadata::get(b.getInt32(n)));
      return llvm::MDNode::get(context, items);
    };
    module.getOrInsertNamedMetadata("opencl.ocl.version")->addOperand(numbers({2, 0}));
    llvm::Function* kernel = declare_kernel(e, llvm::CallingConv::SPIR_KERNEL);
    const auto group = group_of(e.image().header.domain_rank);
    // No vectors and no tables: a work-item computes with scalars, and constants in memory would need another kind of
    // pointer.
    kernel->addFnAttr(llvm::Attribute::NoImplicitFloat);
    kernel->addFnAttr("no-jump-tables", "true");
    // Without it the module says that products and sums are rounded each by itself.
    if (e.variant().contract) module.getOrInsertNamedMetadata("opencl.enable.FP_CONTRACT");
    kernel->setMetadata("reqd_work_group_size", numbers({group[0], group[1], group[2]}));
    return kernel;
  }

  /// LLVM's intrinsics become instructions of OpenCL's extended set, which the device's driver implements.
  std::string library_function(ir::operation o, ir::type t) const override {
    return has_intrinsic(o) ? std::string() : name_in_libclc(o, t);
  }
  llvm::CallingConv::ID library_convention() const override { return llvm::CallingConv::SPIR_FUNC; }
  bool links_libclc() const override { return false; }
  void link_library(llvm::Module&) const override {}
  bool optimises_with(llvm::StringRef pass) const override {
    // It replaces a loop's result by a closed form, in integers of 33 and 65 bits.
    return pass != "IndVarSimplifyPass";
  }
  void legalize(llvm::Module& module) const override { legalize_for_spirv(module); }
  /// LLVM's back end keeps the numbers of basic blocks in a static table by the address of their function, which the
  /// next module's may have too (LLVM 22.1); and threads would share the table.
  bool needs_a_child() const override { return true; }

  llvm::CodeGenFileType file_type() const override { return llvm::CodeGenFileType::ObjectFile; }
  std::vector<std::byte> package(llvm::ArrayRef<char> binary) const override {
    const auto bytes = std::as_bytes(std::span(binary.data(), binary.size()));
    return {bytes.begin(), bytes.end()};
  }

 private:
  std::int64_t greatest_grid() const override { return 65535; }

  llvm::Value* group_id(emitter& e, unsigned k) const override { return call(e, "_Z12get_group_idj", k); }
  llvm::Value* local_id(emitter& e, unsigned k) const override { return call(e, "_Z12get_local_idj", k); }
  llvm::Value* group_count(emitter& e, unsigned k) const override { return call(e, "_Z14get_num_groupsj", k); }

  /// One of OpenCL C's functions of an axis; none of their results here needs more than 32 bits.
  static llvm::Value* call(emitter& e, const char* name, unsigned axis) {
    llvm::IRBuilder<>& b = e.builder();
    auto* type = llvm::FunctionType::get(b.getInt64Ty(), {b.getInt32Ty()}, false);
    llvm::FunctionCallee callee = e.module().getOrInsertFunction(name, type);
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->setWillReturn();
    llvm::CallInst* id = b.CreateCall(callee, {b.getInt32(axis)});
    id->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    return b.CreateTrunc(id, b.getInt32Ty());
  }

  const version& version_;
};

}  // namespace

target_family spirv_family() {
  return {[] {
            std::vector<std::string> names;
            for (const version& v : versions) names.push_back(std::string(v.name));
            return names;
          },
          [](std::string_view name) -> std::unique_ptr<target> {
            for (const version& v : versions)
              if (v.name == name) return std::make_unique<spirv>(v);
            return nullptr;
          }};
}

}  // namespace selvage::inline v0::codegen
