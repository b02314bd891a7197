// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One launch with all that it needs, what it left behind, and the comparison of two executors on it.
#pragma once

#include <selvage/codegen/recipe.hpp>
#include <selvage/ir/fault.hpp>
#include <selvage/ir/launch.hpp>

#include <image_builder.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace selvage::test {

/// An argument and its memory. A view stands somewhere in a larger buffer, so that stray writes show.
struct case_argument {
  ir::parameter about;
  std::vector<std::byte> bytes;  ///< of a view: the whole buffer, elements one after the other
  std::int64_t first = 0;        ///< of a view: its first element in the buffer
  ir::extents extents{1, 1, 1};
  ir::extents strides{};  ///< in elements
  std::uint64_t value = 0;
};

struct launch_case {
  std::uint64_t seed = 0;
  built_image image;
  std::vector<case_argument> arguments;
  ir::extents domain{1, 1, 1};  ///< beyond its rank 1

  /// Whether every view is row-major without gaps, as variant::contiguous assumes.
  bool is_contiguous() const;
  std::vector<ir::launch_argument> launch_arguments() const;
};

/// What a launch left behind.
struct outcome {
  std::vector<std::vector<std::byte>> memory;  ///< by argument: the whole buffer; empty of a value
  std::vector<ir::fault_record> faults;        ///< the interpreter: all; a device: none or the one it recorded
};

/// Runs the case's kernel as the variant on copies of its memory. It must not contract a * b + c if the variant says
/// so. A device is plugged in as one of these: copy each buffer there, view it at first, extents and strides, launch
/// over the domain, copy it back.
using executor = std::function<outcome(const launch_case&, const codegen::variant&)>;

/// The variant that a launch of the case may use: guarded unless all accesses are proved; contiguous if the views are.
/// Even seeds choose the more general one where both are right. Never contracting.
codegen::variant variant_of(const launch_case& one);

/// Says how two outcomes differ: memory bit for bit (any NaN is like any other), and whether a recorded fault is one of
/// the reference's. Empty if they agree.
std::string difference(const launch_case& one, const outcome& reference, const outcome& other);

/// The whole comparison on the image that the seed makes: empty, or a text with seed, variant, difference and image.
std::string compare(std::uint64_t seed, const executor& reference, const executor& other);

}  // namespace selvage::test
