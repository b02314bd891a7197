// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that were compiled ahead of time and linked into the program.
#pragma once

#include <selvage/codegen/recipe.hpp>
#include <selvage/ir/image.hpp>
#include <selvage/runtime/backend.hpp>

#include <optional>
#include <string>

namespace selvage::inline v0::detail {

struct bundle_choice {
  std::optional<codegen::compiled_kernel> kernel;
  std::string targets;  ///< for which the kernel is there in some variant, for messages; empty if for none
};

/// The bundled code for this kernel that suits the device best and assumes nothing but what `holds`.
/// Throws selvage::error (invalid_file) if a bundle is damaged.
bundle_choice find_bundled(const ir::image_view& image, const codegen::variant& holds, const backend::device& device);

}  // namespace selvage::inline v0::detail
