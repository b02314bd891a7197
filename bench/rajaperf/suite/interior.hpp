// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of kernels: domains that leave out a border.
#pragma once

#include <selvage/dsl.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace rajaperf {

/// Ids that begin at `by`.
template <class Id, std::size_t Rank>
constexpr auto shifted(const std::array<Id, Rank>& ids, int by) {
  return [&]<std::size_t... D>(std::index_sequence<D...>) {
    return std::array{(ids[D] + by)...};
  }
  (std::make_index_sequence<Rank>{});
}

/// The ids of this work-item in a domain of all elements of the view but the outermost.
template <class View>
constexpr auto interior(const View& view) {
  return [&]<std::size_t... D>(std::index_sequence<D...>) {
    return shifted(selvage::global_id((view.extent(static_cast<int>(D)) - 2)...), 1);
  }
  (std::make_index_sequence<View::rank>{});
}

}  // namespace rajaperf
