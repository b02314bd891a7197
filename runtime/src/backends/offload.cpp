// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUs through LLVM's liboffload: NVIDIA and AMD by one code path. A plug-in, so that nothing of it is needed without
// one.
#include "nvidia.hpp"

#include <selvage/codegen/recipe.hpp>
#include <selvage/error.hpp>
#include <selvage/runtime/backend.hpp>

#include <fmt/format.h>
#include <offload/OffloadAPI.h>

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace selvage::inline v0::backend {
namespace {

/// Turns a failed call into an error. The text is the driver's, by way of liboffload.
template <class... What>
void check(ol_result_t result, fmt::format_string<What...> what, What&&... arguments) {
  if (result == OL_SUCCESS) return;
  const std::string text = result->Details != nullptr ? result->Details : "no reason given";
  const bool memory = result->Code == OL_ERRC_OUT_OF_RESOURCES || text.find("out of memory") != std::string::npos;
  throw error(memory ? error_code::out_of_memory : error_code::device_failure,
              fmt::format("offload: {} failed: {} (liboffload's code {})",
                          fmt::format(what, std::forward<What>(arguments)...), text, static_cast<int>(result->Code)));
}

std::string text_of(ol_device_handle_t device, ol_device_info_t what) {
  std::size_t size = 0;
  if (olGetDeviceInfoSize(device, what, &size) != OL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (olGetDeviceInfo(device, what, size, text.data()) != OL_SUCCESS) return {};
  text.resize(text.find('\0') == std::string::npos ? size : text.find('\0'));
  return text;
}

template <class T>
T number_of(ol_device_handle_t device, ol_device_info_t what, T otherwise) {
  T value{};
  return olGetDeviceInfo(device, what, sizeof value, &value) == OL_SUCCESS ? value : otherwise;
}

ol_platform_backend_t platform_of(ol_device_handle_t device) {
  ol_platform_handle_t platform = nullptr;
  ol_platform_backend_t kind = OL_PLATFORM_BACKEND_UNKNOWN;
  check(olGetDeviceInfo(device, OL_DEVICE_INFO_PLATFORM, sizeof platform, static_cast<void*>(&platform)),
        "asking a device for its platform");
  check(olGetPlatformInfo(platform, OL_PLATFORM_INFO_BACKEND, sizeof kind, &kind), "asking for a platform's kind");
  return kind;
}

/// What liboffload does not tell of an NVIDIA GPU, asked from its driver by the GPU's number, which is liboffload's
/// too.
class cuda_driver {
 public:
  cuda_driver() : library_(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) library_ = dlopen("libcuda.so", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    device_get_ = reinterpret_cast<int (*)(int*, int)>(dlsym(library_, "cuDeviceGet"));
    attribute_ = reinterpret_cast<int (*)(int*, int, int)>(dlsym(library_, "cuDeviceGetAttribute"));
  }
  bool present() const { return library_ != nullptr; }

  /// -1 if it does not say.
  int attribute(int number, int which) const {
    int device = 0;
    int value = -1;
    if (device_get_ == nullptr || attribute_ == nullptr || device_get_(&device, number) != 0) return -1;
    return attribute_(&value, which, device) == 0 ? value : -1;
  }

 private:
  void* library_;
  int (*device_get_)(int*, int) = nullptr;
  int (*attribute_)(int*, int, int) = nullptr;
};

// CUdevice_attribute, as cuda.h numbers them.
constexpr int attribute_group = 1;
constexpr int attribute_grid[3] = {5, 6, 7};
constexpr int attribute_major = 75;
constexpr int attribute_minor = 76;

/// A driver's version such as "13000" is 13.0 to everybody.
std::string version_text(const std::string& driver) {
  char* end = nullptr;
  const long n = std::strtol(driver.c_str(), &end, 10);
  return end == driver.c_str() || *end != '\0' || n < 1000 ? driver
                                                           : fmt::format("CUDA {}.{}", n / 1000, n % 1000 / 10);
}

template <class Ours, class Theirs>
Ours* ours(Theirs* handle) {
  return reinterpret_cast<Ours*>(handle);
}
ol_queue_handle_t queue_of(queue* q) {
  return reinterpret_cast<ol_queue_handle_t>(q);
}
ol_event_handle_t event_of(event* e) {
  return reinterpret_cast<ol_event_handle_t>(e);
}

class offload_device final : public device {
 public:
  offload_device(ol_device_handle_t handle, ol_device_handle_t host, description about)
      : device_(handle), host_(host), about_(std::move(about)) {}

  const description& describe() const override { return about_; }
  int suits(std::string_view target, codegen::code_format format) const override {
    return about_.architecture.starts_with("sm_") ? nvidia_suits(about_.architecture, target, format)
                                                  : device::suits(target, format);
  }

  void* allocate(std::size_t bytes, memory kind) override {
    void* p = nullptr;
    check(olMemAlloc(device_, kind == memory::device ? OL_ALLOC_TYPE_DEVICE : OL_ALLOC_TYPE_HOST, bytes, &p),
          "allocating {} bytes", bytes);
    return p;
  }
  void free(void* p, memory) noexcept override { static_cast<void>(olMemFree(p)); }

  queue* open_queue() override {
    ol_queue_handle_t q = nullptr;
    check(olCreateQueue(device_, &q), "opening a queue");
    return ours<queue>(q);
  }
  void close_queue(queue* on) noexcept override { static_cast<void>(olDestroyQueue(queue_of(on))); }

  void copy(queue* on, void* to, const void* from, std::size_t bytes, direction way) override {
    if (bytes == 0) return;  // liboffload refuses the null pointer of an empty range
    const bool up = way == direction::to_device;
    check(olMemcpy(queue_of(on), to, up ? device_ : host_, from, up ? host_ : device_, bytes),
          "copying {} bytes to the {}", bytes, up ? "device" : "host");
  }
  void fill(queue* on, void* to, std::uint8_t value, std::size_t bytes) override {
    if (bytes == 0) return;
    check(olMemFill(queue_of(on), to, 1, &value, bytes), "filling {} bytes", bytes);
  }

  module* load(std::span<const std::byte> code, codegen::code_format format) override {
    if (format == codegen::code_format::shared_object)
      throw error(error_code::unsupported,
                  fmt::format("offload: the machine code is the host's; compile it for '{}'", about_.architecture));
    ol_program_handle_t program = nullptr;
    check(olCreateProgram(device_, code.data(), code.size(), &program), "loading a kernel's code for {}",
          about_.architecture);
    return ours<module>(program);
  }
  void unload(module* loaded) noexcept override {
    static_cast<void>(olDestroyProgram(reinterpret_cast<ol_program_handle_t>(loaded)));
  }
  entry* find(module* in, const codegen::step& of) override {
    const std::string& name = of.entry;
    ol_symbol_handle_t symbol = nullptr;
    check(olGetSymbol(reinterpret_cast<ol_program_handle_t>(in), name.c_str(), OL_SYMBOL_KIND_KERNEL, &symbol),
          "finding the entry '{}' in a kernel's code", name);
    return ours<entry>(symbol);
  }

  void launch(queue* on, entry* what, const grid& over, std::span<const std::byte> block) override {
    ol_kernel_launch_size_args_t size{};
    size.Dimensions = 3;
    size.NumGroups = {static_cast<std::uint32_t>(over.groups[0]), static_cast<std::uint32_t>(over.groups[1]),
                      static_cast<std::uint32_t>(over.groups[2])};
    size.GroupSize = {over.group[0], over.group[1], over.group[2]};
    size.DynSharedMemory = over.shared_bytes;
    check(olLaunchKernel(queue_of(on), device_, reinterpret_cast<ol_symbol_handle_t>(what), block.data(), block.size(),
                         &size),
          "launching [{}, {}, {}] groups of [{}, {}, {}] work-items", over.groups[0], over.groups[1], over.groups[2],
          over.group[0], over.group[1], over.group[2]);
  }

  event* record(queue* on) override {
    ol_event_handle_t e = nullptr;
    check(olCreateEvent(queue_of(on), &e), "recording an event");
    return ours<event>(e);
  }
  void wait(queue* on, event* until) override {
    ol_event_handle_t e = event_of(until);
    check(olWaitEvents(queue_of(on), &e, 1), "making a queue wait for an event");
  }
  bool done(event* e) override {
    bool reached = false;
    check(olGetEventInfo(event_of(e), OL_EVENT_INFO_IS_COMPLETE, sizeof reached, &reached), "asking for an event");
    return reached;
  }
  void synchronise(event* e) override { check(olSyncEvent(event_of(e)), "waiting for an event"); }
  void synchronise(queue* on) override { check(olSyncQueue(queue_of(on)), "waiting for a queue"); }
  void release(event* e) noexcept override { static_cast<void>(olDestroyEvent(event_of(e))); }

 private:
  ol_device_handle_t device_;
  ol_device_handle_t host_;
  description about_;
};

class offload_back_end final : public provider {
 public:
  std::vector<std::shared_ptr<device>> devices() override {
    const cuda_driver cuda;
    // liboffload opens these by themselves; without either it would find nothing, and not say why.
    if (dlopen("libcuda.so", RTLD_NOW | RTLD_LOCAL) == nullptr &&
        dlopen("libhsa-runtime64.so", RTLD_NOW | RTLD_LOCAL) == nullptr)
      throw error(error_code::no_device,
                  cuda.present()
                      ? "offload: NVIDIA's driver is here as libcuda.so.1 only, and liboffload opens libcuda.so; make "
                        "libcuda.so a symbolic link to it"
                      : "offload: there is no GPU driver: neither libcuda.so (NVIDIA) nor libhsa-runtime64.so (AMD) "
                        "can be opened; install the driver of your GPU");
    check(olInit(), "starting liboffload");
    std::vector<ol_device_handle_t> handles;
    const auto collect = [](ol_device_handle_t d, void* into) {
      static_cast<std::vector<ol_device_handle_t>*>(into)->push_back(d);
      return true;
    };
    check(olIterateDevices(collect, &handles), "listing devices");
    ol_device_handle_t host = nullptr;
    for (ol_device_handle_t d : handles)
      if (platform_of(d) == OL_PLATFORM_BACKEND_HOST) host = d;
    if (host == nullptr)
      throw error(error_code::no_device, "offload: liboffload has no host device, which copies need");
    std::vector<std::shared_ptr<device>> found;
    int number = 0;
    for (ol_device_handle_t d : handles) {
      const ol_platform_backend_t kind = platform_of(d);
      if (kind == OL_PLATFORM_BACKEND_CUDA)
        found.push_back(std::make_shared<offload_device>(d, host, describe_cuda(d, cuda, number++)));
      if (kind == OL_PLATFORM_BACKEND_AMDGPU)
        found.push_back(std::make_shared<offload_device>(d, host, describe_amd(d)));
    }
    if (found.empty())
      throw error(error_code::no_device,
                  "offload: the driver is here, but it shows no GPU (is the device visible to this "
                  "process?)");
    return found;
  }

 private:
  static description describe_any(ol_device_handle_t d) {
    description about;
    about.name = text_of(d, OL_DEVICE_INFO_PRODUCT_NAME);
    if (about.name.empty()) about.name = text_of(d, OL_DEVICE_INFO_NAME);
    about.fast_in_32_bits = true;
    about.driver = version_text(text_of(d, OL_DEVICE_INFO_DRIVER_VERSION));
    about.memory_bytes = number_of<std::uint64_t>(d, OL_DEVICE_INFO_GLOBAL_MEM_SIZE, 0);
    about.compute_units = number_of<std::uint32_t>(d, OL_DEVICE_INFO_NUM_COMPUTE_UNITS, 0);
    about.maximum_group = number_of<std::uint32_t>(d, OL_DEVICE_INFO_MAX_WORK_GROUP_SIZE, 1024);
    about.maximum_grid = {0x7fffffff, 65535, 65535};
    return about;
  }

  static description describe_cuda(ol_device_handle_t d, const cuda_driver& cuda, int number) {
    description about = describe_any(d);
    const int major = cuda.attribute(number, attribute_major);
    const int minor = cuda.attribute(number, attribute_minor);
    if (major < 0 || minor < 0)
      throw error(error_code::no_device,
                  fmt::format("offload: NVIDIA's driver does not tell the compute capability of '{}'", about.name));
    about.architecture = fmt::format("sm_{}{}", major, minor);
    if (const int n = cuda.attribute(number, attribute_group); n > 0)
      about.maximum_group = static_cast<std::uint32_t>(n);
    for (std::size_t k = 0; k < 3; ++k)
      if (const int n = cuda.attribute(number, attribute_grid[k]); n > 0)
        about.maximum_grid[k] = static_cast<std::uint64_t>(n);
    return about;
  }

  static description describe_amd(ol_device_handle_t d) {
    description about = describe_any(d);
    about.architecture = text_of(d, OL_DEVICE_INFO_NAME);  // such as gfx942
    // A dispatch counts its work-items in 32 bits an axis; groups of 256 at most come of our kernels.
    about.maximum_grid = {0xffffffffU / 256, 0xffffffffU / 256, 0xffffffffU / 256};
    return about;
  }
};

}  // namespace
}  // namespace selvage::inline v0::backend

/// The plug-in's one symbol.
extern "C" __attribute__((visibility("default"))) selvage::backend::provider* selvage_backend_v1() {
  static auto* const p = new selvage::backend::offload_back_end;
  return p;
}
