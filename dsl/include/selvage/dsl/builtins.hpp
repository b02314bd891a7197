// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of kernel values: cast, let, select, min, max, abs, fma and mathematics.
#pragma once

#include <selvage/dsl/operators.hpp>

namespace selvage::inline v0 {

/// Converts to element type T: truncates and saturates from floating point to integers, wraps between integers, rounds
/// to nearest to floating point, is `!= 0` to bool.
template <ir::element T, term A>
constexpr expr<T> cast(const A& a) {
  detail::recorder* r = detail::recorder_of(a);
  const std::uint32_t x = detail_access::read(a);
  if constexpr (detail::image_type<A>() == ir::type_of<T>())
    return detail::make<T>(r, x);
  else
    return detail::make<T>(r, r->push(ir::operation::cast, ir::type_of<T>(), 0, 0, x));
}

/// The value of `a` now, under a name: `auto old = sv::let(x);` stays what it is when the variable x changes.
template <term A>
constexpr expr<value_type_of<A>> let(const A& a) {
  return detail::make<value_type_of<A>>(detail::recorder_of(a), detail_access::read(a));
}

/// `condition ? a : b` for kernel values. The loads of each side happen only where it is chosen.
template <class C, class A, class B>
requires(term<C> || term<A> || term<B>) constexpr auto select(const C& condition, const A& a, const B& b) {
  static_assert(operand<C> && detail::image_type<C>() == ir::type::boolean,
                "selvage: select's first argument is a condition (bool): compare first, such as x != 0");
  detail::recorder* r = detail::recorder_of(condition, a, b);
  const auto of_type = [&]<class T>(std::type_identity<T>) {
    const std::uint32_t c = detail::node_as<bool>(r, condition);
    const std::uint32_t x = detail::node_as<T>(r, a);
    const std::uint32_t y = detail::node_as<T>(r, b);
    ++r->lazy;
    return detail::make<T>(r, r->push(ir::operation::select, ir::type_of<T>(), 0, 0, c, x, y));
  };
  if constexpr (operand<A> && operand<B> && detail::image_type<A>() == detail::image_type<B>()) {
    return of_type(std::type_identity<detail::cpp_t<detail::image_type<A>()>>{});
  } else {
    static_assert(term<A> || term<B>, "selvage: two constants of different types in select: give them one type");
    constexpr ir::type type = detail::checked_common<A, B>();
    if constexpr (type != ir::type::none)
      return of_type(std::type_identity<detail::cpp_t<type>>{});
    else
      return detail::refused_value(r);
  }
}

/// The lesser; a number if one of them is NaN (IEEE 754-2019, minimumNumber).
template <operand A, operand B>
requires(term<A> || term<B>) constexpr auto min(const A& a, const B& b) {
  return detail::arithmetic<ir::operation::minimum>(a, b);
}
/// The greater; a number if one of them is NaN (IEEE 754-2019, maximumNumber).
template <operand A, operand B>
requires(term<A> || term<B>) constexpr auto max(const A& a, const B& b) {
  return detail::arithmetic<ir::operation::maximum>(a, b);
}

/// |a|; of the lowest signed integer that integer itself.
template <term A>
constexpr auto abs(const A& a) {
  return detail::unary<ir::operation::absolute>(a);
}

#define SELVAGE_MATH(function, code)                                                                       \
  template <term A>                                                                                        \
  constexpr auto function(const A& a) {                                                                    \
    static_assert(ir::is_float(detail::image_type<A>()),                                                   \
                  "selvage: " #function " takes float or double: sv::cast<double>(...) an integer first"); \
    return detail::unary<ir::operation::code>(a);                                                          \
  }
SELVAGE_MATH(sqrt, square_root)
SELVAGE_MATH(rsqrt, reciprocal_square_root)
SELVAGE_MATH(floor, round_down)
SELVAGE_MATH(ceil, round_up)
SELVAGE_MATH(round, round_nearest)
SELVAGE_MATH(rint, round_even)
SELVAGE_MATH(trunc, round_to_zero)

#define SELVAGE_MATH_OF_2(function, code)                                                                        \
  template <class A, class B>                                                                                   \
  requires(term<A> || term<B>) constexpr auto function(const A& a, const B& b) {                                \
    constexpr ir::type type = detail::checked_common<A, B>();                                                   \
    static_assert(type == ir::type::none || ir::is_float(type),                                                 \
                  "selvage: " #function " takes float or double: sv::cast<double>(...) an integer first");      \
    return detail::arithmetic<ir::operation::code>(a, b);                                                       \
  }
SELVAGE_MATH_OF_2(copysign, copy_sign)

// The functions of SELVAGE_FUNCTIONS by their C names: exp, log, pow, ...
#define SELVAGE_MATH_OF_1(function, code) SELVAGE_MATH(function, code)
#define SELVAGE_ROW(X, name, word, arity) SELVAGE_MATH_OF_##arity(word, name)
SELVAGE_FUNCTIONS(SELVAGE_ROW, )
#undef SELVAGE_ROW
#undef SELVAGE_MATH_OF_1
#undef SELVAGE_MATH_OF_2
#undef SELVAGE_MATH

/// a * b + c, rounded once.
template <class A, class B, class C>
requires(term<A> || term<B> || term<C>) constexpr auto fma(const A& a, const B& b, const C& c) {
  const auto product_type = [] {
    if constexpr (term<A>)
      return std::type_identity<value_type_of<A>>{};
    else if constexpr (term<B>)
      return std::type_identity<value_type_of<B>>{};
    else
      return std::type_identity<value_type_of<C>>{};
  };
  using T = typename decltype(product_type())::type;
  constexpr bool fitting =
      std::floating_point<T> && detail::converts<T, A>() && detail::converts<T, B>() && detail::converts<T, C>();
  static_assert(fitting, "selvage: fma takes three values of one floating-point type: sv::cast<T>(...) the others");
  detail::recorder* r = detail::recorder_of(a, b, c);
  if constexpr (fitting) {
    const std::uint32_t x = detail::node_as<T>(r, a);
    const std::uint32_t y = detail::node_as<T>(r, b);
    const std::uint32_t z = detail::node_as<T>(r, c);
    return detail::make<T>(r, r->push(ir::operation::fused_multiply_add, ir::type_of<T>(), 0, 0, x, y, z));
  } else {
    return detail::refused_value(r);
  }
}

}  // namespace selvage::inline v0
