// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter's shadow of a written argument: who has written and who has read each element.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace selvage::inline v0::ir {

class shadow {
 public:
  static constexpr std::uint64_t nobody = 0;
  static constexpr std::uint64_t several = std::numeric_limits<std::uint64_t>::max();

  explicit shadow(std::size_t elements = 0) : owners_(elements) {}

  /// Work-item `item` (counted from 1) reads; gives the other work-item that wrote the element, if there is one.
  std::optional<std::uint64_t> read(std::size_t element, std::uint64_t item) {
    owner& o = owners_[element];
    if (o.reader != item) o.reader = o.reader == nobody ? item : several;
    return o.writer != nobody && o.writer != item ? std::optional(o.writer) : std::nullopt;
  }

  /// Work-item `item` writes; gives another work-item that wrote or read the element (`several`: more than one).
  std::optional<std::uint64_t> write(std::size_t element, std::uint64_t item) {
    owner& o = owners_[element];
    std::optional<std::uint64_t> other;
    if (o.reader != nobody && o.reader != item) other = o.reader;
    if (o.writer != nobody && o.writer != item) other = o.writer;
    o.writer = item;
    return other;
  }

  bool is_written(std::size_t element) const { return owners_[element].writer != nobody; }
  std::size_t size() const { return owners_.size(); }

 private:
  struct owner {
    std::uint64_t writer = nobody;
    std::uint64_t reader = nobody;
  };
  std::vector<owner> owners_;
};

}  // namespace selvage::inline v0::ir
