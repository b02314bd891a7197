// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Working out a launch: checks, variant, code, grid and argument block.
#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace selvage::inline v0::detail {
namespace {

std::string_view cpp_name(ir::type t) {
  switch (t) {
#define SELVAGE_ROW(name, cpp, bits, kind) \
  case ir::type::name:                     \
    return #cpp;
    SELVAGE_TYPES(SELVAGE_ROW)
#undef SELVAGE_ROW
    default:
      return "void";
  }
}

std::string type_text(std::string_view what, ir::type t, int rank) {
  return rank == 1 || rank < 0 ? fmt::format("{}<{}>", what, cpp_name(t))
                               : fmt::format("{}<{}, {}>", what, cpp_name(t), rank);
}

std::string describe(const argument& a) {
  switch (a.what) {
    case argument::kind::buffer:
      return type_text("buffer", a.element, a.rank);
    case argument::kind::view:
      return type_text("view", a.element, a.rank);
    default:
      return fmt::format("value of type {}", cpp_name(a.element));
  }
}

std::string describe(const ir::parameter& p) {
  return type_text(ir::name(p.mode), p.element, p.mode == ir::access::value ? -1 : int{p.rank});
}

[[noreturn]] void refuse(error_code code, const std::string& message) {
  throw error(code, message);
}

layout layout_of(const argument& a) {
  layout l{a.rank, ir::properties(a.element).bytes, a.extents, a.strides};
  if (a.what == argument::kind::value) l.rank = 0;
  if (a.what != argument::kind::buffer) return l;
  std::int64_t step = 1;
  for (int k = a.rank; k-- > 0;) {
    const auto d = static_cast<std::size_t>(k);
    l.strides[d] = step;
    step *= a.extents[d];
  }
  return l;
}

void check_view(const ir::image_view& image, std::size_t number, const argument& a, const layout& l) {
  const ir::parameter& p = image.parameters[number];
  for (int k = 0; k < a.rank; ++k)
    if (a.extents[static_cast<std::size_t>(k)] < 0)
      refuse(error_code::invalid_argument,
             fmt::format("{}: extent {} of the view is {}; an extent is not negative", name_of_argument(image, number),
                         k, a.extents[static_cast<std::size_t>(k)]));
  if (empty(l)) return;
  if (a.pointer == nullptr)
    refuse(error_code::invalid_argument,
           fmt::format("{} is a view of a null pointer; pass device memory", name_of_argument(image, number)));
  if (reinterpret_cast<std::uintptr_t>(a.pointer) % static_cast<std::uintptr_t>(l.element_bytes) != 0)
    refuse(error_code::invalid_argument,
           fmt::format("{} is a view at address {}, which is not a multiple of the {} bytes of its elements",
                       name_of_argument(image, number), fmt::ptr(a.pointer), l.element_bytes));
  if (!bytes_of(l))
    refuse(error_code::invalid_argument,
           fmt::format("{}: the view's extents and strides reach beyond the address space",
                       name_of_argument(image, number)));
  if (!ir::is_written(p.mode)) return;
  if (a.read_only)
    refuse(error_code::invalid_argument, fmt::format("{} is {} and is written, but it is a view of const elements",
                                                     name_of_argument(image, number), describe(p)));
  if (!injective(l))
    refuse(
        error_code::invalid_argument,
        fmt::format("{} is written, but its view has several indices for the same memory (extents [{}], strides [{}]); "
                    "write through a view whose elements are all different",
                    name_of_argument(image, number), fmt::join(a.extents.begin(), a.extents.begin() + a.rank, ", "),
                    fmt::join(a.strides.begin(), a.strides.begin() + a.rank, ", ")));
}

void check_arguments(const ir::image_view& image, std::span<const argument> arguments, std::vector<layout>& layouts) {
  if (arguments.size() != image.parameters.size())
    refuse(error_code::invalid_argument, fmt::format("kernel '{}' takes {} arguments; {} were given", image.name,
                                                     image.parameters.size(), arguments.size()));
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const argument& a = arguments[k];
    const ir::parameter& p = image.parameters[k];
    const bool is_value = a.what == argument::kind::value;
    if (a.element != p.element || is_value != (p.mode == ir::access::value) || (!is_value && a.rank != p.rank))
      refuse(error_code::invalid_argument,
             fmt::format("{} is {}; it was given a {}", name_of_argument(image, k), describe(p), describe(a)));
    layouts.push_back(layout_of(a));
    if (a.what == argument::kind::view) check_view(image, k, a, layouts.back());
  }
}

/// Fills what does not change from launch to launch, and notes what does.
void plan_block(planned_step& planned, const codegen::step& s, const launch_plan& plan) {
  planned.block.resize(s.block_bytes);
  for (const codegen::argument_slot& slot : s.slots) {
    using source = codegen::argument_slot::source;
    if (slot.size > 8 || std::uint64_t{slot.offset} + slot.size > s.block_bytes)
      refuse(error_code::invalid_file,
             fmt::format("the launch recipe of '{}' has a field outside its argument block", s.entry));
    const bool of_parameter = slot.from == source::pointer || slot.from == source::extent ||
                              slot.from == source::stride || slot.from == source::value;
    if ((of_parameter && slot.parameter >= plan.layouts.size()) || slot.dimension >= ir::maximum_rank ||
        (slot.from == source::scratch && slot.parameter >= plan.scratch_bytes.size()))
      refuse(error_code::invalid_file,
             fmt::format("the launch recipe of '{}' names an argument that the kernel has not", s.entry));
    std::int64_t fixed = 0;
    const auto later = [&](patch::source from) {
      planned.patches.push_back(
          {from, static_cast<std::uint8_t>(slot.size), static_cast<std::uint16_t>(slot.parameter), slot.offset});
    };
    switch (slot.from) {
      case source::pointer:
        later(patch::source::pointer);
        continue;
      case source::value:
        later(patch::source::value);
        continue;
      case source::fault:
        later(patch::source::fault);
        continue;
      case source::scratch:
        later(patch::source::scratch);
        continue;
      case source::extent:
        fixed = plan.layouts[slot.parameter].extents[slot.dimension];
        break;
      case source::stride:
        fixed = plan.layouts[slot.parameter].strides[slot.dimension];
        break;
      case source::domain_extent:
        fixed = plan.domain[slot.dimension];
        break;
    }
    std::memcpy(planned.block.data() + slot.offset, &fixed, slot.size);
  }
}

/// Works out the steps of a loaded kernel. False if the grid of one is larger than the device's.
bool plan_steps(launch_plan& plan, device_state& device) {
  const ir::extents& domain = plan.domain;
  plan.steps.clear();
  plan.scratch_bytes.clear();
  std::vector<ir::extents> extents;
  for (const layout& l : plan.layouts) extents.push_back(l.extents);
  const codegen::launch_recipe& recipe = plan.kernel->recipe;
  for (const codegen::size_expression& e : recipe.scratch)
    plan.scratch_bytes.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(evaluate(e, domain, extents), 0)));
  const backend::description& limits = device.describe();
  bool fits = true;
  for (std::size_t k = 0; k < recipe.steps.size(); ++k) {
    const codegen::step& s = recipe.steps[k];
    planned_step planned;
    if (s.what == codegen::step::kind::clear) {
      if (s.scratch >= plan.scratch_bytes.size())
        refuse(error_code::invalid_file,
               fmt::format("the launch recipe of '{}' clears scratch memory that it has not", recipe.kernel));
      if (plan.scratch_bytes[s.scratch] == 0) continue;
      planned.scratch = s.scratch;
      planned.fill = s.fill;
      plan.steps.push_back(std::move(planned));
      continue;
    }
    bool nothing = false;
    std::uint64_t group = 1;
    std::uint64_t all_groups = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t groups = evaluate(s.grid[d], domain, extents);
      nothing = nothing || groups <= 0;
      planned.grid.groups[d] = static_cast<std::uint64_t>(std::max<std::int64_t>(groups, 0));
      planned.grid.group[d] = s.group[d];
      fits = fits && planned.grid.groups[d] <= limits.maximum_grid[d] &&
             !__builtin_mul_overflow(all_groups, planned.grid.groups[d], &all_groups) && all_groups >> 62 == 0;
      group *= s.group[d];
    }
    if (nothing) continue;
    if (group > limits.maximum_group)
      refuse(error_code::unsupported,
             fmt::format("kernel '{}' needs groups of {} work-items; device '{}' has at most {}", recipe.kernel, group,
                         device.name(), limits.maximum_group));
    planned.grid.shared_bytes = s.shared_bytes;
    planned.entry = plan.kernel->entries[k];
    plan_block(planned, s, plan);
    plan.steps.push_back(std::move(planned));
  }
  return fits;
}

[[noreturn]] void refuse_grid(const ir::image_view& image, device_state& device, const ir::extents& domain) {
  refuse(
      error_code::unsupported,
      fmt::format("kernel '{}' over a domain of [{}] needs more groups than device '{}' launches at once ([{}]); split "
                  "the domain",
                  image.name, fmt::join(domain.begin(), domain.begin() + image.header.domain_rank, ", "), device.name(),
                  fmt::join(device.describe().maximum_grid, ", ")));
}

/// What a kernel that was compiled before assumes must hold: here what `holds` for this launch.
void check_assumptions(const ir::image_view& image, const codegen::compiled_kernel& compiled,
                       const codegen::variant& holds) {
  const codegen::launch_recipe& r = compiled.recipe;
  if (r.content_hash != image.header.content_hash)
    refuse(error_code::invalid_argument,
           fmt::format("the compiled kernel is of another image: its content hash is {:016x}, "
                       "that of '{}' is {:016x}",
                       r.content_hash, image.name, image.header.content_hash));
  if (holds.guarded && !r.assumes.guarded)
    refuse(error_code::unsupported,
           fmt::format("kernel '{}' was compiled without guards, but the bounds of this launch are "
                       "not proved; compile its guarded variant",
                       image.name));
  if (r.assumes.contiguous && !holds.contiguous)
    refuse(error_code::unsupported,
           fmt::format("kernel '{}' was compiled for arguments without gaps, but a view of this "
                       "launch has gaps; compile its strided variant",
                       image.name));
  if (r.assumes.narrow && !holds.narrow)
    refuse(error_code::unsupported,
           fmt::format("kernel '{}' was compiled for addresses of 32 bits, but a view or the domain of this launch is "
                       "greater; compile it without 'narrow'",
                       image.name));
}

}  // namespace

std::string name_of_argument(const ir::image_view& image, std::size_t number) {
  return fmt::format("argument {} of kernel '{}'", number, image.name);
}

bool floats_matter(const ir::image_view& image) {
  // An index, an extent or a condition that is decided before the launch follows from a floating-point argument by a
  // conversion or a comparison of what depends on arguments alone.
  std::vector<bool> known(image.nodes.size());
  for (std::size_t k = 0; k < image.nodes.size(); ++k) {
    const ir::node& n = image.nodes[k];
    if (!ir::is_pure(n.code)) continue;
    bool all = n.code != ir::operation::id;
    for (const std::uint32_t o : image.operands_of(n)) all = all && known[o];
    known[k] = all;
    if (all && n.arity > 0 && !ir::is_float(n.type) && ir::is_float(image.operand_node(n, 0).type)) return true;
  }
  return false;
}

std::size_t key_of(std::span<const argument> arguments, bool floats_matter, const std::optional<ir::extents>& over,
                   std::uint64_t* words) {
  std::size_t n = 0;
  const auto put = [&](std::int64_t v) { words[n++] = static_cast<std::uint64_t>(v); };
  put(over ? 1 : 0);
  if (over)
    for (const std::int64_t e : *over) put(e);
  for (const argument& a : arguments) {
    put(static_cast<int>(a.what) | static_cast<int>(a.element) << 8 | a.rank << 16 | (a.read_only ? 1 : 0) << 24);
    if (a.what == argument::kind::value) {
      if (floats_matter || !ir::is_float(a.element)) words[n++] = a.bits;
      continue;
    }
    for (std::size_t d = 0; d < a.rank; ++d) put(a.extents[d]);
    if (a.what != argument::kind::view) continue;
    for (std::size_t d = 0; d < a.rank; ++d) put(a.strides[d]);
  }
  return n;
}

launch_plan draft_plan(const ir::image_view& image, device_state& device, std::span<const argument> arguments,
                       const std::optional<ir::extents>& over) {
  launch_plan plan;
  plan.device = device.identity();
  check_arguments(image, arguments, plan.layouts);
  if ((image.header.features & ir::features::float64) != 0 && !device.describe().float64)
    refuse(error_code::unsupported,
           fmt::format("kernel '{}' computes in double precision, which device '{}' ({}) lacks", image.name,
                       device.name(), device.describe().name));
  std::array<ir::launch_argument, ir::maximum_parameters> facts{};
  for (std::size_t k = 0; k < arguments.size(); ++k) facts[k] = {arguments[k].extents, arguments[k].bits};
  const std::span<const ir::launch_argument> known(facts.data(), arguments.size());
  plan.domain = ir::domain_of(image, known, over);
  const ir::launch_decision decision = ir::decide(image, known, plan.domain);
  plan.guarded = decision.guarded;
  plan.may_fault = decision.may_fault;
  for (std::uint32_t axis = 0; axis < image.header.domain_rank; ++axis) plan.nothing |= plan.domain[axis] == 0;
  return plan;
}

void finish_plan(launch_plan& plan, const ir::image_view& image, device_state& device,
                 const codegen::compiled_kernel* compiled) {
  if (plan.nothing) return;
  codegen::variant v;
  v.guarded = plan.guarded;
  v.contiguous = std::all_of(plan.layouts.begin(), plan.layouts.end(), [](const layout& l) { return contiguous(l); });
  v.narrow = std::all_of(plan.layouts.begin(), plan.layouts.end(), [](const layout& l) { return narrow(l); }) &&
             std::all_of(plan.domain.begin(), plan.domain.end(),
                         [](std::int64_t extent) { return extent <= codegen::variant::greatest_narrow; });
  if (compiled != nullptr) {
    check_assumptions(image, *compiled, v);
    plan.kernel = &device.kernels().get(image, *compiled);
    if (!plan_steps(plan, device)) refuse_grid(image, device, plan.domain);
  } else {
    v.narrow = v.narrow && device.describe().fast_in_32_bits;
    plan.kernel = &device.kernels().get(image, v);
    if (!plan_steps(plan, device)) {
      v.wide_grid = true;
      plan.kernel = &device.kernels().get(image, v);
      if (!plan_steps(plan, device)) refuse_grid(image, device, plan.domain);
    }
  }
  // Guards that need not be there may yet write a record.
  plan.may_fault = plan.may_fault || plan.kernel->recipe.assumes.guarded;
}

}  // namespace selvage::inline v0::detail
