// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structured mesh of the kernels of Apps: zones between nodes, with a padding of two nodes below and one above.
#pragma once

#include "trial.hpp"

#include <cstdint>

namespace rajaperf {

struct mesh {
  explicit mesh(std::int64_t zones_a_side) : zones(zones_a_side) {}

  std::int64_t zones;                              ///< real zones along a dimension; the first has index 2
  std::int64_t extent = zones + 4;                 ///< allocated nodes along a dimension
  std::int64_t jp = extent, kp = extent * extent;  ///< flat distances of neighbours in j and k
  std::int64_t nodes = extent * kp;                ///< in three dimensions
  /// The kernels over a contiguous range of zones take these flat indices, one zone more than the real ones everywhere.
  std::int64_t first = kp + jp + 1, count = (zones + 1) * first + 1;

  /// Sets a coordinate on all nodes: `step` times the index along the dimension whose neighbours are `distance` apart.
  template <int Rank>
  void set_positions(sv::buffer<double, Rank>& position, std::int64_t distance, double step) const {
    for (std::int64_t node = 0; double& p : position.write())
      p = static_cast<double>(node++ / distance % extent) * step;
  }
};

}  // namespace rajaperf
