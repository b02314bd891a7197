// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of Selvage: one row a type, from which the enumeration, the C++ mapping and all properties follow.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

/// One row a type: name in the image, C++ type, bits of its value, class.
/// `boolean` is one byte in memory (0 or 1) and one bit as a value.
#define SELVAGE_TYPES(X)                        \
  X(boolean, bool, 1, logical)                  \
  X(int8, std::int8_t, 8, signed_integer)       \
  X(uint8, std::uint8_t, 8, unsigned_integer)   \
  X(int16, std::int16_t, 16, signed_integer)    \
  X(uint16, std::uint16_t, 16, unsigned_integer) \
  X(int32, std::int32_t, 32, signed_integer)    \
  X(uint32, std::uint32_t, 32, unsigned_integer) \
  X(int64, std::int64_t, 64, signed_integer)    \
  X(uint64, std::uint64_t, 64, unsigned_integer) \
  X(float32, float, 32, floating_point)         \
  X(float64, double, 64, floating_point)

namespace selvage::inline v0::ir {

enum class type_class : std::uint8_t { none, logical, signed_integer, unsigned_integer, floating_point };

/// Element type of a node, parameter or value; `none` for statements.
enum class type : std::uint8_t {
  none,
#define SELVAGE_ROW(name, cpp, bits, kind) name,
  SELVAGE_TYPES(SELVAGE_ROW)
#undef SELVAGE_ROW
};

inline constexpr int type_count = 1
#define SELVAGE_ROW(name, cpp, bits, kind) +1
    SELVAGE_TYPES(SELVAGE_ROW)
#undef SELVAGE_ROW
    ;

struct type_properties {
  std::string_view name;
  int bits;         ///< of the value
  int bytes;        ///< in memory, also its alignment
  type_class kind;
};

namespace detail {
// At namespace scope, since a constant evaluation would make a local table anew at every call.
inline constexpr type_properties type_table[type_count] = {
    {"none", 0, 0, type_class::none},
#define SELVAGE_ROW(name, cpp, bits, kind) {#name, bits, int{sizeof(cpp)}, type_class::kind},
    SELVAGE_TYPES(SELVAGE_ROW)
#undef SELVAGE_ROW
};
}  // namespace detail

/// `t` must be a row of the table.
constexpr const type_properties& properties(type t) { return detail::type_table[static_cast<int>(t)]; }

constexpr bool is_float(type t) { return properties(t).kind == type_class::floating_point; }
constexpr bool is_signed(type t) { return properties(t).kind == type_class::signed_integer; }
constexpr bool is_unsigned(type t) { return properties(t).kind == type_class::unsigned_integer; }
constexpr bool is_integer(type t) { return is_signed(t) || is_unsigned(t); }

/// The image type of a C++ type; by class and width, so that `long` and `long long` are both `int64`. `none` if there is
/// no such row.
template <class T>
constexpr type type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return type::boolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::is_same_v<T, float> ? type::float32 : std::is_same_v<T, double> ? type::float64 : type::none;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr type_class kind = std::is_signed_v<T> ? type_class::signed_integer : type_class::unsigned_integer;
#define SELVAGE_ROW(name, cpp, bits, row_kind) \
  if (kind == type_class::row_kind && sizeof(T) == sizeof(cpp)) return type::name;
    SELVAGE_TYPES(SELVAGE_ROW)
#undef SELVAGE_ROW
    return type::none;
  } else {
    return type::none;
  }
}

template <class T>
concept element = type_of<T>() != type::none;

/// Calls `f.template operator()<T>()` with the C++ type of t (not `none`): the one switch over types.
template <class F>
constexpr decltype(auto) with_type(type t, F&& f) {
  switch (t) {
#define SELVAGE_ROW(name, cpp, bits, kind) \
  case type::name: return f.template operator()<cpp>();
    SELVAGE_TYPES(SELVAGE_ROW)
#undef SELVAGE_ROW
    default: return f.template operator()<bool>();
  }
}

/// A value as 64 bits: integers sign- or zero-extended, floating point as its own bit pattern, bool as 0 or 1.
template <element T>
constexpr std::uint64_t to_bits(T v) {
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(v);
  else if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(v);
  else return static_cast<std::uint64_t>(v);
}

template <element T>
constexpr T from_bits(std::uint64_t v) {
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(v);
  else if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(v));
  else if constexpr (std::is_same_v<T, bool>) return v != 0;
  else return static_cast<T>(v);
}

}  // namespace selvage::inline v0::ir
