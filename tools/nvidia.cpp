// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code for NVIDIA GPUs by ptxas, or by the linker in the driver (CUDA Driver API, "Module Management").
#include "nvidia.hpp"

#include "process.hpp"

#include <selvage/error.hpp>

#include <fmt/format.h>

#include <dlfcn.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <mutex>

namespace tools {

using selvage::codegen::code_format;
using selvage::codegen::compiled_kernel;

namespace {

/// PTX for every GPU, which stays PTX.
constexpr std::string_view portable = "ptx";

/// The driver's number of an architecture (CUjit_target): 90 of sm_90, with a bit more of sm_90a and of sm_100f.
int number_of(const std::string& target) {
  int number = 0;
  std::from_chars(target.data() + target.find('_') + 1, target.data() + target.size(), number);
  return number + (target.ends_with('a') ? 0x10000 : target.ends_with('f') ? 0x20000 : 0);
}

std::string find_ptxas() {
  if (const std::string found = find_program("ptxas"); !found.empty()) return found;
  const std::string usual = "/usr/local/cuda/bin/ptxas";
  return is_program(usual) ? usual : "";
}

}  // namespace

/// The driver's linker, in the context of the first GPU. One use at a time.
class cuda_linker {
 public:
  /// Null if there is no driver or no GPU.
  static std::unique_ptr<cuda_linker> open() {
    std::unique_ptr<cuda_linker> made(new cuda_linker);
    return made->start() ? std::move(made) : nullptr;
  }
  ~cuda_linker() {
    if (context_ != nullptr) release_(device_);
    if (library_ != nullptr) dlclose(library_);
  }
  cuda_linker(const cuda_linker&) = delete;
  cuda_linker& operator=(const cuda_linker&) = delete;

  int version() const { return version_; }

  /// The machine code, empty if the driver makes none for this architecture.
  std::string assemble(std::span<const std::byte> ptx, int architecture) {
    const std::lock_guard alone(lock_);
    if (set_current_(context_) != 0) return {};
    constexpr int jit_target = 9, input_ptx = 1;  // CU_JIT_TARGET, CU_JIT_INPUT_PTX
    int options[] = {jit_target};
    void* values[] = {reinterpret_cast<void*>(static_cast<std::intptr_t>(architecture))};
    void* link = nullptr;
    if (create_(1, options, values, &link) != 0) return {};
    std::string code;
    void* cubin = nullptr;
    std::size_t size = 0;
    auto* text = const_cast<std::byte*>(ptx.data());  // which the driver only reads
    if (add_(link, input_ptx, text, ptx.size(), "kernel.ptx", 0, nullptr, nullptr) == 0 &&
        complete_(link, &cubin, &size) == 0)
      code.assign(static_cast<const char*>(cubin), size);  // the link's own memory
    destroy_(link);
    return code;
  }

 private:
  cuda_linker() = default;

  bool start() {
    library_ = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return false;
    int (*init)(unsigned) = nullptr;
    int (*get_device)(int*, int) = nullptr;
    int (*get_version)(int*) = nullptr;
    int (*retain)(void**, int) = nullptr;
    const bool found = find(init, "cuInit") && find(get_device, "cuDeviceGet") &&
                       find(get_version, "cuDriverGetVersion") && find(retain, "cuDevicePrimaryCtxRetain") &&
                       find(release_, "cuDevicePrimaryCtxRelease_v2") && find(set_current_, "cuCtxSetCurrent") &&
                       find(create_, "cuLinkCreate_v2") && find(add_, "cuLinkAddData_v2") &&
                       find(complete_, "cuLinkComplete") && find(destroy_, "cuLinkDestroy");
    return found && init(0) == 0 && get_version(&version_) == 0 && get_device(&device_, 0) == 0 &&
           retain(&context_, device_) == 0;
  }
  template <class F>
  bool find(F*& function, const char* name) {
    function = reinterpret_cast<F*>(dlsym(library_, name));
    return function != nullptr;
  }

  void* library_ = nullptr;
  void* context_ = nullptr;
  int device_ = 0;
  int version_ = 0;
  std::mutex lock_;
  int (*release_)(int) = nullptr;
  int (*set_current_)(void*) = nullptr;
  int (*create_)(unsigned, int*, void**, void**) = nullptr;
  int (*add_)(void*, int, void*, std::size_t, const char*, unsigned, int*, void**) = nullptr;
  int (*complete_)(void*, void**, std::size_t*) = nullptr;
  int (*destroy_)(void*) = nullptr;
};

nvidia_assembler::nvidia_assembler() {
  if (const char* named = std::getenv("SELVAGE_PTXAS"); named != nullptr) {
    if (is_program(named)) maker_ = named;
    return;
  }
  maker_ = find_ptxas();
  if (!maker_.empty()) return;
  driver_ = cuda_linker::open();
  if (driver_) maker_ = fmt::format("driver {}", driver_->version());
}

nvidia_assembler::~nvidia_assembler() = default;

void nvidia_assembler::assemble(compiled_kernel& kernel) const {
  if (kernel.format != code_format::ptx || kernel.recipe.target == portable || maker_.empty()) return;
  std::string code;
  if (driver_) {
    code = driver_->assemble(kernel.code, number_of(kernel.recipe.target));
    if (code.empty()) return;
  } else {
    const temporary_folder folder;
    const std::string from = folder / "kernel.ptx";
    const std::string to = folder / "kernel.cubin";
    std::ofstream(from, std::ios::binary)
        .write(reinterpret_cast<const char*>(kernel.code.data()), static_cast<std::streamsize>(kernel.code.size() - 1));
    const run_result ran = run_program({maker_, "-O3", "-arch=" + kernel.recipe.target, "-o", to, from});
    if (ran.status != 0)
      throw selvage::error(selvage::error_code::unsupported,
                           fmt::format("kernel '{}' for {}: '{}' failed: {}", kernel.recipe.kernel,
                                       kernel.recipe.target, maker_, ran.output));
    code = content_of(to);
  }
  const auto* first = reinterpret_cast<const std::byte*>(code.data());
  kernel.code.assign(first, first + code.size());
  kernel.format = code_format::cubin;
}

std::string nvidia_assembler::describe(std::string_view target, code_format format) const {
  if (format == code_format::cubin) return fmt::format("{} (machine code)", target);
  if (format != code_format::ptx) return std::string(target);
  if (target == portable) return fmt::format("{} (PTX)", target);
  if (driver_) return fmt::format("{} (PTX: this machine's driver makes no machine code for it)", target);
  return fmt::format("{} (PTX: ptxas is neither on PATH nor in SELVAGE_PTXAS, and there is no NVIDIA driver)", target);
}

}  // namespace tools
