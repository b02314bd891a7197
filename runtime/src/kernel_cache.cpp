// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels, loaded on one device.
#include "kernel_cache.hpp"

#include "bundles.hpp"
#include "dump.hpp"
#include "plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace selvage::inline v0::detail {
namespace {

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t h = bytes.size();
  for (std::size_t k = 0; k < bytes.size(); k += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + k, std::min<std::size_t>(8, bytes.size() - k));
    h = ir::mix(h, word);
  }
  return h == 0 ? 1 : h;
}

std::uint64_t hash_of(const codegen::compiled_kernel& compiled) {
  return hash_of(codegen::serialise(compiled));
}

/// Opened where no bundled code will do.
codegen::generator& generator_for(const ir::image_view& image, const std::string& target, const bundle_choice& bundled) {
  try {
    return code_generator();
  } catch (const error& e) {
    if (bundled.targets.empty()) throw;
    throw error(e.code(), fmt::format("kernel '{}' was compiled ahead of time for {}, none of which suits this device "
                                      "({}) and this launch; {}",
                                      image.name, bundled.targets, target, e.what()));
  }
}

}  // namespace

std::string fault_sentence(const loaded_kernel& kernel, const ir::fault_record& record) {
  std::string item;
  for (std::uint32_t axis = 0; axis < std::min<std::uint32_t>(kernel.domain_rank, ir::maximum_rank); ++axis)
    item += fmt::format("{}{}", axis == 0 ? "" : ", ", record.id[axis]);
  std::string sentence =
      fmt::format("kernel '{}', argument {}: index {} of dimension {} outside extent {}, work-item ({})",
                  kernel.recipe.kernel, record.parameter, record.index, record.dimension, record.extent, item);
  if (record.node < kernel.lines.size() && kernel.lines[record.node] != 0)
    sentence += fmt::format(" (line {})", kernel.lines[record.node]);
  return sentence;
}

std::int64_t evaluate(const codegen::size_expression& e, const ir::extents& domain,
                      std::span<const ir::extents> parameter_extents) {
  using code = codegen::size_expression::code;
  std::vector<std::int64_t> values;
  values.reserve(e.rows.size());
  bool good = true;
  const auto check = [&](bool fine) { return (good = good && fine); };
  for (const codegen::size_expression::row& r : e.rows) {
    std::int64_t v = r.value;
    const bool of_rows = r.op >= code::add;
    if (!check(!of_rows || (r.a < values.size() && r.b < values.size()))) break;
    const std::int64_t a = of_rows ? values[r.a] : 0;
    const std::int64_t b = of_rows ? values[r.b] : 0;
    switch (r.op) {
      case code::literal:
        break;
      case code::domain_extent:
        if (check(r.a < domain.size())) v = domain[r.a];
        break;
      case code::parameter_extent:
        if (check(r.a < parameter_extents.size() && r.b < ir::maximum_rank)) v = parameter_extents[r.a][r.b];
        break;
      case code::add:
        check(!__builtin_add_overflow(a, b, &v));
        break;
      case code::multiply:
        check(!__builtin_mul_overflow(a, b, &v));
        break;
      case code::ceil_divide:
        if (check(b > 0)) v = a / b + (a % b > 0 ? 1 : 0);
        break;
      case code::minimum:
        v = std::min(a, b);
        break;
      case code::maximum:
        v = std::max(a, b);
        break;
    }
    values.push_back(v);
  }
  if (!good) throw error(error_code::invalid_file, "a launch recipe has a size that cannot be computed");
  return values.empty() ? 1 : values.back();
}

kernel_cache::~kernel_cache() {
  for (auto& [k, kernel] : loaded_) device_.back_end().unload(kernel->module);
}

const loaded_kernel& kernel_cache::get(const ir::image_view& image, codegen::variant v) {
  const key k{image.header.content_hash, v.key(), 0};
  const std::lock_guard lock(mutex_);
  if (const auto found = loaded_.find(k); found != loaded_.end()) return *found->second;
  const bundle_choice bundled = find_bundled(image, v, device_.back_end());
  if (bundled.kernel) return load(k, image, *bundled.kernel);
  const std::string& target = device_.describe().architecture;
  codegen::generator& generator = generator_for(image, target, bundled);
  dump(generator, image, target, v);
  return load(k, image, generator.compile(image, target, v));
}

const loaded_kernel& kernel_cache::get(const ir::image_view& image, const codegen::compiled_kernel& compiled) {
  const key k{image.header.content_hash, compiled.recipe.assumes.key(), hash_of(compiled)};
  const std::lock_guard lock(mutex_);
  if (const auto found = loaded_.find(k); found != loaded_.end()) return *found->second;
  return load(k, image, compiled);
}

const loaded_kernel& kernel_cache::load(const key& k, const ir::image_view& image,
                                        const codegen::compiled_kernel& compiled) {
  backend::device& back_end = device_.back_end();
  auto kernel = std::make_unique<loaded_kernel>();
  kernel->recipe = compiled.recipe;
  kernel->domain_rank = image.header.domain_rank;
  for (const ir::node& n : image.nodes) kernel->lines.push_back(n.line);
  kernel->module = back_end.load(compiled.code, compiled.format);
  try {
    for (const codegen::step& s : compiled.recipe.steps)
      kernel->entries.push_back(s.what == codegen::step::kind::kernel ? back_end.find(kernel->module, s)
                                                                      : nullptr);
  } catch (...) {
    back_end.unload(kernel->module);
    throw;
  }
  add(device_.count().kernels_loaded);
  return *(loaded_[k] = std::move(kernel));
}

}  // namespace selvage::inline v0::detail
