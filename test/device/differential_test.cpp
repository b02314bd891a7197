// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random images and mathematical functions on GPUs, against the interpreter: the recipe followed by hand on the bare back
// end, so that the variant is the test's choice. SELVAGE_SEED chooses the first seed, SELVAGE_IMAGES how many.
#include "device_fixture.hpp"
#include "executors.hpp"
#include "math.hpp"
#include "math_bounds.hpp"

#include <selvage/codegen/compile.hpp>
#include <selvage/runtime/backend.hpp>

#include <device_state.hpp>

#include <doctest/doctest.h>

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace selvage::test {
namespace {

codegen::generator& generator() {
  static codegen::generator& opened = [&]() -> codegen::generator& {
    std::string file = SELVAGE_CODEGEN_PLUGIN;
    if (const char* folder = std::getenv("SELVAGE_PLUGIN_PATH"); folder != nullptr && *folder != '\0')
      file = std::string(folder) + "/libselvage_codegen.so";
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* symbol = library == nullptr ? nullptr : dlsym(library, codegen::plugin_symbol);
    if (symbol == nullptr) throw std::runtime_error("cannot open the code generator: " + std::string(dlerror()));
    return *reinterpret_cast<codegen::plugin_function>(symbol)();
  }();
  return opened;
}

/// The value of a size for a case.
std::int64_t evaluate(const codegen::size_expression& e, const launch_case& one) {
  using code = codegen::size_expression::code;
  std::vector<std::int64_t> values;
  for (const auto& row : e.rows) {
    const auto a = [&] { return values.at(row.a); };
    const auto b = [&] { return values.at(row.b); };
    switch (row.op) {
      case code::literal: values.push_back(row.value); break;
      case code::domain_extent: values.push_back(one.domain[row.a]); break;
      case code::parameter_extent: values.push_back(one.arguments[row.a].extents[row.b]); break;
      case code::add: values.push_back(a() + b()); break;
      case code::multiply: values.push_back(a() * b()); break;
      case code::ceil_divide: values.push_back((a() + b() - 1) / b()); break;
      case code::minimum: values.push_back(std::min(a(), b())); break;
      case code::maximum: values.push_back(std::max(a(), b())); break;
    }
  }
  return values.back();
}

/// Memory of a device, for the length of a case.
class device_memory {
 public:
  device_memory(backend::device& on, std::size_t bytes, backend::memory kind)
      : on_(on), kind_(kind), pointer_(on.allocate(std::max<std::size_t>(bytes, 1), kind)) {}
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory() { on_.free(pointer_, kind_); }
  void* get() const { return pointer_; }

 private:
  backend::device& on_;
  backend::memory kind_;
  void* pointer_;
};

/// Where a slot's value comes from.
void put(std::vector<std::byte>& block, const codegen::argument_slot& slot, const launch_case& one,
         const std::vector<void*>& first, void* fault) {
  using source = codegen::argument_slot::source;
  const auto write = [&](const auto& v) { std::memcpy(block.data() + slot.offset, &v, slot.size); };
  const case_argument* a = slot.parameter < one.arguments.size() ? &one.arguments[slot.parameter] : nullptr;
  switch (slot.from) {
    case source::pointer: write(first[slot.parameter]); break;
    case source::extent: write(a->extents[slot.dimension]); break;
    case source::stride: write(a->strides[slot.dimension]); break;
    case source::value: write(a->value); break;  // little-endian: the low bytes are the value
    case source::domain_extent: write(one.domain[slot.dimension]); break;
    case source::fault: write(fault); break;
    case source::scratch: throw std::runtime_error("no kernel of one step has scratch memory");
  }
}

outcome run_on_device(const device& d, const launch_case& one, codegen::variant v) {
  backend::device& on = d.state()->back_end();
  v.wide_grid = one.seed % 3 == 0;
  const codegen::compiled_kernel kernel = generator().compile(one.image.view(), on.describe().architecture, v);
  std::unique_ptr<backend::queue, std::function<void(backend::queue*)>> queue(
      on.open_queue(), [&](backend::queue* q) { on.close_queue(q); });
  std::unique_ptr<backend::module, std::function<void(backend::module*)>> module(
      on.load(kernel.code, kernel.format), [&](backend::module* m) { on.unload(m); });

  outcome result;
  std::vector<std::unique_ptr<device_memory>> memory;
  std::vector<void*> first;
  for (const case_argument& a : one.arguments) {
    result.memory.push_back(a.bytes);
    memory.push_back(std::make_unique<device_memory>(on, a.bytes.size(), backend::memory::device));
    on.copy(queue.get(), memory.back()->get(), a.bytes.data(), a.bytes.size(), backend::direction::to_device);
    first.push_back(static_cast<std::byte*>(memory.back()->get()) + a.first * ir::properties(a.about.element).bytes);
  }
  const device_memory fault(on, sizeof(ir::fault_record), backend::memory::mapped);
  std::memset(fault.get(), 0, sizeof(ir::fault_record));

  for (const codegen::step& s : kernel.recipe.steps) {
    backend::grid grid;
    bool empty = false;
    for (std::size_t k = 0; k < 3; ++k) {
      grid.groups[k] = static_cast<std::uint64_t>(evaluate(s.grid[k], one));
      grid.group[k] = s.group[k];
      if (v.wide_grid && k != 0) grid.groups[k] = std::min<std::uint64_t>(grid.groups[k], 2);
      empty = empty || grid.groups[k] == 0;
    }
    std::vector<std::byte> block(s.block_bytes);
    for (const codegen::argument_slot& slot : s.slots) put(block, slot, one, first, fault.get());
    if (!empty) on.launch(queue.get(), on.find(module.get(), s), grid, block);
  }
  for (std::size_t k = 0; k < memory.size(); ++k)
    on.copy(queue.get(), result.memory[k].data(), memory[k]->get(), result.memory[k].size(), backend::direction::to_host);
  on.synchronise(queue.get());
  ir::fault_record found{};
  std::memcpy(&found, fault.get(), sizeof found);
  if (found.claimed != 0) result.faults.push_back(found);
  return result;
}

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

GPU_TEST_CASE("random images agree with the interpreter, bit for bit") {
  const std::uint64_t seed = setting("SELVAGE_SEED", 1);
  const executor run = [&](const launch_case& one, const codegen::variant& v) { return run_on_device(device, one, v); };
  int failures = 0;
  for (std::uint64_t k = 0; k < setting("SELVAGE_IMAGES", 256) && failures < 5; ++k) {
    const std::string found = compare(seed + k, interpreted, run);
    INFO(found);
    CHECK(found.empty());
    failures += found.empty() ? 0 : 1;
  }
}

GPU_TEST_CASE("mathematical functions are within their bounds") {
  const executor run = [&](const launch_case& one, const codegen::variant& v) { return run_on_device(device, one, v); };
  for (const math_bound& bound : math_bounds) {
    for (const ir::type t : {ir::type::float32, ir::type::float64}) {
      const math_result r = measure(bound.function, t, run);
      INFO(ir::properties(bound.function).name << " " << ir::properties(t).name << " " << r.worst << " ulp: " << r.where);
      CHECK(r.worst <= bound.ulps);
    }
  }
}

}  // namespace
}  // namespace selvage::test
