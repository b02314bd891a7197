// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory a strided view touches, and whether two views touch the same.
#include "overlap.hpp"

#include <selvage/codegen/recipe.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace selvage::inline v0::detail {
namespace {

__extension__ typedef __int128 wide;

/// One variable of `sum of coefficient * x`, with lowest <= x <= highest.
struct term {
  wide coefficient;  // positive
  wide lowest;
  wide highest;
};

wide floor_divide(wide a, wide b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
wide ceil_divide(wide a, wide b) {
  return -floor_divide(-a, b);
}
wide greatest_common_divisor(wide a, wide b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a < 0 ? -a : a;
}

/// Searches values of the terms' variables whose sum lies in [low, high], by descending coefficient: what the smaller
/// ones can add leaves few values of the larger.
class search {
 public:
  /// With `not_all_zero`, the solution in which every variable is 0 does not count.
  search(std::vector<term> terms, bool not_all_zero) : terms_(std::move(terms)), not_all_zero_(not_all_zero) {
    std::sort(terms_.begin(), terms_.end(), [](const term& a, const term& b) { return a.coefficient > b.coefficient; });
    rest_.resize(terms_.size() + 1);
    for (std::size_t k = terms_.size(); k-- > 0;) {
      const term& t = terms_[k];
      rest_[k] = {rest_[k + 1].low + t.coefficient * t.lowest, rest_[k + 1].high + t.coefficient * t.highest,
                  greatest_common_divisor(rest_[k + 1].divisor, t.coefficient)};
    }
  }

  bool finds(wide low, wide high) { return visit(0, low, high, true); }

 private:
  struct remainder {
    wide low = 0;
    wide high = 0;
    wide divisor = 0;
  };

  bool visit(std::size_t k, wide low, wide high, bool all_zero) {
    if (k == terms_.size()) return low <= 0 && 0 <= high && !(not_all_zero_ && all_zero);
    if (--budget_ < 0) return true;
    // Every sum of the remaining terms is a multiple of their common divisor.
    const wide divisor = rest_[k].divisor;
    if (ceil_divide(std::max(low, rest_[k].low), divisor) > floor_divide(std::min(high, rest_[k].high), divisor))
      return false;
    const term& t = terms_[k];
    const wide first = std::max(t.lowest, ceil_divide(low - rest_[k + 1].high, t.coefficient));
    const wide last = std::min(t.highest, floor_divide(high - rest_[k + 1].low, t.coefficient));
    for (wide x = first; x <= last; ++x) {
      if (visit(k + 1, low - x * t.coefficient, high - x * t.coefficient, all_zero && x == 0)) return true;
      if (budget_ < 0) return true;
    }
    return false;
  }

  std::vector<term> terms_;
  std::vector<remainder> rest_;
  bool not_all_zero_;
  int budget_ = 20000;
};

wide stride_bytes(const layout& view, int k) {
  return wide{view.strides[static_cast<std::size_t>(k)]} * view.element_bytes;
}

/// Adds coefficient * x; terms of one coefficient become one, since only their sum matters.
void add(std::vector<term>& terms, wide coefficient, wide lowest, wide highest) {
  if (coefficient == 0 || (lowest == 0 && highest == 0)) return;
  if (coefficient < 0) coefficient = -coefficient, std::swap(lowest, highest), lowest = -lowest, highest = -highest;
  for (term& t : terms)
    if (t.coefficient == coefficient) {
      t.lowest += lowest, t.highest += highest;
      return;
    }
  terms.push_back({coefficient, lowest, highest});
}

}  // namespace

std::optional<byte_range> bytes_of(const layout& view) {
  if (empty(view)) return byte_range{};
  wide first = 0;
  wide last = view.element_bytes;
  constexpr wide limit = wide{1} << 62;
  for (int k = 0; k < view.rank; ++k) {
    const wide steps = view.extents[static_cast<std::size_t>(k)] - 1;
    const wide stride = stride_bytes(view, k);
    if (steps != 0 && (stride > limit || stride < -limit)) return std::nullopt;
    (stride < 0 ? first : last) += steps * stride;
    if (last > limit || first < -limit) return std::nullopt;
  }
  return byte_range{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)};
}

bool contiguous(const layout& view) {
  if (empty(view)) return true;
  std::int64_t step = 1;
  for (int k = view.rank; k-- > 0;) {
    const auto d = static_cast<std::size_t>(k);
    if (view.extents[d] != 1 && view.strides[d] != step) return false;
    step *= view.extents[d];
  }
  return true;
}

bool narrow(const layout& view) {
  constexpr wide greatest = codegen::variant::greatest_narrow;
  wide distance = 0;
  for (int k = 0; k < view.rank; ++k) {
    const auto d = static_cast<std::size_t>(k);
    const wide stride = view.strides[d] < 0 ? -static_cast<wide>(view.strides[d]) : view.strides[d];
    if (view.extents[d] > greatest || stride > greatest) return false;
    if (view.extents[d] > 1) distance += (view.extents[d] - 1) * stride;
  }
  return distance <= greatest;
}

bool injective(const layout& view) {
  if (empty(view) || contiguous(view)) return true;
  std::vector<term> terms;
  for (int k = 0; k < view.rank; ++k) {
    const wide steps = view.extents[static_cast<std::size_t>(k)] - 1;
    if (steps == 0) continue;
    const wide stride = stride_bytes(view, k);
    if (stride == 0) return false;
    // Two dimensions of one stride: one step forth in the first and back in the second is the same element.
    for (const term& t : terms)
      if (t.coefficient == (stride < 0 ? -stride : stride)) return false;
    add(terms, stride, -steps, steps);
  }
  return !search(std::move(terms), true).finds(-(view.element_bytes - 1), view.element_bytes - 1);
}

bool overlap(std::uintptr_t a, const layout& view_a, std::uintptr_t b, const layout& view_b) {
  if (empty(view_a) || empty(view_b)) return false;
  const std::optional<byte_range> range_a = bytes_of(view_a);
  const std::optional<byte_range> range_b = bytes_of(view_b);
  if (!range_a || !range_b) return true;
  if (wide{a} + range_a->last <= wide{b} + range_b->first || wide{b} + range_b->last <= wide{a} + range_a->first)
    return false;
  // Element i of a begins at a + s.i, element j of b at b + t.j; they share a byte if
  // -(bytes of an a) < (a + s.i) - (b + t.j) < bytes of a b.
  std::vector<term> terms;
  for (int k = 0; k < view_a.rank; ++k)
    add(terms, stride_bytes(view_a, k), 0, view_a.extents[static_cast<std::size_t>(k)] - 1);
  for (int k = 0; k < view_b.rank; ++k)
    add(terms, stride_bytes(view_b, k), -(view_b.extents[static_cast<std::size_t>(k)] - 1), 0);
  const wide distance = wide{b} - wide{a};
  return search(std::move(terms), false)
      .finds(distance - view_a.element_bytes + 1, distance + view_b.element_bytes - 1);
}

}  // namespace selvage::inline v0::detail
