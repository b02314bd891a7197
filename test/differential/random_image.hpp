// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random launches from a seed: valid, verified images of all operations and types, nested control flow, variables,
// folds, strided views of rank 0 to 3, and memory to go with them.
#pragma once

#include "launch_case.hpp"

namespace selvage::test {

/// The same seed gives the same case everywhere. All that it computes is exact or correctly rounded, its unordered
/// folds are exact in any order, it ends, and work-items own what they write; a few accesses may leave their array.
launch_case random_case(std::uint64_t seed);

}  // namespace selvage::test
