// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices of the stand-in for OpenCL, and what the tests on them share.
#pragma once

#include "backends/back_ends.hpp"
#include "check.hpp"
#include "compiled.hpp"
#include "device_state.hpp"
#include "fake_opencl.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace selvage::test {

inline std::vector<fake_opencl_platform> platforms() {
  const std::string single = "cl_khr_il_program";
  const std::string shared = "cl_khr_fp64 cl_intel_unified_shared_memory";
  return {{.name = "Fake Platform",
           .version = "OpenCL 3.0 fake",
           .devices = {{.name = "processor", .type = 1 << 1},
                       {.name = "shared", .extensions = shared, .svm = 1, .shared_host = 3, .shared_device = 3},
                       {.name = "fine"},
                       {.name = "coarse", .svm = 1},
                       {.name = "single", .extensions = single},
                       {.name = "older", .il = "SPIR-V_1.0 SPIR-V_1.2"},
                       {.name = "half shared", .extensions = shared, .svm = 1, .shared_device = 3},
                       {.name = "small", .group = 128},
                       {.name = "source only", .il = ""},
                       {.name = "oldest", .il = "SPIR-V_1.0 SPIR-V_1.1"},
                       {.name = "narrow", .address_bits = 32},
                       {.name = "off", .available = false},
                       {.name = "frozen", .compiler = false},
                       {.name = "apart", .version = "OpenCL 1.2 fake", .svm = 0}}},
          {.name = "Empty Platform", .version = "OpenCL 3.0", .devices = {}},
          {.name = "Portable Computing Language",
           .version = "OpenCL 3.0 PoCL 9.9  Linux, LLVM 99.0.1, SLEEF",
           .devices = {{.name = "bitcode", .il = ""}}},
          {.name = "rusticl", .version = "OpenCL 3.0", .devices = {{.name = "framed", .il = ""}}}};
}

/// Opened before the runtime looks for a loader: dlopen then finds this one by its name.
inline void* const library = dlopen(SELVAGE_TEST_OPENCL, RTLD_NOW | RTLD_LOCAL);

inline fake_opencl& fake() {
  static fake_opencl& f = []() -> fake_opencl& {
    fake_opencl& opened = *reinterpret_cast<fake_opencl_function>(dlsym(library, "selvage_fake_opencl"))();
    opened.platforms = platforms();
    return opened;
  }();
  return f;
}

/// For a scope, a function of the loader fails.
struct failing {
  failing(const char* function, int code) : name(function) { fake().failures[name] = code; }
  ~failing() { fake().failures.erase(name); }
  std::string name;
};

using devices = std::vector<std::shared_ptr<backend::device>>;

/// The devices of a back end that sees the stand-in.
inline devices all_of_them() {
  fake();
  return backend::opencl_provider()->devices();
}
inline backend::device& named(const char* name) {
  static const devices all = all_of_them();
  for (const auto& d : all)
    if (d->describe().name == name) return *d;
  FAIL("no device " << name);
  std::abort();
}

/// Through the runtime, which has a back end of its own.
inline device of_runtime(const char* name) {
  fake();
  for (const device& d : device::all_by_every_back_end())
    if (d.describe().name == name) return d;
  FAIL("no device " << name);
  std::abort();
}

inline std::vector<std::byte> code_of(std::initializer_list<std::uint32_t> more = {}, std::uint32_t version = 0x10400) {
  std::vector<std::uint32_t> words{0x07230203, version, 0, 9, 0};
  words.insert(words.end(), more);
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

inline codegen::compiled_kernel for_opencl(codegen::compiled_kernel k) {
  k.format = codegen::code_format::spirv;
  k.code = code_of();
  return k;
}

/// y += a x, as the slots of its arguments.
inline codegen::step daxpy_step(const char* entry = "daxpy") {
  using source = codegen::argument_slot::source;
  codegen::step s;
  s.entry = entry;
  s.block_bytes = 56;
  for (std::uint32_t p = 0; p < 2; ++p)
    s.slots.insert(s.slots.end(), {{source::pointer, p, 0, p * 24, 8},
                                   {source::extent, p, 0, p * 24 + 8, 8},
                                   {source::stride, p, 0, p * 24 + 16, 8}});
  s.slots.push_back({source::value, 2, 0, 48, 8});
  return s;
}
struct daxpy_block {
  void* y;
  std::int64_t y_extent = 2, y_stride = 1;
  void* x;
  std::int64_t x_extent = 2, x_stride = 1;
  double a = 2;
};
inline std::span<const std::byte> bytes_of(const daxpy_block& b) {
  return std::as_bytes(std::span(&b, 1));
}

/// A device with a queue, a kernel and memory for it, for a scope; afterwards the driver has what it had before.
struct bench {
  explicit bench(const char* name) : d(named(name)), before(counts()) {
    q = d.open_queue();
    m = d.load(code_of(), codegen::code_format::spirv);
    e = d.find(m, daxpy_step());
    memory = d.allocate(16, backend::memory::device);
  }
  ~bench() {
    d.free(memory, backend::memory::device);
    d.unload(m);
    d.close_queue(q);
    CHECK(counts() == before);
    CHECK(fake().foreign == 0);
    CHECK(fake().stuck == 0);
  }
  static std::array<std::size_t, 5> counts() {
    return {fake().allocations, fake().queues, fake().programs, fake().kernels, fake().events};
  }
  void put(std::array<double, 2> from) {
    home = from;
    d.copy(q, memory, home.data(), 16, backend::direction::to_device);
  }
  void launch() { d.launch(q, e, {.groups = {1, 1, 1}, .group = {2, 1, 1}}, bytes_of({.y = memory, .x = memory})); }

  backend::device& d;
  std::array<std::size_t, 5> before;
  backend::queue* q;
  backend::module* m;
  backend::entry* e;
  void* memory;
  std::array<double, 2> home{};
};

}  // namespace selvage::test
