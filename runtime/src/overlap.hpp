// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory a strided view touches, and whether two views touch the same.
#pragma once

#include <selvage/ir/launch.hpp>

#include <cstdint>
#include <optional>

namespace selvage::inline v0::detail {

/// The shape of a view: extents and strides of `rank` dimensions, in elements of `element_bytes`.
struct layout {
  int rank = 0;
  std::int64_t element_bytes = 1;
  ir::extents extents{1, 1, 1};
  ir::extents strides{};
};

/// Bytes from the first element's address that the view touches: [first, last).
struct byte_range {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Nothing if the bytes do not fit signed 64 bits or the address space.
std::optional<byte_range> bytes_of(const layout& view);

constexpr bool empty(const layout& view) {
  for (int k = 0; k < view.rank; ++k)
    if (view.extents[static_cast<std::size_t>(k)] == 0) return true;
  return false;
}

/// Row-major without gaps. An extent of 1 has any stride.
bool contiguous(const layout& view);

/// Extents, and distances between elements, fit into the bits of codegen::variant::narrow.
bool narrow(const layout& view);

/// No two indices are the same memory.
bool injective(const layout& view);

/// Some byte belongs to both views, whose first elements are at the addresses a and b. Exact, except that a search that
/// grows too long (rows that interleave in an involved way) answers yes.
bool overlap(std::uintptr_t a, const layout& view_a, std::uintptr_t b, const layout& view_b);

}  // namespace selvage::inline v0::detail
