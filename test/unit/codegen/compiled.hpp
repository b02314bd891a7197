// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest launcher that a recipe allows: opens the plug-in, loads host code, fills argument blocks from slots.
#pragma once

#include <selvage/codegen/compile.hpp>
#include <selvage/ir/fault.hpp>

#include <image_builder.hpp>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace selvage::test {

/// The plug-in, as built.
inline codegen::generator& generator() {
  static codegen::generator* const one = [] {
    void* const plugin = dlopen(SELVAGE_CODEGEN_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) throw std::runtime_error(dlerror());
    dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
    dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL);
    return reinterpret_cast<codegen::plugin_function>(dlsym(plugin, codegen::plugin_symbol))();
  }();
  return *one;
}

/// One argument of a launch.
struct argument {
  void* pointer = nullptr;
  std::array<std::int64_t, 3> extents{};
  std::array<std::int64_t, 3> strides{};
  std::uint64_t value = 0;
};

/// A view of a vector, row-major.
template <class T>
argument view_of(std::vector<T>& data, std::vector<std::int64_t> extents) {
  argument a;
  a.pointer = data.data();
  std::int64_t stride = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    a.extents[d] = extents[d];
    a.strides[d] = stride;
    stride *= extents[d];
  }
  return a;
}
template <class T>
argument view_of(std::vector<T>& data) {
  return view_of(data, {static_cast<std::int64_t>(data.size())});
}
template <class T>
argument value_of(T v) {
  argument a;
  a.value = ir::to_bits(v);
  return a;
}

/// A compiled kernel for the host, loaded.
class host_kernel {
 public:
  host_kernel(const built_image& image, codegen::variant v = {}, const std::string& target = "host")
      : kernel_(generator().compile(image.view(), target, v)), rank_(image.view().header.domain_rank) {
    file_ = memfd_create("kernel", MFD_CLOEXEC);
    if (write(file_, kernel_.code.data(), kernel_.code.size()) != static_cast<ssize_t>(kernel_.code.size()))
      throw std::runtime_error("writing the kernel's code");
    library_ = dlopen(("/proc/self/fd/" + std::to_string(file_)).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    entry_ = reinterpret_cast<entry_function>(dlsym(library_, kernel_.recipe.steps.at(0).entry.c_str()));
    if (entry_ == nullptr) throw std::runtime_error(dlerror());
  }
  host_kernel(const host_kernel&) = delete;
  host_kernel& operator=(const host_kernel&) = delete;
  ~host_kernel() {
    dlclose(library_);
    close(file_);  // not before: the loader knows libraries by their path, and the number would be given out again
  }

  const codegen::launch_recipe& recipe() const { return kernel_.recipe; }

  /// Runs the domain (axis 0 slowest) in `parts` boxes along the fastest axis. Gives the fault record back.
  ir::fault_record operator()(const std::vector<argument>& arguments, const std::vector<std::int64_t>& domain,
                              std::int64_t parts = 1) const {
    ir::fault_record fault{};
    const auto block = block_for(arguments, domain, fault);
    for (std::int64_t p = 0; p < parts; ++p) run(block, domain, p, parts);
    return fault;
  }

  /// The same for a domain of one axis, each box on its own thread.
  ir::fault_record on_threads(const std::vector<argument>& arguments, std::int64_t n, std::int64_t threads) const {
    ir::fault_record fault{};
    const auto block = block_for(arguments, {n}, fault);
    std::vector<std::thread> running;
    for (std::int64_t p = 0; p < threads; ++p)
      running.emplace_back([this, &block, n, p, threads] { run(block, {n}, p, threads); });
    for (std::thread& t : running) t.join();
    return fault;
  }

 private:
  std::vector<std::uint64_t> block_for(const std::vector<argument>& arguments, const std::vector<std::int64_t>& domain,
                                       ir::fault_record& fault) const {
    using source = codegen::argument_slot::source;
    const codegen::step& step = kernel_.recipe.steps.at(0);
    std::vector<std::uint64_t> block((step.block_bytes + 7) / 8);
    for (const codegen::argument_slot& slot : step.slots) {
      std::uint64_t bits = 0;
      const auto& given =
          slot.from == source::domain_extent || slot.from == source::fault ? argument{} : arguments.at(slot.parameter);
      switch (slot.from) {
        case source::pointer:
          bits = reinterpret_cast<std::uintptr_t>(given.pointer);
          break;
        case source::extent:
          bits = static_cast<std::uint64_t>(given.extents[slot.dimension]);
          break;
        case source::stride:
          bits = static_cast<std::uint64_t>(given.strides[slot.dimension]);
          break;
        case source::value:
          bits = given.value;
          break;
        case source::domain_extent:
          bits = static_cast<std::uint64_t>(domain.at(slot.dimension));
          break;
        case source::fault:
          bits = reinterpret_cast<std::uintptr_t>(&fault);
          break;
        case source::scratch:
          throw std::runtime_error("no scratch memory here");
      }
      std::memcpy(reinterpret_cast<char*>(block.data()) + slot.offset, &bits, slot.size);
    }
    return block;
  }

  void run(const std::vector<std::uint64_t>& block, const std::vector<std::int64_t>& domain, std::int64_t part,
           std::int64_t parts) const {
    std::int64_t begin[3] = {};
    std::int64_t end[3] = {1, 1, 1};
    for (std::uint32_t k = 0; k < rank_; ++k) end[k] = domain.at(rank_ - 1 - k);
    begin[0] = domain.back() * part / parts;
    end[0] = domain.back() * (part + 1) / parts;
    entry_(block.data(), begin, end);
  }

  using entry_function = void (*)(const void*, const std::int64_t*, const std::int64_t*);
  codegen::compiled_kernel kernel_;
  std::uint32_t rank_;
  int file_ = -1;
  void* library_ = nullptr;
  entry_function entry_ = nullptr;
};

/// All variants that the host knows.
inline std::vector<codegen::variant> host_variants() {
  std::vector<codegen::variant> all;
  for (const bool guarded : {true, false})
    for (const bool contiguous : {true, false}) all.push_back({guarded, contiguous, false, false});
  return all;
}

}  // namespace selvage::test
