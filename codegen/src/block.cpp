// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out the argument block of a kernel.
#include "block.hpp"

#include <fmt/format.h>

namespace selvage::inline v0::codegen {

argument_block block_of(const ir::image_view& image) {
  using source = argument_slot::source;
  argument_block block;
  const auto put = [&](source from, std::uint32_t parameter, std::uint32_t dimension, std::uint32_t size) {
    const std::uint32_t offset = (block.bytes + size - 1) / size * size;
    block.slots.push_back({from, parameter, dimension, offset, size});
    block.bytes = offset + size;
  };
  for (std::uint32_t p = 0; p < image.parameters.size(); ++p) {
    const ir::parameter& parameter = image.parameters[p];
    if (parameter.mode == ir::access::value) {
      put(source::value, p, 0, static_cast<std::uint32_t>(properties(parameter.element).bytes));
      continue;
    }
    put(source::pointer, p, 0, 8);
    for (std::uint32_t d = 0; d < parameter.rank; ++d) put(source::extent, p, d, 8);
    for (std::uint32_t d = 0; d < parameter.rank; ++d) put(source::stride, p, d, 8);
  }
  for (std::uint32_t d = 0; d < image.header.domain_rank; ++d) put(source::domain_extent, 0, d, 8);
  put(source::fault, 0, 0, 8);  // the last field takes 8 bytes, so the block's size is a multiple of 8
  return block;
}

std::string name_of(const argument_slot& slot) {
  using source = argument_slot::source;
  switch (slot.from) {
    case source::pointer:
    case source::value:
      return fmt::format("a{}", slot.parameter);
    case source::extent:
      return fmt::format("a{}.extent.{}", slot.parameter, slot.dimension);
    case source::stride:
      return fmt::format("a{}.stride.{}", slot.parameter, slot.dimension);
    case source::domain_extent:
      return fmt::format("domain.{}", slot.dimension);
    case source::fault:
      return "fault";
    case source::scratch:
      return fmt::format("scratch.{}", slot.parameter);
  }
  return {};
}

}  // namespace selvage::inline v0::codegen
