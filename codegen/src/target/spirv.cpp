// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL devices, those of Intel among them: SPIR-V modules for kernels. One OpenCL work-item a work-item, x the
// fastest axis.
#include "../error.hpp"
#include "../object.hpp"
#include "gpu.hpp"

#include <fmt/format.h>

namespace selvage::inline v0::codegen {
namespace {

namespace intrinsic = llvm::Intrinsic;

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
  /// The module has been optimised before. LLVM 22's own selection for SPIR-V goes wrong above this level: it
  /// multiplied 64-bit operands into 32 bits.
  std::unique_ptr<llvm::TargetMachine> machine() const override {
    auto made = make_machine(version_.triple, "", "");
    made->setOptLevel(llvm::CodeGenOptLevel::None);
    return made;
  }

  std::string_view device_scope() const override { return "device"; }
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
    kernel->setMetadata("reqd_work_group_size", numbers({group[0], group[1], group[2]}));
    return kernel;
  }

  /// LLVM's intrinsics become instructions of OpenCL's extended set, which the device's driver implements.
  std::string library_function(ir::operation, ir::type) const override { return {}; }
  void link_library(llvm::Module&) const override {}
  void legalize(llvm::Module& module) const override;
  /// Without this, modules that were compiled one after the other in one process had results with ids of their
  /// predecessors (LLVM 22.1).
  bool remembers_addresses() const override { return true; }
  std::unique_lock<std::mutex> alone() const override {
    static std::mutex lock;
    return std::unique_lock(lock);
  }

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

/// minimumNumber and maximumNumber of IEEE 754-2019 by comparisons: a NaN loses, and -0 is less than +0.
llvm::Value* number_of_two(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y, bool greater) {
  llvm::Type* type = x->getType();
  llvm::Type* bits = b.getIntNTy(type->getScalarSizeInBits());
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type))
    bits = llvm::VectorType::get(bits, vector->getElementCount());
  llvm::Value* first = greater ? b.CreateFCmpOGT(x, y) : b.CreateFCmpOLT(x, y);
  llvm::Value* either = b.CreateSelect(first, x, y);
  // Equal ones differ at most in the sign of zero.
  llvm::Value* a = b.CreateBitCast(x, bits);
  llvm::Value* c = b.CreateBitCast(y, bits);
  llvm::Value* signs = b.CreateBitCast(greater ? b.CreateAnd(a, c) : b.CreateOr(a, c), type);
  either = b.CreateSelect(b.CreateFCmpOEQ(x, y), signs, either);
  either = b.CreateSelect(b.CreateFCmpUNO(y, y), x, either);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), y, either);
}

/// LLVM's back end for SPIR-V ends the process at what it does not know: that is written in other words, or refused.
void spirv::legalize(llvm::Module& module) const {
  llvm::SmallVector<llvm::IntrinsicInst*, 8> numbers;
  for (llvm::Function& f : module) {
    for (llvm::Instruction& i : llvm::instructions(f)) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      if (call == nullptr) continue;
      switch (call->getIntrinsicID()) {
        case intrinsic::minimumnum:
        case intrinsic::maximumnum:
          numbers.push_back(call);
          break;
        case intrinsic::sqrt:
        case intrinsic::exp:
        case intrinsic::log:
        case intrinsic::sin:
        case intrinsic::cos:
        case intrinsic::tan:
        case intrinsic::tanh:
        case intrinsic::pow:
        case intrinsic::fma:
        case intrinsic::fmuladd:
        case intrinsic::fabs:
        case intrinsic::floor:
        case intrinsic::ceil:
        case intrinsic::round:
        case intrinsic::trunc:
        case intrinsic::copysign:
        case intrinsic::minnum:
        case intrinsic::maxnum:
        case intrinsic::abs:
        case intrinsic::smin:
        case intrinsic::smax:
        case intrinsic::umin:
        case intrinsic::umax:
        case intrinsic::ctpop:
        case intrinsic::ctlz:
        case intrinsic::fshl:
        case intrinsic::fshr:
        case intrinsic::fptosi_sat:
        case intrinsic::fptoui_sat:
        case intrinsic::usub_sat:
        case intrinsic::uadd_sat:
        case intrinsic::ssub_sat:
        case intrinsic::sadd_sat:
        case intrinsic::assume:
        case intrinsic::lifetime_start:
        case intrinsic::lifetime_end:
        case intrinsic::experimental_noalias_scope_decl:
          break;
        default:
          throw error(error_code::unsupported,
                      fmt::format("{}: LLVM made '{}' of this kernel, which has no translation into SPIR-V",
                                  version_.name, call->getCalledFunction()->getName().str()));
      }
    }
  }
  for (llvm::IntrinsicInst* call : numbers) {
    llvm::IRBuilder<> b(call);
    call->replaceAllUsesWith(number_of_two(b, call->getArgOperand(0), call->getArgOperand(1),
                                           call->getIntrinsicID() == intrinsic::maximumnum));
    call->eraseFromParent();
  }
}

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
