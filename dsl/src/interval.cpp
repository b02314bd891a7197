// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval arithmetic of every pure operation, in the operation's own type: where it may wrap, the result is unknown.
#include "interval.hpp"

#include "evaluate.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace selvage::inline v0::ir {
namespace {

int128 lowest(type t) { return is_signed(t) ? -(int128{1} << (properties(t).bits - 1)) : int128{0}; }
int128 highest(type t) { return (int128{1} << (properties(t).bits - (is_signed(t) ? 1 : 0))) - 1; }
bool fits(type t, int128 lo, int128 hi) { return lo >= lowest(t) && hi <= highest(t); }
int128 magnitude(int128 v) { return v < 0 ? -v : v; }

bool independent(const interval& a, const interval& b) { return (a.depends & b.depends) == 0; }

/// Marks r as attained at both ends, with the stride given.
interval attained(interval r, bool exact, std::uint64_t stride) {
  if (r.constant) return r;
  r.exact = exact;
  r.stride = exact ? stride : 0;
  return r;
}

/// Stride of the sums of two independent progressions: 1 if the gaps of one are filled by the other.
std::uint64_t sum_stride(const interval& a, const interval& b) {
  if (a.constant) return b.stride;
  if (b.constant) return a.stride;
  if (a.stride == 1 && b.stride != 0 && a.hi - a.lo + 1 >= b.stride) return 1;
  if (b.stride == 1 && a.stride != 0 && b.hi - b.lo + 1 >= a.stride) return 1;
  return 0;
}

interval sum(type t, const interval& a, const interval& b) {
  const interval r = fitted(t, a.lo + b.lo, a.hi + b.hi);
  return attained(r, fits(t, a.lo + b.lo, a.hi + b.hi) && a.exact && b.exact && independent(a, b), sum_stride(a, b));
}

/// -a, which may lie outside its type.
interval mirrored(const interval& a) {
  interval r = a;
  r.lo = -a.hi;
  r.hi = -a.lo;
  return r;
}

interval product(type t, const interval& a, const interval& b) {
  int128 corner[4];
  if (__builtin_mul_overflow(a.lo, b.lo, &corner[0]) || __builtin_mul_overflow(a.lo, b.hi, &corner[1]) ||
      __builtin_mul_overflow(a.hi, b.lo, &corner[2]) || __builtin_mul_overflow(a.hi, b.hi, &corner[3])) {
    interval r = anything(t);
    r.wraps = is_signed(t);
    return r;
  }
  const int128 lo = *std::min_element(corner, corner + 4);
  const int128 hi = *std::max_element(corner, corner + 4);
  std::uint64_t stride = 0;
  const interval& factor = a.constant ? a : b;
  const interval& other = a.constant ? b : a;
  if (factor.constant && magnitude(factor.lo) <= highest(type::int64) &&
      __builtin_mul_overflow(other.stride, static_cast<std::uint64_t>(magnitude(factor.lo)), &stride))
    stride = 0;
  return attained(fitted(t, lo, hi), fits(t, lo, hi) && a.exact && b.exact && independent(a, b), stride);
}

interval quotient(type t, const interval& a, const interval& b) {
  if (b.lo == 0 && b.hi == 0) return constant_interval(t, 0);
  if (b.lo <= 0) {
    const int128 m = std::max(magnitude(a.lo), magnitude(a.hi));
    interval r = fitted(t, a.lo >= 0 && b.lo >= 0 ? int128{0} : -m, m);
    r.wraps = false;  // lowest / -1 is defined, and no emitter claims otherwise of a division
    return r;
  }
  const int128 lo = a.lo / (a.lo >= 0 ? b.hi : b.lo);
  const int128 hi = a.hi / (a.hi >= 0 ? b.lo : b.hi);
  return attained(fitted(t, lo, hi), b.constant && a.exact, a.stride == 1 ? 1 : 0);
}

interval rest(type t, const interval& a, const interval& b) {
  if (a.lo >= 0 && b.lo > a.hi) return a;  // x % y = x for 0 <= x < y
  int128 m = std::max(magnitude(a.lo), magnitude(a.hi));
  if (b.lo > 0 || b.hi < 0) m = std::min(m, std::max(magnitude(b.lo), magnitude(b.hi)) - 1);  // x % 0 = x
  const interval r = fitted(t, a.lo < 0 ? std::max(-m, a.lo) : int128{0}, a.hi > 0 ? std::min(m, a.hi) : int128{0});
  const bool all = b.constant && b.lo > 0 && a.lo >= 0 && a.stride == 1 && a.hi - a.lo + 1 >= b.lo;
  return attained(r, all, 1);
}

interval shifted_left(type t, const interval& a, const interval& b) {
  const int width = properties(t).bytes * 8;
  interval factor = fitted(type::uint64, 1, 1);
  if (b.constant) {
    factor = fitted(type::uint64, int128{1} << (b.bits % static_cast<unsigned>(width)),
                    int128{1} << (b.bits % static_cast<unsigned>(width)));
  } else {
    const bool plain = b.lo >= 0 && b.hi < width;
    factor.lo = int128{1} << (plain ? static_cast<int>(b.lo) : 0);
    factor.hi = int128{1} << (plain ? static_cast<int>(b.hi) : width - 1);
    factor.constant = factor.exact = false;
    factor.stride = 0;
  }
  return product(t, a, factor);
}

interval shifted_right(type t, const interval& a, const interval& b) {
  const int width = properties(t).bytes * 8;
  int least = 0;
  int most = width - 1;
  if (b.constant) least = most = static_cast<int>(b.bits % static_cast<unsigned>(width));
  else if (b.lo >= 0 && b.hi < width) least = static_cast<int>(b.lo), most = static_cast<int>(b.hi);
  const interval r = fitted(t, a.lo >> (a.lo >= 0 ? most : least), a.hi >> (a.hi >= 0 ? least : most));
  return attained(r, b.constant && a.exact, a.stride == 1 ? 1 : 0);
}

interval bitwise(const node& n, const interval& a, const interval& b) {
  const type t = n.type;
  if (n.code == operation::bit_and) {
    if (a.lo >= 0 && b.lo >= 0) return fitted(t, 0, std::min(a.hi, b.hi));
    if (a.lo >= 0) return fitted(t, 0, a.hi);
    if (b.lo >= 0) return fitted(t, 0, b.hi);
    return anything(t);
  }
  if (a.lo < 0 || b.lo < 0) return anything(t);
  const int bits = 64 - std::countl_zero(static_cast<std::uint64_t>(std::max(a.hi, b.hi)));
  return fitted(t, n.code == operation::bit_or ? std::max(a.lo, b.lo) : int128{0}, (int128{1} << bits) - 1);
}

interval clamped(const node& n, const interval& a, const interval& b) {
  const bool least = n.code == operation::minimum;
  if (least ? a.hi <= b.lo : a.lo >= b.hi) return a;
  if (least ? b.hi <= a.lo : b.lo >= a.hi) return b;
  const interval r = least ? fitted(n.type, std::min(a.lo, b.lo), std::min(a.hi, b.hi))
                           : fitted(n.type, std::max(a.lo, b.lo), std::max(a.hi, b.hi));
  return attained(r, a.exact && b.exact && independent(a, b), 0);
}

interval magnitudes(type t, const interval& a) {
  if (a.lo >= 0) return a;
  if (a.hi <= 0) {
    const interval m = mirrored(a);
    return attained(fitted(t, m.lo, m.hi), a.exact && fits(t, m.lo, m.hi), a.stride);
  }
  return fitted(t, 0, std::max(-a.lo, a.hi));
}

interval converted(type to, type from, const interval& a) {
  if (is_float(to) || is_float(from)) return anything(to);
  if (to == type::boolean) return fitted(to, a.lo > 0 || a.hi < 0 ? 1 : 0, a.lo == 0 && a.hi == 0 ? 0 : 1);
  return fits(to, a.lo, a.hi) ? attained(fitted(to, a.lo, a.hi), a.exact, a.stride) : anything(to);
}

interval compared(operation o, type operand, const interval& a, const interval& b) {
  const interval r = anything(type::boolean);
  if (is_float(operand)) return r;
  bool always = false;
  bool never = false;
  switch (o) {
    case operation::less: always = a.hi < b.lo, never = a.lo >= b.hi; break;
    case operation::less_equal: always = a.hi <= b.lo, never = a.lo > b.hi; break;
    case operation::equal: never = a.hi < b.lo || b.hi < a.lo; break;
    default: always = a.hi < b.lo || b.hi < a.lo; break;  // not_equal
  }
  return always ? constant_interval(type::boolean, 1) : never ? constant_interval(type::boolean, 0) : r;
}

/// Of signed operations on constants, those whose value is left to the interval's arithmetic.
bool may_wrap(operation o) {
  return o == operation::negate || o == operation::absolute || o == operation::add || o == operation::subtract ||
         o == operation::multiply || o == operation::shift_left;
}

interval apply_integers(const node& n, type operand, const interval& a, const interval& b, const interval& c) {
  const type t = n.type;
  switch (n.code) {
    case operation::negate: return sum(t, constant_interval(t, 0), mirrored(a));
    case operation::bit_not: {  // ~a is -1 - a, modulo the width
      const int128 ones = is_signed(t) ? int128{-1} : highest(t);
      return sum(t, constant_interval(t, static_cast<std::uint64_t>(ones)), mirrored(a));
    }
    case operation::logical_not: return fitted(t, 1 - a.hi, 1 - a.lo);
    case operation::absolute: return magnitudes(t, a);
    case operation::cast: return converted(t, operand, a);
    case operation::add: return sum(t, a, b);
    case operation::subtract: return sum(t, a, mirrored(b));
    case operation::multiply: return product(t, a, b);
    case operation::divide: return quotient(t, a, b);
    case operation::remainder: return rest(t, a, b);
    case operation::minimum:
    case operation::maximum: return clamped(n, a, b);
    case operation::bit_and:
    case operation::bit_or:
    case operation::bit_xor: return bitwise(n, a, b);
    case operation::shift_left: return shifted_left(t, a, b);
    case operation::shift_right: return shifted_right(t, a, b);
    case operation::logical_and: return fitted(t, a.lo & b.lo, a.hi & b.hi);
    case operation::logical_or: return fitted(t, a.lo | b.lo, a.hi | b.hi);
    case operation::equal:
    case operation::not_equal:
    case operation::less:
    case operation::less_equal: return compared(n.code, operand, a, b);
    case operation::select: return a.constant ? (a.bits != 0 ? b : c) : hull(t, b, c);
    default: return anything(t);  // operations of floating point alone
  }
}

}  // namespace

interval anything(type t) {
  interval r;
  if (t != type::none && !is_float(t)) r.lo = lowest(t), r.hi = highest(t);
  return r;
}

interval constant_interval(type t, std::uint64_t bits) {
  interval r;
  r.constant = true;
  r.bits = bits;
  if (is_float(t)) return r;
  r.lo = r.hi = is_signed(t) ? int128{static_cast<std::int64_t>(bits)} : int128{bits};
  r.exact = true;
  r.stride = 1;
  return r;
}

interval fitted(type t, int128 lo, int128 hi) {
  if (!fits(t, lo, hi)) {
    interval r = anything(t);
    r.wraps = is_signed(t);
    return r;
  }
  if (lo == hi) return constant_interval(t, static_cast<std::uint64_t>(lo));
  interval r;
  r.lo = lo;
  r.hi = hi;
  return r;
}

interval hull(type t, const interval& a, const interval& b) {
  interval r = is_float(t) ? (a.constant && b.constant && a.bits == b.bits ? a : interval{})
                           : fitted(t, std::min(a.lo, b.lo), std::max(a.hi, b.hi));
  r.wraps = a.wraps || b.wraps;
  r.depends = a.depends | b.depends;
  return r;
}

interval apply(const node& n, type operand, const interval& a, const interval& b, const interval& c) {
  const bool known = a.constant && (n.arity < 2 || b.constant) && (n.arity < 3 || c.constant);
  interval r;
  if (known && !(is_signed(n.type) && may_wrap(n.code))) {
    r = constant_interval(n.type, evaluate(n.code, n.type, operand, a.bits, b.bits, c.bits));
  } else if (is_float(n.type) && n.code != operation::select) {
    r = anything(n.type);
  } else {
    r = apply_integers(n, operand, a, b, c);
  }
  const bool wraps = a.wraps || (n.arity > 1 && b.wraps) || (n.arity > 2 && c.wraps);
  r.wraps = r.wraps || wraps;
  r.depends = r.constant ? 0 : a.depends | (n.arity > 1 ? b.depends : 0) | (n.arity > 2 ? c.depends : 0);
  return r;
}

}  // namespace selvage::inline v0::ir
