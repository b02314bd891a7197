// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A view: device memory of the caller's own, with extents and strides.
#pragma once

#include <selvage/ir/image.hpp>
#include <selvage/ir/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace selvage::inline v0 {

/// Memory that somebody else allocated and looks after, accepted wherever a buffer is. `T` may be const for a parameter
/// that is only read. Nothing is moved, and no order is kept for it between queues: that, its lifetime, and that the
/// device of the launch can reach it are the caller's promise. What can be checked is: element type, rank, overlap with
/// the launch's other arguments, and that no two indices of a written view are the same memory.
template <class T, int Rank = 1>
  requires ir::element<std::remove_const_t<T>>
class view {
 public:
  static_assert(Rank >= 0 && Rank <= ir::maximum_rank, "selvage: a view has 0 to 3 dimensions");
  using element = std::remove_const_t<T>;
  using coordinates = std::array<std::int64_t, static_cast<std::size_t>(Rank)>;
  static constexpr int rank = Rank;

  /// `strides` are in elements, a dimension each, and may be negative.
  static constexpr view from_device(T* pointer, const coordinates& extents, const coordinates& strides) {
    return view(pointer, extents, strides);
  }
  /// Row-major, without gaps.
  static constexpr view from_device(T* pointer, const coordinates& extents) {
    coordinates strides{};
    std::int64_t step = 1;
    for (std::size_t k = Rank; k-- > 0; step *= extents[k]) strides[k] = step;
    return view(pointer, extents, strides);
  }

  constexpr T* data() const { return pointer_; }
  constexpr const coordinates& extents() const { return extents_; }
  constexpr const coordinates& strides() const { return strides_; }

 private:
  constexpr view(T* pointer, const coordinates& extents, const coordinates& strides)
      : pointer_(pointer), extents_(extents), strides_(strides) {}

  T* pointer_;
  coordinates extents_;
  coordinates strides_;
};

}  // namespace selvage::inline v0
