// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every operation on values means. Nothing is undefined. The interpreter calls these functions, the emitter must
// agree with them, and the tests compare the two.
//
// * Integers wrap modulo 2^bits. x / 0 = 0 and x % 0 = x; the quotient truncates towards zero; lowest / -1 = lowest,
//   lowest % -1 = 0; so (x / y) * y + x % y = x always. |lowest| = lowest.
// * A shift by s shifts by s modulo the width. Right shifts of signed integers copy the sign.
// * Floating point is IEEE 754, round to nearest even. A kernel may contract a * b + c into one rounding (an emitter's
//   option), nothing more unless it is `fast`. sqrt, +, -, *, /, fma, floor, ceil, round, min, max, abs and casts are
//   exact or correctly rounded; rsqrt(x) is 1 / sqrt(x); the others are within the bounds of docs/language.md.
// * min and max are IEEE 754-2019's minimumNumber and maximumNumber: a NaN loses to a number, -0 is less than +0.
// * Comparisons with NaN are false, != is true.
// * Casts: to an integer from floating point truncate and saturate, NaN gives 0; between integers wrap; to bool is != 0.
// * A for_ visits begin, begin + step, ... while less than end; none if step <= 0. A fold over no items gives its
//   identity: sum 0, product 1, any false, all true, minimum the type's greatest (infinity), maximum its least.
#pragma once

#include <selvage/ir/operations.hpp>
#include <selvage/ir/types.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace selvage::inline v0::ir::meaning {

/// Unsigned integers of T's width for wrapping arithmetic, at least 32 bits so that nothing promotes to a signed type.
template <std::integral T>
using wrap = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
constexpr T add(T a, T b) {
  if constexpr (std::floating_point<T>) return a + b;
  else return static_cast<T>(static_cast<wrap<T>>(a) + static_cast<wrap<T>>(b));
}
template <class T>
constexpr T subtract(T a, T b) {
  if constexpr (std::floating_point<T>) return a - b;
  else return static_cast<T>(static_cast<wrap<T>>(a) - static_cast<wrap<T>>(b));
}
template <class T>
constexpr T multiply(T a, T b) {
  if constexpr (std::floating_point<T>) return a * b;
  else return static_cast<T>(static_cast<wrap<T>>(a) * static_cast<wrap<T>>(b));
}
template <class T>
constexpr T negate(T a) {
  if constexpr (std::floating_point<T>) return -a;
  else return subtract(T{0}, a);
}
template <class T>
constexpr T divide(T a, T b) {
  if constexpr (std::floating_point<T>) return a / b;
  else if (b == 0) return T{0};
  else if constexpr (std::signed_integral<T>) return b == T{-1} ? negate(a) : static_cast<T>(a / b);
  else return static_cast<T>(a / b);
}
template <std::integral T>
constexpr T remainder(T a, T b) {
  if (b == 0) return a;
  else if constexpr (std::signed_integral<T>) return b == T{-1} ? T{0} : static_cast<T>(a % b);
  else return static_cast<T>(a % b);
}
template <class T>
constexpr T absolute(T a) {
  if constexpr (std::floating_point<T>) return a < T{0} || (a == T{0} && std::signbit(a)) ? -a : a != a ? std::abs(a) : a;
  else if constexpr (std::signed_integral<T>) return a < 0 ? negate(a) : a;
  else return a;
}
template <class T>
constexpr T minimum(T a, T b) {
  if constexpr (std::floating_point<T>) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return std::signbit(a) ? a : b;
  }
  return b < a ? b : a;
}
template <class T>
constexpr T maximum(T a, T b) {
  if constexpr (std::floating_point<T>) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a < b ? b : a;
}
template <std::integral T>
constexpr T shift_left(T a, T s) {
  const auto amount = static_cast<wrap<T>>(s) % static_cast<wrap<T>>(sizeof(T) * 8);
  return static_cast<T>(static_cast<wrap<T>>(a) << amount);
}
template <std::integral T>
constexpr T shift_right(T a, T s) {
  const auto amount = static_cast<wrap<T>>(s) % static_cast<wrap<T>>(sizeof(T) * 8);
  return static_cast<T>(a >> amount);  // C++20: arithmetic for signed types
}

/// Conversion between any two element types.
template <class To, class From>
constexpr To cast(From v) {
  if constexpr (std::same_as<To, bool>) {
    return v != From{0};
  } else if constexpr (std::integral<To> && std::floating_point<From>) {
    using limits = std::numeric_limits<To>;
    // 2^digits is exact in both floating-point types and is the first value that does not fit.
    const From above = static_cast<From>(std::uint64_t{1} << (limits::digits - 1)) * From{2};
    if (v != v) return To{0};
    if (v >= above) return limits::max();
    if (std::signed_integral<To> ? v < -above : v <= From{-1}) return limits::min();
    return static_cast<To>(v);
  } else {
    return static_cast<To>(v);
  }
}

/// Value of a fold over no items.
template <class T>
constexpr T identity(fold_kind kind) {
  using limits = std::numeric_limits<T>;
  switch (kind) {
    case fold_kind::product:
    case fold_kind::all: return T{1};
    case fold_kind::minimum: return limits::has_infinity ? limits::infinity() : limits::max();
    case fold_kind::maximum: return limits::has_infinity ? -limits::infinity() : limits::lowest();
    default: return T{0};
  }
}

/// Number of iterations of a for_ or fold; fits unsigned 64 bits for every begin and end.
constexpr std::uint64_t trip_count(std::int64_t begin, std::int64_t end, std::int64_t step) {
  if (begin >= end || step <= 0) return 0;
  const std::uint64_t distance = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
  return (distance - 1) / static_cast<std::uint64_t>(step) + 1;
}

}  // namespace selvage::inline v0::ir::meaning
