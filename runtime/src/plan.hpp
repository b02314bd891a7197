// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch, worked out as far as it does not depend on pointers: what a repeated launch finds ready.
#pragma once

#include "kernel_cache.hpp"
#include "overlap.hpp"

#include <selvage/runtime/launch.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace selvage::inline v0::detail {

/// A field of an argument block that differs from launch to launch.
struct patch {
  enum class source : std::uint8_t { pointer, value, fault, scratch };
  source from = source::pointer;
  std::uint8_t size = 8;
  std::uint16_t number = 0;  ///< of the argument, or of the scratch memory
  std::uint32_t offset = 0;
};

struct planned_step {
  backend::entry* entry = nullptr;  ///< null: clear scratch memory
  backend::grid grid;
  std::vector<std::byte> block;  ///< filled but for the patches
  std::vector<patch> patches;
  std::uint32_t scratch = 0;
  std::uint8_t fill = 0;
};

struct launch_plan {
  std::uint64_t device = 0;               ///< its identity
  std::vector<std::uint64_t> key;         ///< as key_of gives it
  const loaded_kernel* kernel = nullptr;  ///< null if there is nothing to launch
  ir::extents domain{};
  bool nothing = false;         ///< the domain is empty
  bool guarded = false;         ///< some bounds are not proved
  bool may_fault = false;       ///< a fault record is needed
  std::vector<layout> layouts;  ///< of each argument; of a value, rank 0
  std::vector<std::uint64_t> scratch_bytes;
  std::vector<planned_step> steps;
};

/// Everything of a launch that its plan depends on, but the device: fills `words` and returns how many.
inline constexpr std::size_t maximum_key = ir::maximum_parameters * 7 + 4;
std::size_t key_of(std::span<const argument> arguments, bool floats_matter, const std::optional<ir::extents>& over,
                   std::uint64_t* words);

/// Whether the value of a floating-point argument may decide about bounds.
bool floats_matter(const ir::image_view& image);

/// Checks arguments, domain and bounds: the plan but for the code. Throws as `launch` does.
launch_plan draft_plan(const ir::image_view& image, device_state& device, std::span<const argument> arguments,
                       const std::optional<ir::extents>& over);

/// Compiles if need be (or takes what was compiled before), and works out the steps. Throws as `launch` does.
void finish_plan(launch_plan& plan, const ir::image_view& image, device_state& device,
                 const codegen::compiled_kernel* compiled);

/// "argument 2 of kernel 'daxpy'", for messages.
std::string name_of_argument(const ir::image_view& image, std::size_t number);

}  // namespace selvage::inline v0::detail
