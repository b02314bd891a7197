// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators of kernel values: + - * / % comparison && || ! & | ^ ~ << >>.
#pragma once

#include <selvage/dsl/expr.hpp>

#include <concepts>
#include <type_traits>

namespace selvage::inline v0 {
namespace detail {

template <class A, class B>
inline constexpr bool wide_constant_beside_float = (term<A> && std::floating_point<std::remove_cvref_t<B>> &&
                                                    image_type<A>() == ir::type::float32 &&
                                                    !std::same_as<std::remove_cvref_t<B>, float>) ||
                                                   (term<B> && std::floating_point<std::remove_cvref_t<A>> &&
                                                    image_type<B>() == ir::type::float32 &&
                                                    !std::same_as<std::remove_cvref_t<A>, float>);

/// Checks two operands and gives their common image type; `none` after a refusal.
template <class A, class B>
constexpr ir::type checked_common() {
  static_assert(
      operand<A> && operand<B>,
      "selvage: one operand is neither a kernel value nor a number: pass it to the kernel as sv::value, sv::in, ...");
  if constexpr (operand<A> && operand<B>) {
    static_assert(!wide_constant_beside_float<A, B>,
                  "selvage: a double constant beside a float value would make the arithmetic double: write it as 2.0f, "
                  "or sv::cast<double>(...) the value");
    if constexpr (wide_constant_beside_float<A, B>) {
      return ir::type::none;
    } else {
      static_assert(common_type<A, B>() != ir::type::none,
                    "selvage: these operands have no common type that holds both without loss: write sv::cast<T>(...) "
                    "around one");
      return common_type<A, B>();
    }
  } else {
    return ir::type::none;
  }
}

/// Arithmetic: the result has the common type.
template <ir::operation Code, class A, class B>
constexpr auto arithmetic(const A& a, const B& b) {
  constexpr ir::type type = checked_common<A, B>();
  if constexpr (type != ir::type::none) {
    using T = cpp_t<type>;
    recorder* r = recorder_of(a, b);
    const std::uint32_t x = node_as<T>(r, a);
    const std::uint32_t y = node_as<T>(r, b);
    return make<T>(r, r->push(Code, type, 0, 0, x, y));
  } else {
    return refused_value(recorder_of(a, b));
  }
}

template <ir::operation Code, class A, class B>
constexpr expr<bool> comparison(const A& a, const B& b) {
  constexpr ir::type type = checked_common<A, B>();
  recorder* r = recorder_of(a, b);
  if constexpr (type != ir::type::none) {
    using T = cpp_t<type>;
    const std::uint32_t x = node_as<T>(r, a);
    const std::uint32_t y = node_as<T>(r, b);
    return make<bool>(r, r->push(Code, ir::type::boolean, 0, 0, x, y));
  } else {
    return refused_value(r);
  }
}

template <ir::operation Code, class A, class B>
constexpr expr<bool> logical(const A& a, const B& b) {
  constexpr bool booleans =
      operand<A> && operand<B> && image_type<A>() == ir::type::boolean && image_type<B>() == ir::type::boolean;
  static_assert(booleans, "selvage: && and || take conditions (bool): compare first, such as x != 0");
  recorder* r = recorder_of(a, b);
  if constexpr (booleans) {
    ++r->lazy;
    const std::uint32_t x = node_as<bool>(r, a);
    const std::uint32_t y = node_as<bool>(r, b);
    return make<bool>(r, r->push(Code, ir::type::boolean, 0, 0, x, y));
  } else {
    return refused_value(r);
  }
}

/// & | ^: integers in their common type; conditions stay conditions.
template <ir::operation Code, class A, class B>
constexpr auto bitwise(const A& a, const B& b) {
  if constexpr (operand<A> && operand<B>) {
    if constexpr (image_type<A>() == ir::type::boolean && image_type<B>() == ir::type::boolean) {
      recorder* r = recorder_of(a, b);
      const std::uint32_t x = node_as<bool>(r, a);
      const std::uint32_t y = node_as<bool>(r, b);
      return make<bool>(r, r->push(Code, ir::type::boolean, 0, 0, x, y));
    } else {
      constexpr bool integers = !ir::is_float(image_type<A>()) && !ir::is_float(image_type<B>());
      static_assert(integers, "selvage: &, | and ^ take integers or conditions");
      if constexpr (integers)
        return arithmetic<Code>(a, b);
      else
        return refused_value(recorder_of(a, b));
    }
  } else {
    return arithmetic<Code>(a, b);
  }
}

/// << >>: the result has the left operand's promoted type; the amount counts modulo its width.
template <ir::operation Code, class A, class B>
constexpr auto shift(const A& a, const B& b) {
  constexpr bool integers = !ir::is_float(image_type<A>()) && !ir::is_float(image_type<B>());
  static_assert(integers, "selvage: << and >> take integers");
  if constexpr (integers) {
    constexpr ir::type type = promoted(image_type<A>());
    using T = cpp_t<type>;
    recorder* r = recorder_of(a, b);
    const std::uint32_t x = node_as<T>(r, a);
    std::uint32_t y = 0;
    if constexpr (converts<T, B>() || constant<B>)
      y = node_as<T>(r, b);
    else
      y = r->push(ir::operation::cast, type, 0, 0, detail_access::read(b));
    return make<T>(r, r->push(Code, type, 0, 0, x, y));
  } else {
    return refused_value(recorder_of(a, b));
  }
}

template <ir::operation Code, term A>
constexpr auto unary(const A& a) {
  constexpr ir::type type = promoted(image_type<A>());
  using T = cpp_t<type>;
  recorder* r = recorder_of(a);
  const std::uint32_t x = node_as<T>(r, a);
  return make<T>(r, r->push(Code, type, 0, 0, x));
}

}  // namespace detail

#define SELVAGE_BINARY(symbol, family, code)                                            \
  template <class A, class B>                                                           \
  requires(term<A> || term<B>) constexpr auto operator symbol(const A& a, const B& b) { \
    return detail::family<ir::operation::code>(a, b);                                   \
  }
SELVAGE_BINARY(+, arithmetic, add)
SELVAGE_BINARY(-, arithmetic, subtract)
SELVAGE_BINARY(*, arithmetic, multiply)
SELVAGE_BINARY(/, arithmetic, divide)
SELVAGE_BINARY(==, comparison, equal)
SELVAGE_BINARY(!=, comparison, not_equal)
SELVAGE_BINARY(<, comparison, less)
SELVAGE_BINARY(<=, comparison, less_equal)
SELVAGE_BINARY(&&, logical, logical_and)
SELVAGE_BINARY(||, logical, logical_or)
SELVAGE_BINARY(&, bitwise, bit_and)
SELVAGE_BINARY(|, bitwise, bit_or)
SELVAGE_BINARY(^, bitwise, bit_xor)
#undef SELVAGE_BINARY

template <class A, class B>
requires(term<A> || term<B>) constexpr auto operator>(const A& a, const B& b) {
  return detail::comparison<ir::operation::less>(b, a);
}
template <class A, class B>
requires(term<A> || term<B>) constexpr auto operator>=(const A& a, const B& b) {
  return detail::comparison<ir::operation::less_equal>(b, a);
}

template <class A, class B>
requires(term<A> || term<B>) constexpr auto operator%(const A& a, const B& b) {
  if constexpr (operand<A> && operand<B>) {
    constexpr bool integers = !ir::is_float(detail::image_type<A>()) && !ir::is_float(detail::image_type<B>());
    static_assert(integers, "selvage: % takes integers: for floating point write a - b * sv::floor(a / b)");
    if constexpr (integers)
      return detail::arithmetic<ir::operation::remainder>(a, b);
    else
      return detail::refused_value(detail::recorder_of(a, b));
  } else {
    return detail::arithmetic<ir::operation::remainder>(a, b);
  }
}

template <operand A, operand B>
requires(term<A> || term<B>) constexpr auto operator<<(const A& a, const B& b) {
  return detail::shift<ir::operation::shift_left>(a, b);
}
template <operand A, operand B>
requires(term<A> || term<B>) constexpr auto operator>>(const A& a, const B& b) {
  return detail::shift<ir::operation::shift_right>(a, b);
}

template <term A>
constexpr auto operator-(const A& a) {
  return detail::unary<ir::operation::negate>(a);
}
template <term A>
constexpr auto operator+(const A& a) {
  using T = detail::cpp_t<detail::promoted(detail::image_type<A>())>;
  return detail::make<T>(detail::recorder_of(a), detail::node_as<T>(detail::recorder_of(a), a));
}
template <term A>
constexpr auto operator~(const A& a) {
  static_assert(!ir::is_float(detail::image_type<A>()), "selvage: ~ takes integers");
  return detail::unary<ir::operation::bit_not>(a);
}
template <term A>
constexpr expr<bool> operator!(const A& a) {
  static_assert(detail::image_type<A>() == ir::type::boolean,
                "selvage: ! takes a condition (bool): compare first, such as x == 0");
  detail::recorder* r = detail::recorder_of(a);
  return detail::make<bool>(r, r->push(ir::operation::logical_not, ir::type::boolean, 0, 0, detail_access::read(a)));
}

/// Whether a and b have a common type: what the operators require, as a concept to ask in templates.
template <class A, class B>
concept arithmetic_operands =
    (term<A> || term<B>)&&operand<A>&& operand<B> &&
    !detail::wide_constant_beside_float<A, B> && detail::common_type<A, B>() != ir::type::none;

}  // namespace selvage::inline v0
