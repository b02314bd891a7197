// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter of images: the reference that every back end is tested against. Slow, obvious, and it checks every
// access: that it stays in its array, reads nothing unwritten, writes nothing read-only, and races with no work-item.
#pragma once

#include <selvage/ir/fault.hpp>
#include <selvage/ir/image.hpp>
#include <selvage/ir/launch.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace selvage::inline v0::ir {

/// One argument in host memory.
struct host_argument {
  void* data = nullptr;          ///< of a view: its first element
  ir::extents extents{1, 1, 1};  ///< of a view; beyond its rank 1
  ir::extents strides{};         ///< of a view, in elements, may be 0 or negative
  std::uint64_t value = 0;       ///< of a value, as to_bits gives it
};

enum class problem_kind : std::uint8_t {
  outside,              ///< an unguarded access leaves its array
  unwritten,            ///< reads an element of an `out` that nothing has written
  read_only,            ///< writes an `in`
  race,                 ///< two work-items touch one element, and one writes
  unassigned_variable,  ///< reads a variable before it is set
  not_covered,          ///< an element of an `out` was never written
  too_many_steps,       ///< more than interpret_options::step_limit
};

/// What is wrong with a kernel or its launch, and where.
struct problem {
  problem_kind kind{};
  std::uint32_t node = no_node;  ///< the access, get, or last node before the limit
  std::uint32_t parameter = 0;   ///< of an access
  std::uint32_t dimension = 0;   ///< of an index outside
  extents coordinate{};          ///< of the element; beyond its rank 0
  extents item{};                ///< the work-item; beyond the domain's rank 0
  std::string sentence;
};

enum class item_order : std::uint8_t { forward, reverse, shuffled };

struct interpret_options {
  /// As of the variant (codegen/recipe.hpp): launch-decidable accesses are guarded too. Data-dependent ones always are.
  bool guarded = false;
  bool races = true;  ///< look for races
  item_order order = item_order::forward;
  std::uint64_t seed = 1;                    ///< of the shuffle
  std::uint64_t step_limit = 1'000'000'000;  ///< nodes evaluated, of all work-items together
  /// Called after each node that has a value, with the work-item, the node and the value's bits.
  std::function<void(const extents& item, std::uint32_t node, std::uint64_t bits)> trace = {};
};

struct interpretation {
  std::optional<problem> found;      ///< the first problem; it ended the interpretation
  std::vector<fault_record> faults;  ///< of failed guarded accesses, one a work-item, in order; at most 1,000,000
  std::uint64_t steps = 0;

  bool clean() const { return !found && faults.empty(); }
};

/// Runs the image of right structure over the domain, one work-item after the other. Memory is changed as by the
/// kernel, up to the first problem. A guarded access that fails is a fault, as on every device: it is skipped and the
/// work-item ends. Throws selvage::error (invalid_argument) if there are not as many arguments as the kernel has.
interpretation interpret(const image_view& image, std::span<const host_argument> arguments, const extents& domain,
                         const interpret_options& options = {});

/// What decide and domain_of take of these arguments.
std::vector<launch_argument> launch_arguments(std::span<const host_argument> arguments);

}  // namespace selvage::inline v0::ir
