// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel values: typed handles on nodes of the kernel's tree. What an operator takes and gives.
#pragma once

#include <selvage/dsl/detail/conversion.hpp>
#include <selvage/dsl/detail/recorder.hpp>
#include <selvage/ir/types.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace selvage::inline v0 {

namespace detail {
/// Anything, its type forgotten, so that one refusal fits every right side.
struct anything {
  template <class T>
  constexpr anything(const T&) {}  // NOLINT(google-explicit-constructor)
};
}  // namespace detail

/// Base of every kernel value: refuses what C++ would do with a number, on the user's own line.
/// (Attributes on members that are no templates give exactly one error with both compilers.)
class kernel_value {
 public:
  __attribute__((unavailable("selvage: a kernel value is not a C++ condition, since it is known only when the kernel runs: "
                             "use k.if_, k.while_ or sv::select")))
  explicit operator bool() const;
  __attribute__((unavailable("selvage: a kernel value is not a C++ number, since it is known only when the kernel runs: "
                             "use the functions of selvage, such as sv::sin instead of std::sin")))
  operator double() const;
  __attribute__((unavailable("selvage: a value cannot be assigned to: keep it in a variable, auto x = k.var(...)")))
  void operator=(detail::anything) const;
  __attribute__((unavailable("selvage: a kernel value has no ++ and --: write += 1 and -= 1")))
  void operator++() const;
  __attribute__((unavailable("selvage: a kernel value has no ++ and --: write += 1 and -= 1")))
  void operator++(int) const;
  __attribute__((unavailable("selvage: a kernel value has no ++ and --: write += 1 and -= 1")))
  void operator--() const;
  __attribute__((unavailable("selvage: a kernel value has no ++ and --: write += 1 and -= 1")))
  void operator--(int) const;
  constexpr kernel_value& operator=(const kernel_value&) = default;
  constexpr kernel_value() = default;
  constexpr kernel_value(const kernel_value&) = default;
};

/// The value of one node, of element type T. A handle: copying it copies nothing of the kernel.
template <class T>
class [[nodiscard]] expr : public kernel_value {
 public:
  using value_type = T;
  constexpr expr(detail::recorder* recorder, std::uint32_t node) : recorder_(recorder), node_(node) {}
  constexpr expr(const expr&) = default;
  /// Makes this name mean another value: for loops of C++ that unroll while the kernel is recorded.
  constexpr expr& operator=(const expr&) = default;
  using kernel_value::operator=;

 private:
  friend struct detail_access;
  constexpr std::uint32_t read() const { return node_; }
  detail::recorder* recorder_;
  std::uint32_t node_;
};

/// The one way from a handle to its node, for the library's own headers.
struct detail_access {
  template <class E>
  static constexpr detail::recorder* recorder(const E& e) {
    return e.recorder_;
  }
  /// The node of its value now: a variable's or argument's is recorded by this.
  template <class E>
  static constexpr std::uint32_t read(const E& e) {
    return e.read();
  }
};

/// A kernel value of any kind: expr, an element y(i), a variable, a value argument.
template <class E>
concept term = std::derived_from<std::remove_cvref_t<E>, kernel_value>;

/// A C++ number that stands in a kernel as a constant.
template <class C>
concept constant = std::is_arithmetic_v<std::remove_cvref_t<C>> && ir::element<std::remove_cvref_t<C>>;

template <class E>
concept operand = term<E> || constant<E>;

/// The element type of a kernel value.
template <term E>
using value_type_of = typename std::remove_cvref_t<E>::value_type;

namespace detail {

template <class E>
constexpr ir::type image_type() {
  if constexpr (term<E>) return ir::type_of<value_type_of<E>>();
  else return ir::type_of<std::remove_cvref_t<E>>();
}

/// C++ type of an image type.
template <ir::type Type>
struct cpp;
#define SELVAGE_ROW(name, cpp_type, bits, kind) \
  template <>                                   \
  struct cpp<ir::type::name> {                  \
    using type = cpp_type;                      \
  };
SELVAGE_TYPES(SELVAGE_ROW)
#undef SELVAGE_ROW
template <ir::type Type>
using cpp_t = typename cpp<Type>::type;

/// The common image type of two operands, at least one of them a kernel value; `none` if there is none.
template <operand A, operand B>
constexpr ir::type common_type() {
  if constexpr (term<A> && term<B>) return common(image_type<A>(), image_type<B>());
  else if constexpr (term<A>) return common_with_constant(image_type<A>(), image_type<B>());
  else return common_with_constant(image_type<B>(), image_type<A>());
}

template <class A, class... Rest>
constexpr recorder* recorder_of(const A& a, const Rest&... rest) {
  if constexpr (term<A>) return detail_access::recorder(a);
  else return recorder_of(rest...);
}

/// The node of an operand as a value of type T, converted where that loses nothing (the caller has checked the types).
template <class T, operand E>
constexpr std::uint32_t node_as(recorder* r, const E& e) {
  if constexpr (constant<E>) {
    if (!fits<T>(e)) r->refuse(rule::constant_does_not_fit);
    return r->literal(static_cast<T>(e));
  } else if constexpr (image_type<E>() == ir::type_of<T>()) {
    return detail_access::read(e);
  } else {
    return r->push(ir::operation::cast, ir::type_of<T>(), 0, 0, detail_access::read(e));
  }
}

/// Whether an operand may be given where a T is wanted, without a cast.
template <class T, class E>
constexpr bool converts() {
  if constexpr (term<E>) {
    return holds_all(ir::type_of<T>(), image_type<E>());
  } else if constexpr (constant<E>) {
    // An integer constant's value is checked when it is recorded; a floating-point one's type must not be wider.
    return std::integral<std::remove_cvref_t<E>> || holds_all(ir::type_of<T>(), image_type<E>());
  } else {
    return false;
  }
}

template <class T>
constexpr expr<T> make(recorder* r, std::uint32_t node) {
  return {r, node};
}

/// What to go on with after a static_assert has refused something, so that one mistake gives one error: a value that fits
/// everywhere, in a kernel that is not looked at further.
constexpr expr<bool> refused_value(recorder* r) {
  if (r != nullptr) r->refuse(rule::reported);
  return {r, 0};
}

}  // namespace detail
}  // namespace selvage::inline v0
