// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What little of object-file formats must be known to say why a file holds no images.
#pragma once

#include <cstddef>
#include <span>

namespace selvage::inline v0::ir {

/// Does the file, or a member of it if it is an archive, hold a compiler's intermediate code in place of data: LLVM
/// bitcode, or an ELF object with a section for link-time optimisation?
bool is_for_link_time_optimisation(std::span<const std::byte> file);

}  // namespace selvage::inline v0::ir
