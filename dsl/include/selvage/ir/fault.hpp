// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record of a kernel's first failed access, as the device writes it and the host reads it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace selvage::inline v0::ir {

/// One record a launch, zeroed before it. A work-item whose access fails sets `claimed` from 0 to 1 by compare-exchange;
/// the one that succeeds writes the rest. It then ends without any further access; the other work-items go on.
struct fault_record {
  std::uint32_t claimed;
  std::uint32_t node;       ///< the load or store in the image
  std::uint32_t parameter;
  std::uint32_t dimension;  ///< of the first coordinate outside its extent
  std::int64_t index;       ///< the coordinate's value
  std::int64_t extent;      ///< what it should have been less than
  std::int64_t id[3];       ///< the work-item, axis by axis; 0 beyond the domain's rank
  std::uint64_t reserved;
};
static_assert(sizeof(fault_record) == 64 && offsetof(fault_record, index) == 16 && offsetof(fault_record, id) == 32);

}  // namespace selvage::inline v0::ir
