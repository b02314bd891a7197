// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one table of what pure operations compute, a row each; an operation without a row does not compile. Must be
// compiled without contraction of a * b + c.
#include "evaluate.hpp"

#include <selvage/ir/meaning.hpp>
#include <selvage/ir/structure.hpp>

#include <cmath>

namespace selvage::inline v0::ir {
namespace {

/// A function a pure operation, of the operation's name, over values of one type.
namespace rows {
// clang-format off
template <class T> T negate(T a) { return meaning::negate(a); }
template <class T> T logical_not(T a) { return !a; }
template <class T> T bit_not(T a) { return static_cast<T>(~static_cast<meaning::wrap<T>>(a)); }
template <class T> T absolute(T a) { return meaning::absolute(a); }
template <class T> T square_root(T a) { return std::sqrt(a); }
template <class T> T reciprocal_square_root(T a) { return T{1} / std::sqrt(a); }
template <class T> T round_down(T a) { return std::floor(a); }
template <class T> T round_up(T a) { return std::ceil(a); }
template <class T> T round_nearest(T a) { return std::round(a); }
template <class T> T round_even(T a) { return std::nearbyint(a); }
template <class T> T round_to_zero(T a) { return std::trunc(a); }
template <class T> T copy_sign(T a, T b) { return std::copysign(a, b); }
template <class T> T add(T a, T b) { return meaning::add(a, b); }
template <class T> T subtract(T a, T b) { return meaning::subtract(a, b); }
template <class T> T multiply(T a, T b) { return meaning::multiply(a, b); }
template <class T> T divide(T a, T b) { return meaning::divide(a, b); }
template <class T> T remainder(T a, T b) { return meaning::remainder(a, b); }
template <class T> T minimum(T a, T b) { return meaning::minimum(a, b); }
template <class T> T maximum(T a, T b) { return meaning::maximum(a, b); }
template <class T> T bit_and(T a, T b) { return static_cast<T>(a & b); }
template <class T> T bit_or(T a, T b) { return static_cast<T>(a | b); }
template <class T> T bit_xor(T a, T b) { return static_cast<T>(a ^ b); }
template <class T> T shift_left(T a, T b) { return meaning::shift_left(a, b); }
template <class T> T shift_right(T a, T b) { return meaning::shift_right(a, b); }
template <class T> T logical_and(T a, T b) { return a && b; }
template <class T> T logical_or(T a, T b) { return a || b; }
template <class T> bool equal(T a, T b) { return a == b; }
template <class T> bool not_equal(T a, T b) { return a != b; }
template <class T> bool less(T a, T b) { return a < b; }
template <class T> bool less_equal(T a, T b) { return a <= b; }
template <class T> T fused_multiply_add(T a, T b, T c) { return std::fma(a, b, c); }
#define SELVAGE_ROW(X, name, word, arity) template <class... T> auto name(T... a) { return std::word(a...); }
SELVAGE_FUNCTIONS(SELVAGE_ROW, )
#undef SELVAGE_ROW
// clang-format on
// These two take operands of different types and are handled before the table.
template <class T>
T cast(T a);
template <class T>
T select(T a, T b, T c);
}  // namespace rows

template <class T>
std::uint64_t evaluate_as(operation o, type result, std::uint64_t first, std::uint64_t second, std::uint64_t third) {
  const T a = from_bits<T>(first);
  [[maybe_unused]] const T b = from_bits<T>(second);
  [[maybe_unused]] const T c = from_bits<T>(third);
  if (o == operation::cast) return with_type(result, [a]<class To>() { return to_bits(meaning::cast<To>(a)); });
  if (o == operation::select) return first != 0 ? second : third;
  switch (o) {
#define SELVAGE_APPLY(name, ...)                                                                \
  case operation::name:                                                                         \
    if constexpr (operation::name != operation::cast && operation::name != operation::select && \
                  accepts(operation::name, type_of<T>()))                                       \
      return to_bits(rows::name(__VA_ARGS__));                                                  \
    break;
#define SELVAGE_leaf(name) \
  case operation::name: break;
#define SELVAGE_memory(name) \
  case operation::name: break;
#define SELVAGE_variable(name) \
  case operation::name: break;
#define SELVAGE_control(name) \
  case operation::name: break;
#define SELVAGE_statement(name) \
  case operation::name: break;
#define SELVAGE_unary(name) SELVAGE_APPLY(name, a)
#define SELVAGE_binary(name) SELVAGE_APPLY(name, a, b)
#define SELVAGE_comparison(name) SELVAGE_APPLY(name, a, b)
#define SELVAGE_function(name)                                          \
  case operation::name:                                                 \
    if constexpr (!std::floating_point<T>) break;                       \
    else if constexpr (properties(operation::name).arity == 2) return to_bits(rows::name(a, b)); \
    else return to_bits(rows::name(a));
#define SELVAGE_ternary(name) SELVAGE_APPLY(name, a, b, c)
#define SELVAGE_ROW(name, arity, kind) SELVAGE_##kind(name)
    SELVAGE_OPERATIONS(SELVAGE_ROW)
#undef SELVAGE_ROW
  }
  return 0;
}

}  // namespace

std::uint64_t evaluate(operation o, type result, type operand, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return with_type(operand, [&]<class T>() { return evaluate_as<T>(o, result, a, b, c); });
}

std::uint64_t combine(fold_kind kind, type t, std::uint64_t a, std::uint64_t b) {
  switch (kind) {
    case fold_kind::sum: return evaluate(operation::add, t, t, a, b, 0);
    case fold_kind::product: return evaluate(operation::multiply, t, t, a, b, 0);
    case fold_kind::minimum: return evaluate(operation::minimum, t, t, a, b, 0);
    case fold_kind::maximum: return evaluate(operation::maximum, t, t, a, b, 0);
    case fold_kind::any: return evaluate(operation::logical_or, t, t, a, b, 0);
    case fold_kind::all: return evaluate(operation::logical_and, t, t, a, b, 0);
    case fold_kind::ordered: return b;
  }
  return b;
}

std::uint64_t identity_of(fold_kind kind, type t) {
  return with_type(t, [&]<class T>() { return to_bits(meaning::identity<T>(kind)); });
}

}  // namespace selvage::inline v0::ir
