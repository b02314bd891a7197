// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host as a device: kernels are shared objects that run on all cores, on the host's own memory.
#include "back_ends.hpp"
#include "host_pool.hpp"

#include <selvage/codegen/recipe.hpp>
#include <selvage/error.hpp>

#include <fmt/format.h>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>

namespace selvage::inline v0::backend {
namespace {

struct host_module {
  int file =
      -1;  ///< kept open while loaded: glibc tells libraries apart by name, and a closed number would be used again
  void* library = nullptr;
};

/// The value of a line "name : value" in a file such as /proc/cpuinfo; empty if there is none.
std::string line_of(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, name.size(), name) != 0) continue;
    const std::size_t colon = line.find(':');
    const std::size_t first = colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
    if (first != std::string::npos) return line.substr(first);
  }
  return {};
}

queue* opaque(host_queue* q) {
  return reinterpret_cast<queue*>(q);
}
std::shared_ptr<host_queue> queue_of(queue* q) {
  return reinterpret_cast<host_queue*>(q)->shared_from_this();
}
host_event& event_of(event* e) {
  return *reinterpret_cast<host_event*>(e);
}

class host_device final : public device {
 public:
  host_device() {
    const std::string model = line_of("/proc/cpuinfo", "model name");
    about_.name = model.empty() ? "host" : model;
    about_.architecture = "host";
    about_.memory_bytes =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    about_.compute_units = static_cast<std::uint32_t>(pool_.threads());
    about_.maximum_group = 1;
    about_.maximum_grid = {std::uint64_t{1} << 62, std::uint64_t{1} << 62, std::uint64_t{1} << 62};
    about_.shares_host_memory = true;
  }
  const description& describe() const override { return about_; }
  int suits(std::string_view target, codegen::code_format format) const override {
    if (format != codegen::code_format::shared_object) return 0;
    // The levels of the x86-64 psABI. The compiler's builtin takes literals only.
    if (target == "x86-64-v4") return __builtin_cpu_supports("x86-64-v4") ? 904 : 0;
    if (target == "x86-64-v3") return __builtin_cpu_supports("x86-64-v3") ? 903 : 0;
    if (target == "x86-64-v2") return __builtin_cpu_supports("x86-64-v2") ? 902 : 0;
    return target == "x86-64" ? 901 : device::suits(target, format);
  }

  void* allocate(std::size_t bytes, memory) override {
    void* p = bytes > SIZE_MAX - 63 ? nullptr : std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (p == nullptr) throw error(error_code::out_of_memory, fmt::format("host: no {} bytes of memory", bytes));
    return p;
  }
  void free(void* p, memory) noexcept override { std::free(p); }

  queue* open_queue() override {
    auto q = std::make_shared<host_queue>();
    queue* const opened = opaque(q.get());
    const std::lock_guard lock(mutex_);
    open_.push_back(std::move(q));
    return opened;
  }
  void close_queue(queue* on) noexcept override {
    const std::lock_guard lock(mutex_);
    std::erase_if(open_, [&](const std::shared_ptr<host_queue>& q) { return opaque(q.get()) == on; });
  }

  void copy(queue* on, void* to, const void* from, std::size_t bytes, direction) override {
    put(on, [&](host_command& c) {
      c.what = host_command::kind::copy;
      c.to = to, c.from = from, c.bytes = bytes;
    });
  }
  void fill(queue* on, void* to, std::uint8_t value, std::size_t bytes) override {
    put(on, [&](host_command& c) {
      c.what = host_command::kind::fill;
      c.to = to, c.value = value, c.bytes = bytes;
    });
  }

  module* load(std::span<const std::byte> code, codegen::code_format format) override {
    if (format != codegen::code_format::shared_object)
      throw error(error_code::unsupported,
                  "host: the machine code is not a shared object; compile it for target 'host'");
    open_math();
    auto loaded = std::make_unique<host_module>();
    loaded->file = memfd_create("selvage-kernel", MFD_CLOEXEC);
    if (loaded->file < 0)
      throw error(error_code::device_failure, fmt::format("host: memfd_create failed: {}", std::strerror(errno)));
    for (std::size_t done = 0; done < code.size();) {
      const ssize_t n = write(loaded->file, code.data() + done, code.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) {
        const int reason = errno;
        close(loaded->file);
        throw error(error_code::device_failure,
                    fmt::format("host: writing a kernel's code failed: {}", std::strerror(reason)));
      }
      done += static_cast<std::size_t>(n);
    }
    loaded->library = dlopen(fmt::format("/proc/self/fd/{}", loaded->file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded->library == nullptr) {
      const char* reason = dlerror();
      close(loaded->file);
      throw error(error_code::device_failure, fmt::format("host: a kernel's code cannot be loaded: {}", reason));
    }
    return reinterpret_cast<module*>(loaded.release());
  }
  void unload(module* m) noexcept override {
    const std::unique_ptr<host_module> loaded(reinterpret_cast<host_module*>(m));
    dlclose(loaded->library);
    close(loaded->file);
  }
  entry* find(module* in, const codegen::step& of) override {
    const std::string& name = of.entry;
    void* const symbol = dlsym(reinterpret_cast<host_module*>(in)->library, name.c_str());
    if (symbol == nullptr)
      throw error(error_code::invalid_file, fmt::format("host: a kernel's code has no entry '{}'", name));
    return static_cast<entry*>(symbol);
  }

  void launch(queue* on, entry* what, const grid& over, std::span<const std::byte> block) override {
    put(on, [&](host_command& c) {
      c.what = host_command::kind::launch;
      c.entry = reinterpret_cast<host_entry>(what);
      for (std::size_t d = 0; d < 3; ++d) c.extents[d] = static_cast<std::int64_t>(over.groups[d]);
      c.block.assign(block.begin(), block.end());
    });
  }

  event* record(queue* on) override {
    auto q = queue_of(on);
    const std::uint64_t count = pool_.submitted(*q);
    return reinterpret_cast<event*>(new host_event{std::move(q), count});
  }
  void wait(queue* on, event* until) override {
    put(on, [&](host_command& c) {
      c.what = host_command::kind::wait;
      c.until = event_of(until);
    });
  }
  bool done(event* e) override {
    const host_event& h = event_of(e);
    return h.queue->completed.load(std::memory_order_acquire) >= h.count;
  }
  void synchronise(event* e) override { pool_.await(*event_of(e).queue, event_of(e).count); }
  void synchronise(queue* on) override {
    const auto q = queue_of(on);
    pool_.await(*q, pool_.submitted(*q));
  }
  void release(event* e) noexcept override { delete &event_of(e); }

 private:
  template <class Fill>
  void put(queue* on, Fill&& fill_in) {
    const auto q = queue_of(on);
    std::unique_ptr<host_command> c = pool_.command(*q);
    fill_in(*c);
    pool_.put(*q, std::move(c));
  }

  /// Kernels call vector functions that nothing else of the program need have loaded.
  static void open_math() {
    static std::once_flag once;
    std::call_once(once, [] {
      for (const char* library : {"libm.so.6", "libmvec.so.1"}) dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    });
  }

  host_pool& pool_ = *new host_pool;
  description about_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<host_queue>> open_;
};

class host_back_end final : public provider {
 public:
  std::vector<std::shared_ptr<device>> devices() override { return {std::make_shared<host_device>()}; }
};

}  // namespace

provider* host_provider() {
  static auto* const p = new host_back_end;
  return p;
}

}  // namespace selvage::inline v0::backend
