// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions narrow the intervals of what they compare, and backwards of what that comes from: `i + 1 < n` bounds i.
#include "refinement.hpp"

#include <algorithm>
#include <utility>

namespace selvage::inline v0::ir {
namespace {

constexpr int steps_of_assumption = 64;
constexpr int steps_of_evaluation = 32;

bool is_exact_type(type t) { return t != type::none && !is_float(t); }

int128 divide_down(int128 a, int128 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
int128 divide_up(int128 a, int128 b) { return -divide_down(-a, b); }

/// Did a sum, difference or product of these keep within its type? Then it may be solved for an operand.
bool keeps(type t, int128 lo, int128 hi) {
  const interval all = anything(t);
  return lo >= all.lo && hi <= all.hi;
}

}  // namespace

bool refinement::assume(std::uint32_t condition, bool truth) {
  budget_ = steps_of_assumption;
  possible_ = true;
  follow(condition, truth);
  return possible_;
}

void refinement::follow(std::uint32_t condition, bool truth) {
  if (--budget_ < 0) return;
  const node& n = image_.nodes[condition];
  narrow(condition, truth ? 1 : 0, truth ? 1 : 0);
  switch (n.code) {
    case operation::logical_not: return follow(image_.operand(n, 0), !truth);
    case operation::logical_and:
    case operation::bit_and:
      if (!truth) return;
      follow(image_.operand(n, 0), true);
      return follow(image_.operand(n, 1), true);
    case operation::logical_or:
    case operation::bit_or:
      if (truth) return;
      follow(image_.operand(n, 0), false);
      return follow(image_.operand(n, 1), false);
    case operation::equal:
    case operation::not_equal:
    case operation::less:
    case operation::less_equal: return compare(n, truth);
    case operation::end: return follow_choose(condition, truth);
    default: return;
  }
}

/// `a && b` with a load in b is recorded as choose(a) { yield b } else_ { yield false }, `||` likewise.
void refinement::follow_choose(std::uint32_t end, bool truth) {
  const std::uint32_t opener = image_.operand(image_.nodes[end], 0);
  if (image_.nodes[opener].code != operation::choose) return;
  const choose_parts parts = parts_of(opener);
  if (parts.first == no_node || parts.second == no_node) return;
  const std::uint32_t first = image_.operand(image_.nodes[parts.first], 1);
  const std::uint32_t second = image_.operand(image_.nodes[parts.second], 1);
  const auto is_never = [&](std::uint32_t n) {
    const node& at = image_.nodes[n];
    return at.code == operation::literal && (at.bits != 0) != truth;
  };
  const std::uint32_t condition = image_.operand(image_.nodes[opener], 0);
  if (is_never(second)) {
    follow(condition, true);
    follow(first, truth);
  } else if (is_never(first)) {
    follow(condition, false);
    follow(second, truth);
  }
}

void refinement::compare(const node& n, bool truth) {
  std::uint32_t a = image_.operand(n, 0);
  std::uint32_t b = image_.operand(n, 1);
  if (!is_exact_type(image_.nodes[a].type)) return;
  const bool equality = n.code == operation::equal || n.code == operation::not_equal;
  if (equality) {
    const bool same = (n.code == operation::equal) == truth;
    for (int turn = 0; turn < 2; ++turn, std::swap(a, b)) {
      const interval to = (*this)[b];
      const interval from = (*this)[a];
      if (same) narrow(a, to.lo, to.hi);
      else if (to.lo == to.hi && from.lo == to.lo) narrow(a, from.lo + 1, from.hi);
      else if (to.lo == to.hi && from.hi == to.lo) narrow(a, from.lo, from.hi - 1);
    }
    return;
  }
  if (!truth) std::swap(a, b);  // !(a < b) is b <= a, !(a <= b) is b < a
  const int gap = (n.code == operation::less) == truth ? 1 : 0;
  const interval left = (*this)[a];
  const interval right = (*this)[b];
  narrow(a, left.lo, right.hi - gap);
  narrow(b, left.lo + gap, right.hi);
}

void refinement::narrow(std::uint32_t n, int128 lo, int128 hi) {
  if (--budget_ < 0) return;
  interval to = (*this)[n];
  if (lo <= to.lo && hi >= to.hi) return;
  const interval before = to;
  to.lo = std::max(lo, to.lo);
  to.hi = std::min(hi, to.hi);
  if (to.lo > to.hi) {
    possible_ = false;
    return;
  }
  if (to.lo == to.hi) {
    to = constant_interval(image_.nodes[n].type, static_cast<std::uint64_t>(to.lo));
    to.wraps = before.wraps;
  } else {
    to.exact = false;
    to.stride = 0;
  }
  storage_.undo.push_back({slot(n), before});
  storage_.states[slot(n)] = to;
  narrow_operands(image_.nodes[n], to);
}

void refinement::narrow_operands(const node& n, const interval& to) {
  if (properties(n.code).kind != operation_kind::unary && properties(n.code).kind != operation_kind::binary) return;
  const std::uint32_t x = image_.operand(n, 0);
  const type t = image_.nodes[x].type;
  if (!is_exact_type(t)) return;
  const interval a = (*this)[x];
  if (n.code == operation::cast) {
    if (keeps(n.type, a.lo, a.hi) && n.type != type::boolean) narrow(x, to.lo, to.hi);
    return;
  }
  if (n.code == operation::negate) {
    if (keeps(t, -a.hi, -a.lo)) narrow(x, -to.hi, -to.lo);
    return;
  }
  if (n.arity < 2) return;
  const std::uint32_t y = image_.operand(n, 1);
  const interval b = (*this)[y];
  switch (n.code) {
    case operation::add:
      if (!keeps(t, a.lo + b.lo, a.hi + b.hi)) return;
      narrow(x, to.lo - b.hi, to.hi - b.lo);
      narrow(y, to.lo - a.hi, to.hi - a.lo);
      return;
    case operation::subtract:
      if (!keeps(t, a.lo - b.hi, a.hi - b.lo)) return;
      narrow(x, to.lo + b.lo, to.hi + b.hi);
      narrow(y, a.lo - to.hi, a.hi - to.lo);
      return;
    case operation::minimum:
      narrow(x, to.lo, a.hi);
      narrow(y, to.lo, b.hi);
      return;
    case operation::maximum:
      narrow(x, a.lo, to.hi);
      narrow(y, b.lo, to.hi);
      return;
    case operation::multiply: {
      const interval& factor = a.constant ? a : b;
      const interval& other = a.constant ? b : a;
      int128 lo = 0;
      int128 hi = 0;
      if (!factor.constant || factor.lo <= 0) return;
      if (__builtin_mul_overflow(other.lo, factor.lo, &lo) || __builtin_mul_overflow(other.hi, factor.lo, &hi)) return;
      if (keeps(t, lo, hi)) narrow(a.constant ? y : x, divide_up(to.lo, factor.lo), divide_down(to.hi, factor.lo));
      return;
    }
    default: return;
  }
}

interval refinement::here(std::uint32_t n) const {
  int budget = steps_of_evaluation;
  return here(n, budget);
}

interval refinement::here(std::uint32_t n, int& budget) const {
  const node& at = image_.nodes[n];
  interval r = (*this)[n];
  const operation_kind kind = properties(at.code).kind;
  if (--budget < 0 || r.constant || kind < operation_kind::unary || kind > operation_kind::ternary) return r;
  if (!is_exact_type(at.type)) return r;
  interval of[3];
  for (std::uint32_t k = 0; k < at.arity; ++k) of[k] = here(image_.operand(at, k), budget);
  const interval now = apply(at, image_.operand_node(at, at.arity - 1U).type, of[0], of[1], of[2]);
  if (now.lo <= r.lo && now.hi >= r.hi) return r;
  if (now.hi < r.lo || now.lo > r.hi) return r;  // never reached; an empty interval is of no use to others
  r.lo = std::max(r.lo, now.lo);
  r.hi = std::min(r.hi, now.hi);
  r.exact = r.constant = false;
  r.stride = 0;
  return r;
}

interval refinement::everywhere(std::uint32_t n, int& budget) const {
  const node& at = image_.nodes[n];
  const operation_kind kind = properties(at.code).kind;
  if (kind < operation_kind::unary || kind > operation_kind::ternary) return (*this)[n];
  if (--budget < 0) return anything(at.type);
  interval of[3];
  for (std::uint32_t k = 0; k < at.arity; ++k) of[k] = everywhere(image_.operand(at, k), budget);
  return apply(at, image_.operand_node(at, at.arity - 1U).type, of[0], of[1], of[2]);
}

interval refinement::evaluate(std::uint32_t n) {
  const node& at = image_.nodes[n];
  interval of[3];
  for (std::uint32_t k = 0; k < at.arity; ++k) of[k] = (*this)[image_.operand(at, k)];
  if (at.code == operation::select && !of[0].constant) {
    interval known = of[0];
    for (std::uint32_t side = 1; side < 3; ++side) {
      const std::size_t before = mark();
      const bool possible = assume(image_.operand(at, 0), side == 1);
      const bool wraps = of[side].wraps;
      if (possible) of[side] = here(image_.operand(at, side));
      else known = constant_interval(type::boolean, side == 1 ? 0 : 1);
      of[side].wraps = wraps;
      undo(before);
      if (!possible) break;
    }
    known.wraps = of[0].wraps;
    of[0] = known;
  }
  return apply(at, image_.operand_node(at, at.arity - 1U).type, of[0], of[1], of[2]);
}

void refinement::undo(std::size_t mark) {
  while (storage_.undo.size() > mark) {
    storage_.states[storage_.undo.back().slot] = storage_.undo.back().before;
    storage_.undo.pop_back();
  }
}

}  // namespace selvage::inline v0::ir
