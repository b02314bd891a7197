// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SELVAGE_DUMP: what each compiled kernel looked like on its way, as files.
#pragma once

#include <selvage/codegen/compile.hpp>

#include <string_view>

namespace selvage::inline v0::detail {

/// If SELVAGE_DUMP names a folder, writes the image, the LLVM IR and the assembly there, as
/// KERNEL-HASH.image and KERNEL-HASH-TARGET-VARIANT.{ll,s}. Throws invalid_argument if they cannot be written.
void dump(codegen::generator& generator, const ir::image_view& image, std::string_view target, codegen::variant v);

}  // namespace selvage::inline v0::detail
