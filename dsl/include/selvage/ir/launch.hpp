// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be decided about a launch before it: its domain, the bounds of its accesses, and whether `out` is covered.
#pragma once

#include <selvage/ir/image.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace selvage::inline v0::ir {

using extents = std::array<std::int64_t, maximum_rank>;

/// What a launch knows of one argument.
struct launch_argument {
  ir::extents extents{};    ///< of a view; beyond its rank 1
  std::uint64_t value = 0;  ///< of a value, as to_bits gives it
};

/// The domain's extents, from the image's domain node or, if it has no operands, from `given` (else ignored). Throws
/// selvage::error (invalid_argument): a negative extent, one above 2^47, `given` missing, or given where the kernel
/// takes its domain from its arguments.
extents domain_of(const image_view& image, std::span<const launch_argument> arguments, std::optional<extents> given);

/// Value, as to_bits gives it, of a node that comes from literals, values and extents alone; of any other node nothing.
std::optional<std::uint64_t> launch_value(const image_view& image, std::uint32_t node,
                                          std::span<const launch_argument> arguments);

struct launch_decision {
  bool guarded = false;   ///< some launch-decidable access is not proved: use the guarded variant
  bool may_fault = false; ///< guarded, or the image has data-dependent accesses: a fault record must be read afterwards
};

/// Decides all affine accesses by interval arithmetic in 128 bits, every node in its own type (where it may wrap it is
/// unknown), branch by branch. Throws selvage::error: out_of_bounds, if an unconditional access certainly leaves its
/// extent ("kernel 'heat', argument 1: index range [1, 100] of dimension 0 leaves extent 100 (line 12)"), or
/// invalid_argument, if an `out` is not wholly written by its covering store (the sentence gives both extents, and the
/// cure: declare it inout). An empty domain decides nothing and is never refused.
///
/// Not guarded means also: no signed add, subtract, multiply, negate, absolute or shift_left wraps that an index of a
/// launch-decidable access comes from (through operands, loop bounds, conditions of select and choose). So the
/// unguarded variant may say so (nsw) of these, and of nothing else.
launch_decision decide(const image_view& image, std::span<const launch_argument> arguments, const extents& domain);

}  // namespace selvage::inline v0::ir
