// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA GPUs through the driver's own library, opened at run time: no toolkit, no LLVM. Names and numbers are those of
// cuda.h.
#include "back_ends.hpp"
#include "../once.hpp"
#include "nvidia.hpp"

#include <selvage/codegen/recipe.hpp>
#include <selvage/error.hpp>

#include <fmt/format.h>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace selvage::inline v0::backend {
namespace {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
static_assert(sizeof(void*) == 8, "one address means one thing to host and device in 64-bit processes only");

constexpr CUresult CUDA_SUCCESS = 0;
constexpr CUresult CUDA_ERROR_OUT_OF_MEMORY = 2;
constexpr CUresult CUDA_ERROR_NO_BINARY_FOR_GPU = 209;
constexpr CUresult CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222;
constexpr CUresult CUDA_ERROR_NOT_READY = 600;

constexpr int CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1;
constexpr int CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5;  // y and z follow
constexpr int CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16;
constexpr int CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75;
constexpr int CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76;

constexpr unsigned CU_MEMHOSTALLOC_PORTABLE = 1;
constexpr unsigned CU_MEMHOSTALLOC_DEVICEMAP = 2;
constexpr unsigned CU_STREAM_NON_BLOCKING = 1;
constexpr unsigned CU_EVENT_DISABLE_TIMING = 2;
constexpr int CU_JIT_ERROR_LOG_BUFFER = 5;
constexpr int CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6;
constexpr int CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;
constexpr std::uintptr_t CU_LAUNCH_PARAM_END = 0;
constexpr std::uintptr_t CU_LAUNCH_PARAM_BUFFER_POINTER = 1;
constexpr std::uintptr_t CU_LAUNCH_PARAM_BUFFER_SIZE = 2;

/// The driver's functions: a row is the name, the suffix of the version whose types are given, and these types.
#define SELVAGE_CUDA_FUNCTIONS(ROW)                                                                                   \
  ROW(cuInit, "", unsigned)                                                                                           \
  ROW(cuGetErrorName, "", CUresult, const char**)                                                                     \
  ROW(cuGetErrorString, "", CUresult, const char**)                                                                   \
  ROW(cuDriverGetVersion, "", int*)                                                                                   \
  ROW(cuDeviceGetCount, "", int*)                                                                                     \
  ROW(cuDeviceGet, "", CUdevice*, int)                                                                                \
  ROW(cuDeviceGetName, "", char*, int, CUdevice)                                                                      \
  ROW(cuDeviceGetAttribute, "", int*, int, CUdevice)                                                                  \
  ROW(cuDeviceTotalMem, "_v2", std::size_t*, CUdevice)                                                                \
  ROW(cuDevicePrimaryCtxRetain, "", CUcontext*, CUdevice)                                                             \
  ROW(cuCtxGetCurrent, "", CUcontext*)                                                                                \
  ROW(cuCtxPushCurrent, "_v2", CUcontext)                                                                             \
  ROW(cuCtxPopCurrent, "_v2", CUcontext*)                                                                             \
  ROW(cuMemAlloc, "_v2", CUdeviceptr*, std::size_t)                                                                   \
  ROW(cuMemFree, "_v2", CUdeviceptr)                                                                                  \
  ROW(cuMemHostAlloc, "", void**, std::size_t, unsigned)                                                              \
  ROW(cuMemFreeHost, "", void*)                                                                                       \
  ROW(cuMemcpyHtoDAsync, "_v2", CUdeviceptr, const void*, std::size_t, CUstream)                                      \
  ROW(cuMemcpyDtoHAsync, "_v2", void*, CUdeviceptr, std::size_t, CUstream)                                            \
  ROW(cuMemsetD8Async, "", CUdeviceptr, unsigned char, std::size_t, CUstream)                                         \
  ROW(cuStreamCreate, "", CUstream*, unsigned)                                                                        \
  ROW(cuStreamDestroy, "_v2", CUstream)                                                                               \
  ROW(cuStreamSynchronize, "", CUstream)                                                                              \
  ROW(cuStreamWaitEvent, "", CUstream, CUevent, unsigned)                                                             \
  ROW(cuEventCreate, "", CUevent*, unsigned)                                                                          \
  ROW(cuEventDestroy, "_v2", CUevent)                                                                                 \
  ROW(cuEventRecord, "", CUevent, CUstream)                                                                           \
  ROW(cuEventQuery, "", CUevent)                                                                                      \
  ROW(cuEventSynchronize, "", CUevent)                                                                                \
  ROW(cuModuleLoadDataEx, "", CUmodule*, const void*, unsigned, int*, void**)                                         \
  ROW(cuModuleUnload, "", CUmodule)                                                                                   \
  ROW(cuModuleGetFunction, "", CUfunction*, CUmodule, const char*)                                                    \
  ROW(cuFuncSetAttribute, "", CUfunction, int, int)                                                                   \
  ROW(cuLaunchKernel, "", CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, \
      void**, void**)

/// libcuda, opened at the first need and never closed.
class driver {
 public:
#define SELVAGE_ROW(name, version, ...) CUresult (*name)(__VA_ARGS__) = nullptr;
  SELVAGE_CUDA_FUNCTIONS(SELVAGE_ROW)
#undef SELVAGE_ROW

  driver() {
    void* library = nullptr;
    std::string tried;
    for (const char* file : {"libcuda.so.1", "libcuda.so"}) {
      library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
      if (library != nullptr) break;
      const char* reason = dlerror();
      tried += fmt::format("{}{}", tried.empty() ? "" : "; ", reason != nullptr ? reason : file);
    }
    if (library == nullptr)
      throw error(error_code::no_device,
                  fmt::format("cuda: there is no NVIDIA driver: libcuda.so.1 cannot be opened; install the driver of "
                              "your GPU (tried: {})",
                              tried));
    std::string missing;
    const auto find = [&](const char* symbol) {
      void* address = dlsym(library, symbol);
      if (address == nullptr) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", symbol);
      return address;
    };
#define SELVAGE_ROW(name, version, ...) name = reinterpret_cast<CUresult (*)(__VA_ARGS__)>(find(#name version));
    SELVAGE_CUDA_FUNCTIONS(SELVAGE_ROW)
#undef SELVAGE_ROW
    if (!missing.empty())
      throw error(error_code::no_device,
                  fmt::format("cuda: NVIDIA's driver lacks {}: it is too old; install a later one", missing));
  }

  /// Turns a failed call into an error. Name and text are the driver's.
  template <class... What>
  void check(CUresult result, fmt::format_string<What...> what, What&&... arguments) const {
    if (result == CUDA_SUCCESS) return;
    fail(result, fmt::format(what, std::forward<What>(arguments)...), {});
  }

  /// `log`, if not empty, is what the driver's compiler said.
  [[noreturn]] void fail(CUresult result, const std::string& what, std::string_view log) const {
    const char* name = nullptr;
    const char* text = nullptr;
    if (cuGetErrorName(result, &name) != CUDA_SUCCESS || name == nullptr) name = "an error without a name";
    if (cuGetErrorString(result, &text) != CUDA_SUCCESS || text == nullptr) text = "no reason given";
    error_code code = error_code::device_failure;
    if (result == CUDA_ERROR_OUT_OF_MEMORY) code = error_code::out_of_memory;
    if (result == CUDA_ERROR_NO_BINARY_FOR_GPU || result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
      code = error_code::unsupported;
    throw error(code, fmt::format("cuda: {} failed: {}: {} (the driver's code {}){}{}", what, name, text, result,
                                  log.empty() ? "" : "; its log: ", log));
  }
};

/// Makes a context the calling thread's for a scope. The thread's own comes back, which may belong to another user of
/// the driver in this program.
class current {
 public:
  current(const driver& cuda, CUcontext context) : current(cuda, context, std::nothrow) {
    cuda.check(result_, "entering a context");
  }
  /// If it fails, the calls in the scope fail as well.
  current(const driver& cuda, CUcontext context, std::nothrow_t) noexcept : cuda_(cuda) {
    CUcontext now = nullptr;
    if (cuda.cuCtxGetCurrent(&now) == CUDA_SUCCESS && now == context) return;
    result_ = cuda.cuCtxPushCurrent(context);
    pushed_ = result_ == CUDA_SUCCESS;
  }
  current(const current&) = delete;
  current& operator=(const current&) = delete;
  ~current() {
    CUcontext context = nullptr;
    if (pushed_) static_cast<void>(cuda_.cuCtxPopCurrent(&context));
  }

 private:
  const driver& cuda_;
  CUresult result_ = CUDA_SUCCESS;
  bool pushed_ = false;
};

CUdeviceptr address_of(const void* p) {
  return reinterpret_cast<CUdeviceptr>(p);
}
CUstream stream_of(queue* q) {
  return reinterpret_cast<CUstream>(q);
}
CUevent event_of(event* e) {
  return reinterpret_cast<CUevent>(e);
}

class cuda_device final : public device {
 public:
  cuda_device(const driver& cuda, CUdevice handle, description about)
      : cuda_(cuda), handle_(handle), about_(std::move(about)) {}

  const description& describe() const override { return about_; }
  int suits(std::string_view target, codegen::code_format format) const override {
    return nvidia_suits(about_.architecture, target, format);
  }

  void* allocate(std::size_t bytes, memory kind) override {
    const current in = enter();
    if (kind == memory::mapped) {
      void* p = nullptr;
      cuda_.check(cuda_.cuMemHostAlloc(&p, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
                  "allocating {} bytes of the host's memory for kernels", bytes);
      return p;
    }
    CUdeviceptr p = 0;
    cuda_.check(cuda_.cuMemAlloc(&p, bytes), "allocating {} bytes", bytes);
    return reinterpret_cast<void*>(p);
  }
  void free(void* p, memory kind) noexcept override {
    const current in(cuda_, context_, std::nothrow);
    static_cast<void>(kind == memory::mapped ? cuda_.cuMemFreeHost(p) : cuda_.cuMemFree(address_of(p)));
  }

  queue* open_queue() override {
    const current in = enter();
    CUstream s = nullptr;
    cuda_.check(cuda_.cuStreamCreate(&s, CU_STREAM_NON_BLOCKING), "opening a queue");
    return reinterpret_cast<queue*>(s);
  }
  void close_queue(queue* on) noexcept override {
    const current in(cuda_, context_, std::nothrow);
    static_cast<void>(cuda_.cuStreamDestroy(stream_of(on)));
  }

  void copy(queue* on, void* to, const void* from, std::size_t bytes, direction way) override {
    if (bytes == 0) return;
    const current in = enter();
    const bool up = way == direction::to_device;
    cuda_.check(up ? cuda_.cuMemcpyHtoDAsync(address_of(to), from, bytes, stream_of(on))
                   : cuda_.cuMemcpyDtoHAsync(to, address_of(from), bytes, stream_of(on)),
                "copying {} bytes to the {}", bytes, up ? "device" : "host");
  }
  void fill(queue* on, void* to, std::uint8_t value, std::size_t bytes) override {
    if (bytes == 0) return;
    const current in = enter();
    cuda_.check(cuda_.cuMemsetD8Async(address_of(to), value, bytes, stream_of(on)), "filling {} bytes", bytes);
  }

  module* load(std::span<const std::byte> code, codegen::code_format format) override {
    check_form(code, format);
    const current in = enter();
    std::array<char, 4096> log{};
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
    CUmodule m = nullptr;
    const CUresult result = cuda_.cuModuleLoadDataEx(&m, code.data(), 2, options, values);
    if (result != CUDA_SUCCESS)
      cuda_.fail(result, fmt::format("loading a kernel's code for {}", about_.architecture), tidy(log.data()));
    return reinterpret_cast<module*>(m);
  }
  void unload(module* loaded) noexcept override {
    const current in(cuda_, context_, std::nothrow);
    static_cast<void>(cuda_.cuModuleUnload(reinterpret_cast<CUmodule>(loaded)));
  }
  entry* find(module* in, const codegen::step& of) override {
    const std::string& name = of.entry;
    const current scope = enter();
    CUfunction f = nullptr;
    cuda_.check(cuda_.cuModuleGetFunction(&f, reinterpret_cast<CUmodule>(in), name.c_str()),
                "finding the entry '{}' in a kernel's code", name);
    return reinterpret_cast<entry*>(f);
  }

  void launch(queue* on, entry* what, const grid& over, std::span<const std::byte> block) override {
    const auto sizes = [&] {
      return fmt::format("launching [{}] groups of [{}] work-items", fmt::join(over.groups, ", "),
                         fmt::join(over.group, ", "));
    };
    std::array<unsigned, 3> groups{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (over.groups[k] > about_.maximum_grid[k])
        throw error(error_code::unsupported, fmt::format("cuda: {}: the device takes [{}] groups at most", sizes(),
                                                         fmt::join(about_.maximum_grid, ", ")));
      groups[k] = static_cast<unsigned>(over.groups[k]);
    }
    const current in = enter();
    const auto f = reinterpret_cast<CUfunction>(what);
    // What every device has without being asked.
    if (over.shared_bytes > 48U * 1024)
      cuda_.check(cuda_.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                           static_cast<int>(over.shared_bytes)),
                  "asking for {} bytes of shared memory a group", over.shared_bytes);
    // The block is laid out as the kernel's parameters are; the driver copies it within the call.
    std::size_t bytes = block.size();
    void* parameters[] = {reinterpret_cast<void*>(CU_LAUNCH_PARAM_BUFFER_POINTER), const_cast<std::byte*>(block.data()),
                          reinterpret_cast<void*>(CU_LAUNCH_PARAM_BUFFER_SIZE), &bytes,
                          reinterpret_cast<void*>(CU_LAUNCH_PARAM_END)};
    const CUresult result =
        cuda_.cuLaunchKernel(f, groups[0], groups[1], groups[2], over.group[0], over.group[1], over.group[2],
                             over.shared_bytes, stream_of(on), nullptr, bytes == 0 ? nullptr : parameters);
    if (result != CUDA_SUCCESS) cuda_.fail(result, sizes(), {});
  }

  event* record(queue* on) override {
    const current in = enter();
    CUevent e = nullptr;
    cuda_.check(cuda_.cuEventCreate(&e, CU_EVENT_DISABLE_TIMING), "making an event");
    const CUresult result = cuda_.cuEventRecord(e, stream_of(on));
    if (result != CUDA_SUCCESS) {
      static_cast<void>(cuda_.cuEventDestroy(e));
      cuda_.fail(result, "recording an event", {});
    }
    return reinterpret_cast<event*>(e);
  }
  void wait(queue* on, event* until) override {
    const current in = enter();
    cuda_.check(cuda_.cuStreamWaitEvent(stream_of(on), event_of(until), 0), "making a queue wait for an event");
  }
  bool done(event* e) override {
    const current in = enter();
    const CUresult result = cuda_.cuEventQuery(event_of(e));
    if (result == CUDA_ERROR_NOT_READY) return false;
    cuda_.check(result, "asking for an event");
    return true;
  }
  void synchronise(event* e) override {
    const current in = enter();
    cuda_.check(cuda_.cuEventSynchronize(event_of(e)), "waiting for an event");
  }
  void synchronise(queue* on) override {
    const current in = enter();
    cuda_.check(cuda_.cuStreamSynchronize(stream_of(on)), "waiting for a queue");
  }
  void release(event* e) noexcept override {
    const current in(cuda_, context_, std::nothrow);
    static_cast<void>(cuda_.cuEventDestroy(event_of(e)));
  }

 private:
  /// The device's primary context, which every other user of the driver in this program shares. It is made at the first
  /// call that needs it: to be listed costs a device nothing.
  current enter() {
    retained_([&] {
      cuda_.check(cuda_.cuDevicePrimaryCtxRetain(&context_, handle_), "opening '{}'", about_.name);
    });
    return {cuda_, context_};
  }

  /// The driver is told no length, so what it would read beyond the end is refused here.
  void check_form(std::span<const std::byte> code, codegen::code_format format) const {
    switch (format) {
      case codegen::code_format::ptx:
        if (code.empty() || code.back() != std::byte{0})
          throw error(error_code::invalid_file, "cuda: a kernel's PTX does not end with a zero byte");
        return;
      case codegen::code_format::cubin:
        if (code.size() < 64 || std::memcmp(code.data(),
                                            "\x7f"
                                            "ELF",
                                            4) != 0)
          throw error(error_code::invalid_file, "cuda: a kernel's machine code is not an ELF file");
        return;
      default:
        throw error(error_code::unsupported,
                    fmt::format("cuda: the machine code is not NVIDIA's; compile it for '{}'", about_.architecture));
    }
  }

  /// One line, without what hangs over at its end.
  static std::string tidy(std::string log) {
    while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
    std::ranges::replace(log, '\n', ' ');
    return log;
  }

  const driver& cuda_;
  CUdevice handle_;
  description about_;
  detail::once retained_;
  CUcontext context_ = nullptr;
};

class cuda_back_end final : public provider {
 public:
  std::vector<std::shared_ptr<device>> devices() override {
    static const driver cuda;  // if this throws, the next call tries again
    if (const CUresult result = cuda.cuInit(0); result != CUDA_SUCCESS) {
      try {
        cuda.check(result, "starting NVIDIA's driver");
      } catch (const error& e) {
        throw error(error_code::no_device, fmt::format("{} (is the GPU visible to this process?)", e.what()));
      }
    }
    int count = 0;
    int version = 0;
    cuda.check(cuda.cuDeviceGetCount(&count), "counting devices");
    cuda.check(cuda.cuDriverGetVersion(&version), "asking for the driver's version");
    if (count == 0)
      throw error(error_code::no_device,
                  "cuda: NVIDIA's driver is here, but it shows no GPU (is the device visible to this process?)");
    std::vector<std::shared_ptr<device>> found;
    for (int k = 0; k < count; ++k) {
      CUdevice d = 0;
      cuda.check(cuda.cuDeviceGet(&d, k), "opening GPU {}", k);
      description about = describe(cuda, d);
      about.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
      found.push_back(std::make_shared<cuda_device>(cuda, d, std::move(about)));
    }
    return found;
  }

 private:
  static description describe(const driver& cuda, CUdevice d) {
    description about;
    std::array<char, 256> name{};
    cuda.check(cuda.cuDeviceGetName(name.data(), static_cast<int>(name.size() - 1), d), "asking for a GPU's name");
    about.name = name.data();
    std::size_t bytes = 0;
    cuda.check(cuda.cuDeviceTotalMem(&bytes, d), "asking for the memory of '{}'", about.name);
    about.memory_bytes = bytes;
    const auto attribute = [&](int which) {
      int value = 0;
      cuda.check(cuda.cuDeviceGetAttribute(&value, which, d), "asking for attribute {} of '{}'", which, about.name);
      return static_cast<std::uint32_t>(value);
    };
    const auto major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    const auto minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    about.architecture = fmt::format("sm_{}{}", major, minor);
    about.compute_units = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    about.maximum_group = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    for (int k = 0; k < 3; ++k)
      about.maximum_grid[static_cast<std::size_t>(k)] = attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + k);
    about.float64 = true;
    about.fast_in_32_bits = true;
    return about;
  }
};

}  // namespace

provider* cuda_provider() {
  static auto* const p = new cuda_back_end;
  return p;
}

}  // namespace selvage::inline v0::backend
