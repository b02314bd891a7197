// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA GPUs: PTX. One thread a work-item, x the fastest axis.
#include <fmt/format.h>

#include "../object.hpp"
#include "gpu.hpp"

namespace selvage::inline v0::codegen {
namespace {

namespace intrinsic = llvm::Intrinsic;

constexpr const char* triple = "nvptx64-nvidia-cuda";
constexpr const char* library = "nvptx64--.bc";
constexpr const char* architectures[] = {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120", "ptx"};
constexpr const char* portable = "sm_75";        ///< what "ptx" is compiled for: drivers take it for every later GPU
constexpr int oldest = 70;                       ///< the first with scoped atomics
constexpr std::int64_t greatest_groups = 65535;  ///< along y and z, in groups; along x it is 2^31 - 1

/// PTX's words, which no identifier may be, each between blanks.
constexpr std::string_view reserved =
    " "
    "abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call "
    "clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fence fma fns getctarank "
    "griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar min "
    "mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red redux "
    "rem ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore stacksave stmatrix "
    "sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap txq vabsdiff vabsdiff2 "
    "vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl "
    "vshr vsub vsub2 vsub4 wgmma wmma xor WARP_SZ ";

class nvptx final : public gpu_target {
 public:
  explicit nvptx(std::string_view name) : name_(name) {}

  code_format format() const override { return code_format::ptx; }
  std::unique_ptr<llvm::TargetMachine> machine() const override { return make_machine(triple, name_, ""); }

  std::string_view device_scope() const override { return "device"; }

  std::string entry_name(std::string_view kernel) const override {
    std::string name = identifier_of(kernel);
    if (reserved.find(" " + name + " ") != std::string_view::npos || name.starts_with("_")) name += '_';
    return name;
  }

  llvm::Function* declare(emitter& e) const override {
    llvm::Function* kernel = declare_kernel(e, llvm::CallingConv::PTX_Kernel);
    const auto group = group_of(e.image().header.domain_rank);
    kernel->addFnAttr("nvvm.reqntid", fmt::format("{},{},{}", group[0], group[1], group[2]));
    return kernel;
  }

  void link_library(llvm::Module& module) const override { codegen::link_library(module, library); }

  llvm::CodeGenFileType file_type() const override { return llvm::CodeGenFileType::AssemblyFile; }
  std::vector<std::byte> package(llvm::ArrayRef<char> text) const override {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    std::vector<std::byte> ptx(bytes.begin(), bytes.end());
    ptx.push_back(std::byte{0});
    return ptx;
  }

 private:
  std::int64_t greatest_grid() const override { return greatest_groups; }

  llvm::Value* group_id(emitter& e, unsigned k) const override {
    static constexpr llvm::Intrinsic::ID ids[] = {intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                                  intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                                  intrinsic::nvvm_read_ptx_sreg_ctaid_z};
    return e.builder().CreateIntrinsic(ids[k], {});
  }
  llvm::Value* local_id(emitter& e, unsigned k) const override {
    static constexpr llvm::Intrinsic::ID ids[] = {
        intrinsic::nvvm_read_ptx_sreg_tid_x, intrinsic::nvvm_read_ptx_sreg_tid_y, intrinsic::nvvm_read_ptx_sreg_tid_z};
    return e.builder().CreateIntrinsic(ids[k], {});
  }
  llvm::Value* group_count(emitter& e, unsigned k) const override {
    static constexpr llvm::Intrinsic::ID counts[] = {intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                                     intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                                     intrinsic::nvvm_read_ptx_sreg_nctaid_z};
    return e.builder().CreateIntrinsic(counts[k], {});
  }

  std::string name_;
};

bool is_architecture(std::string_view name) {
  if (!name.starts_with("sm_")) return false;
  int number = 0;
  for (const char c : name.substr(3)) {
    if (c < '0' || c > '9') break;
    number = number * 10 + (c - '0');
    if (number > 9999) return false;
  }
  if (number < oldest) return false;
  static const std::unique_ptr<llvm::TargetMachine> any = make_machine(triple, architectures[0], "");
  return any->getMCSubtargetInfo()->isCPUStringValid(llvm::StringRef(name.data(), name.size()));
}

}  // namespace

target_family nvptx_family() {
  return {[] { return std::vector<std::string>(std::begin(architectures), std::end(architectures)); },
          [](std::string_view name) -> std::unique_ptr<target> {
            if (name == "ptx") return std::make_unique<nvptx>(portable);
            if (!is_architecture(name)) return nullptr;
            return std::make_unique<nvptx>(name);
          }};
}

}  // namespace selvage::inline v0::codegen
