// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bins of elements, in runs whose lengths are random.
#pragma once

#include "trial.hpp"

#include <algorithm>
#include <cstdint>

namespace rajaperf {

inline constexpr std::int64_t bin_count = 10;

/// The bin of each element. Takes a call of random numbers.
inline sv::buffer<std::int64_t> bins_of(trial& t) {
  auto bounds = t.random_array(bin_count);
  const auto ends = bounds.read_write();
  std::ranges::sort(ends);
  sv::buffer<std::int64_t> bins(t.size);
  std::int64_t bin = 0;
  for (std::int64_t i = 0; std::int64_t& b : bins.write()) {
    const double place = static_cast<double>(i++) / static_cast<double>(t.size);
    while (bin + 1 < bin_count && place >= ends[static_cast<std::size_t>(bin)]) ++bin;
    b = bin;
  }
  return bins;
}

}  // namespace rajaperf
