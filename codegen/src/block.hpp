// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The argument block: which fields a kernel takes, in which order, at which offset. Kernels and recipes both follow it.
#pragma once

#include <selvage/codegen/recipe.hpp>
#include <selvage/ir/image.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace selvage::inline v0::codegen {

struct argument_block {
  std::vector<argument_slot> slots;
  std::uint32_t bytes = 0;
};

/// For each parameter: a view's pointer, extents, strides, or a value; then the domain's extents; then the fault
/// record. Natural alignment throughout, so that the fields as separate parameters of a device function stand at the
/// same offsets.
argument_block block_of(const ir::image_view& image);

/// What a field is called in the emitted code, such as "a0", "a0.extent.1", "domain.0", "fault".
std::string name_of(const argument_slot& slot);

}  // namespace selvage::inline v0::codegen
