// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which types meet in an operation, and as what: C++'s usual conversions where nothing can be lost, else a refusal.
#pragma once

#include <selvage/ir/types.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace selvage::inline v0::detail {

using ir::type;

/// C++'s promotion: bool and integers of 8 and 16 bits become int32.
constexpr type promoted(type t) { return ir::properties(t).bits < 32 && t != type::none ? type::int32 : t; }

/// Whether every value of `from` is a value of `to`.
constexpr bool holds_all(type to, type from) {
  const auto t = ir::properties(to);
  const auto f = ir::properties(from);
  if (to == from) return true;
  if (to == type::boolean || to == type::none || from == type::none) return false;
  if (from == type::boolean) return true;
  if (ir::is_float(from)) return ir::is_float(to) && t.bits >= f.bits;
  const int value_bits = f.bits - (ir::is_signed(from) ? 1 : 0);
  if (ir::is_float(to)) return value_bits <= (to == type::float32 ? 24 : 53);
  if (ir::is_signed(from) && ir::is_unsigned(to)) return false;
  return value_bits <= t.bits - (ir::is_signed(to) ? 1 : 0);
}

/// The common type of two kernel values in arithmetic and comparison: one of the two promoted types, if it holds all
/// values of the other; else `none`.
constexpr type common(type a, type b) {
  const type x = promoted(a);
  const type y = promoted(b);
  return holds_all(x, y) ? x : holds_all(y, x) ? y : type::none;
}

/// The common type of a kernel value and a C++ constant: an integer constant takes the value's (promoted) type; a
/// floating-point one must not be wider than a floating-point value beside it, and beside an integer behaves as a value.
constexpr type common_with_constant(type value, type constant) {
  if (ir::is_float(constant) && ir::is_float(value)) return holds_all(value, constant) ? value : type::none;
  if (ir::is_float(constant)) return common(value, constant);
  if (value == type::boolean && constant == type::boolean) return type::int32;
  return promoted(value);
}

/// Whether a constant keeps its value as a T.
template <class T, class C>
constexpr bool fits(C c) {
  if constexpr (std::same_as<T, bool>) {
    return c == C{0} || c == C{1};
  } else if constexpr (std::integral<C> && std::integral<T> && !std::same_as<C, bool>) {
    constexpr auto high = std::numeric_limits<T>::max();
    if constexpr (std::is_signed_v<C> == std::is_signed_v<T>) return c >= std::numeric_limits<T>::min() && c <= high;
    else if constexpr (std::is_signed_v<C>) return c >= 0 && static_cast<std::make_unsigned_t<C>>(c) <= high;
    else return c <= static_cast<std::make_unsigned_t<T>>(high);
  } else if constexpr (std::integral<C> && std::floating_point<T>) {
    constexpr auto exact = std::uint64_t{1} << std::numeric_limits<T>::digits;
    const auto magnitude = c < C{0} ? std::uint64_t{0} - static_cast<std::uint64_t>(c) : static_cast<std::uint64_t>(c);
    return magnitude <= exact;
  } else if constexpr (std::floating_point<C> && std::integral<T>) {
    return false;
  } else {
    return true;  // float to double, and what the types already decided
  }
}

}  // namespace selvage::inline v0::detail
