// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The intervals of an image's nodes at one place of it, narrowed by the conditions that hold there, and undone where
// they end.
#pragma once

#include "interval.hpp"

#include <vector>

namespace selvage::inline v0::ir {

/// A state that was narrowed, as it was before.
struct narrowing {
  std::uint32_t slot;
  interval before;
};

/// The two yields of a choose that is closed.
struct choose_parts {
  std::uint32_t first = no_node;
  std::uint32_t second = no_node;
};

/// Memory that is kept between launches, so that a launch allocates nothing.
struct refinement_storage {
  std::vector<interval> states;  ///< a node each, then one for each axis, which all its id nodes share
  std::vector<narrowing> undo;
};

class refinement {
 public:
  refinement(const image_view& image, refinement_storage& storage) : image_(image), storage_(storage) {
    storage_.states.assign(image.nodes.size() + maximum_rank, interval{});
    storage_.undo.clear();
  }

  const interval& operator[](std::uint32_t n) const { return storage_.states[slot(n)]; }
  void define(std::uint32_t n, const interval& state) { storage_.states[slot(n)] = state; }
  void define_axis(std::uint32_t axis, const interval& state) { storage_.states[image_.nodes.size() + axis] = state; }

  /// Narrows everything that follows from the boolean node being `truth`. False if it cannot be, so that what stands
  /// under it is never reached.
  bool assume(std::uint32_t condition, bool truth);

  /// What node n's value may be here: its interval with the narrowed ones of what it comes from.
  interval here(std::uint32_t n) const;

  /// After all regions are closed: what node n's value may be over all work-items, whatever conditions it stands under.
  interval everywhere(std::uint32_t n) const {
    int budget = 64;
    return everywhere(n, budget);
  }

  /// A pure node's interval; a select evaluates each side under its condition.
  interval evaluate(std::uint32_t n);

  /// Where the narrowings of a region begin, and back to there.
  std::size_t mark() const { return storage_.undo.size(); }
  void undo(std::size_t mark);

  /// Remembers what a choose yields, so that conditions see through it.
  void remember(std::uint32_t choose, choose_parts parts) {
    storage_.states[choose].bits = parts.first | std::uint64_t{parts.second} << 32;
  }

 private:
  std::uint32_t slot(std::uint32_t n) const {
    const node& at = image_.nodes[n];
    return at.code == operation::id ? static_cast<std::uint32_t>(image_.nodes.size()) + at.attribute : n;
  }
  choose_parts parts_of(std::uint32_t choose) const {
    const std::uint64_t bits = storage_.states[choose].bits;
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
  }
  void follow(std::uint32_t condition, bool truth);
  void follow_choose(std::uint32_t end, bool truth);
  void compare(const node& n, bool truth);
  void narrow(std::uint32_t n, int128 lo, int128 hi);
  void narrow_operands(const node& n, const interval& to);
  interval here(std::uint32_t n, int& budget) const;
  interval everywhere(std::uint32_t n, int& budget) const;

  const image_view& image_;
  refinement_storage& storage_;
  int budget_ = 0;  ///< steps left of one assumption, so that a launch stays linear in the image's size
  bool possible_ = true;
};

}  // namespace selvage::inline v0::ir
