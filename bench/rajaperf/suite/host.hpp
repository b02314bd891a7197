// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer's host copy as the plain C++ references see it: indexed as in a kernel.
#pragma once

#include <selvage/runtime/buffer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace rajaperf {

template <class T, int Rank = 1>
class host {
 public:
  explicit host(selvage::buffer<T, Rank>& b) : data_(b.read_write().data()), extents_(b.extents()) {}

  T& operator()(auto... indices) const {
    std::int64_t flat = 0;
    std::size_t d = 0;
    ((flat = flat * extents_[d++] + indices), ...);
    return data_[flat];
  }
  std::int64_t extent(std::size_t dimension) const { return extents_[dimension]; }

 private:
  T* data_;
  std::array<std::int64_t, static_cast<std::size_t>(Rank)> extents_;
};

}  // namespace rajaperf
