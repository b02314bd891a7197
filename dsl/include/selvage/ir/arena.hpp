// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A growing array for constant evaluation: std::vector's push_back takes three times the evaluation steps.
#pragma once

#include <cstdint>
#include <memory>

namespace selvage::inline v0::ir {

/// Items are trivial; they are not destroyed one by one.
template <class T>
class arena {
 public:
  constexpr arena() = default;
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;
  constexpr ~arena() {
    if (items_ != nullptr) std::allocator<T>{}.deallocate(items_, capacity_);
  }

  constexpr void push(T item) {
    if (size_ == capacity_) grow(capacity_ == 0 ? 64 : 4 * capacity_);
    std::construct_at(items_ + size_++, item);
  }
  /// Makes the size `n`, new items being copies of `item`.
  constexpr void assign(std::uint32_t n, const T& item) {
    if (n > capacity_) grow(n);
    for (; size_ < n;) std::construct_at(items_ + size_++, item);
  }
  constexpr void reserve(std::uint32_t n) {
    if (n > capacity_) grow(n);
  }
  constexpr void pop() { --size_; }
  constexpr std::uint32_t size() const { return size_; }
  constexpr T& operator[](std::uint32_t k) { return items_[k]; }
  constexpr const T& operator[](std::uint32_t k) const { return items_[k]; }
  constexpr T* data() { return items_; }
  constexpr const T* data() const { return items_; }

 private:
  constexpr void grow(std::uint32_t capacity) {
    T* larger = std::allocator<T>{}.allocate(capacity);
    for (std::uint32_t k = 0; k < size_; ++k) std::construct_at(larger + k, items_[k]);
    if (items_ != nullptr) std::allocator<T>{}.deallocate(items_, capacity_);
    items_ = larger;
    capacity_ = capacity;
  }

  T* items_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

}  // namespace selvage::inline v0::ir
