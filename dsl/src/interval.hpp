// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intervals of values in 128 bits, and what every pure operation makes of them.
#pragma once

#include <selvage/ir/image.hpp>

#include <cstdint>

namespace selvage::inline v0::ir {

__extension__ typedef __int128 int128;

/// All values that a node may have over all work-items. Of floating-point nodes only a constant is known.
struct interval {
  int128 lo = 0;              ///< integers and booleans: the least
  int128 hi = 0;              ///< and the greatest
  std::uint64_t bits = 0;     ///< the value, as to_bits gives it, if constant
  std::uint64_t depends = 0;  ///< axes and loops that it depends on, one bit each; disjoint means independent
  std::uint64_t stride = 0;   ///< not 0: the values are exactly lo, lo + stride, ..., hi
  bool constant = false;      ///< one value, known
  bool exact = false;         ///< some work-item has lo and some has hi, whatever independent values are
  bool wraps = false;         ///< a signed operation that it comes from may wrap
};

/// Whatever a value of the type may be.
interval anything(type t);
interval constant_interval(type t, std::uint64_t bits);

/// Values of type t between lo and hi; anything if they do not fit t. Of signed types that is a possible wrap.
interval fitted(type t, int128 lo, int128 hi);

/// Everything that either holds.
interval hull(type t, const interval& a, const interval& b);

/// What the pure node n (not a leaf) makes of its operands' intervals, `operand` being the type of its last one.
interval apply(const node& n, type operand, const interval& a, const interval& b, const interval& c);

}  // namespace selvage::inline v0::ir
