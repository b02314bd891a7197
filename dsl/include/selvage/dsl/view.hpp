// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's parameters: in<T, Rank>, out<T, Rank>, inout<T, Rank>, value<T>, and the elements of views.
#pragma once

#include <selvage/dsl/operators.hpp>
#include <selvage/ir/image.hpp>

#include <array>

namespace selvage::inline v0 {
namespace detail {

/// What assigns to an element of a read-only view: refused on the user's own line.
#define SELVAGE_READ_ONLY(symbol)                                                                                     \
  __attribute__((unavailable("selvage: this argument is `in` (read-only): declare it out or inout to write to it"))) \
  void operator symbol(anything) const;
class read_only_element : public kernel_value {
 public:
  constexpr read_only_element() = default;
  constexpr read_only_element(const read_only_element&) = default;
  SELVAGE_READ_ONLY(=)
  SELVAGE_READ_ONLY(+=)
  SELVAGE_READ_ONLY(-=)
  SELVAGE_READ_ONLY(*=)
  SELVAGE_READ_ONLY(/=)
  SELVAGE_READ_ONLY(%=)
  SELVAGE_READ_ONLY(&=)
  SELVAGE_READ_ONLY(|=)
  SELVAGE_READ_ONLY(^=)
  SELVAGE_READ_ONLY(<<=)
  SELVAGE_READ_ONLY(>>=)
};
#undef SELVAGE_READ_ONLY

/// Checks what is assigned to a T; true if it can be recorded.
template <class T, class V>
constexpr bool checked_assignment() {
  static_assert(operand<V>, "selvage: what is assigned is neither a kernel value nor a number");
  if constexpr (operand<V>) {
    static_assert(converts<T, V>(),
                  "selvage: the value may lose something in the type of what it is assigned to: write sv::cast<T>(...) "
                  "around it (2.0f for a float constant)");
    return converts<T, V>();
  } else {
    return false;
  }
}

/// `old op= v`, computed as C++ does: v first, then the old value, in the promoted type, then converted back. (g++ 12
/// evaluates the left side first, against C++17: so the old value is read here, not there.)
template <class T, ir::operation Code, class Read, class V>
constexpr std::uint32_t compound(recorder* r, Read read, const V& v) {
  constexpr ir::type type = ir::type_of<T>() == ir::type::boolean ? ir::type::boolean : promoted(ir::type_of<T>());
  using Wide = cpp_t<type>;
  static_assert(type != ir::type::boolean || Code == ir::operation::bit_and || Code == ir::operation::bit_or ||
                    Code == ir::operation::bit_xor,
                "selvage: a bool takes &=, |= and ^= only");
  static_assert(!ir::is_float(type) || (Code <= ir::operation::divide && Code >= ir::operation::add),
                "selvage: a floating-point value takes +=, -=, *= and /= only");
  const std::uint32_t y = node_as<Wide>(r, v);
  const std::uint32_t old = read();
  const std::uint32_t x = type == ir::type_of<T>() ? old : r->push(ir::operation::cast, type, 0, 0, old);
  const std::uint32_t z = r->push(Code, type, 0, 0, x, y);
  return type == ir::type_of<T>() ? z : r->push(ir::operation::cast, ir::type_of<T>(), 0, 0, z);
}

template <class T, ir::operation Code, class V>
constexpr bool checked_compound() {
  constexpr bool shifts = Code == ir::operation::shift_left || Code == ir::operation::shift_right;
  static_assert(operand<V>, "selvage: what is assigned is neither a kernel value nor a number");
  if constexpr (operand<V>) {
    constexpr bool fitting = converts<T, V>() || (shifts && constant<V>);
    static_assert(fitting,
                  "selvage: the value may lose something in the type of what it is assigned to: write sv::cast<T>(...) "
                  "around it (2.0f for a float constant)");
    return fitting;
  } else {
    return false;
  }
}

/// The compound assignments of an element or a variable, on top of its current() and store().
#define SELVAGE_COMPOUND(symbol, code)                                                                       \
  template <class V>                                                                                         \
  constexpr void operator symbol(const V& v) const {                                                         \
    if constexpr (detail::checked_compound<T, ir::operation::code, V>())                                     \
      store(detail::compound<T, ir::operation::code>(recorder_, [this] { return current(); }, v));           \
    else                                                                                                     \
      recorder_->refuse(detail::rule::reported);                                                             \
  }
#define SELVAGE_COMPOUNDS               \
  SELVAGE_COMPOUND(+=, add)             \
  SELVAGE_COMPOUND(-=, subtract)        \
  SELVAGE_COMPOUND(*=, multiply)        \
  SELVAGE_COMPOUND(/=, divide)          \
  SELVAGE_COMPOUND(%=, remainder)       \
  SELVAGE_COMPOUND(&=, bit_and)         \
  SELVAGE_COMPOUND(|=, bit_or)          \
  SELVAGE_COMPOUND(^=, bit_xor)         \
  SELVAGE_COMPOUND(<<=, shift_left)     \
  SELVAGE_COMPOUND(>>=, shift_right)

}  // namespace detail

namespace detail {
struct atomic_access;
}  // namespace detail

/// One element of a view, y(i): its value at the point where it is written, and the place to assign to.
template <class T, ir::access Mode>
class element_of : public kernel_value {
 public:
  using value_type = T;
  constexpr element_of(detail::recorder* recorder, std::uint32_t load) : recorder_(recorder), load_(load) {}
  constexpr element_of(const element_of&) = default;

  template <class V>
  constexpr void operator=(const V& v) const {
    if constexpr (detail::checked_assignment<T, V>()) store(detail::node_as<T>(recorder_, v));
    else recorder_->refuse(detail::rule::reported);
  }
  constexpr void operator=(const element_of& v) const { store(v.load_); }
  SELVAGE_COMPOUNDS

 private:
  friend struct detail_access;
  friend struct detail::atomic_access;
  constexpr std::uint32_t read() const { return load_; }
  constexpr std::uint32_t current() const { return access(ir::operation::load); }
  constexpr void store(std::uint32_t value) const {
    const std::uint32_t store = access(ir::operation::store);
    recorder_->operands.push(value);
    ++recorder_->nodes[store].arity;
  }
  /// Another access to the same element.
  constexpr std::uint32_t access(ir::operation code) const {
    const ir::node load = recorder_->nodes[load_];
    const std::uint32_t n = recorder_->push(code, ir::type_of<T>(), load.attribute, 0);
    for (std::uint32_t k = 0; k < load.arity; ++k) recorder_->operands.push(recorder_->operands[load.operands + k]);
    recorder_->nodes[n].arity = load.arity;
    return n;
  }
  detail::recorder* recorder_;
  std::uint32_t load_;
};

template <class T>
class element_of<T, ir::access::in> : public detail::read_only_element {
 public:
  using value_type = T;
  constexpr element_of(detail::recorder* recorder, std::uint32_t load) : recorder_(recorder), load_(load) {}
  constexpr element_of(const element_of&) = default;
  using detail::read_only_element::operator=;

 private:
  friend struct detail_access;
  constexpr std::uint32_t read() const { return load_; }
  detail::recorder* recorder_;
  std::uint32_t load_;
};

namespace detail {

template <class T, ir::access Mode, int Rank>
class view_parameter {
 public:
  using element = T;
  static constexpr ir::access mode = Mode;
  static constexpr int rank = Rank;

  constexpr view_parameter(recorder* r, std::uint32_t parameter) : recorder_(r), parameter_(parameter) {
    static_assert(ir::element<T>, "selvage: this type cannot be an element: see the table of types in docs/language.md");
    static_assert(Rank >= 0 && Rank <= ir::maximum_rank, "selvage: a view has rank 0 to 3");
    if (!ir::element<T> || Rank < 0 || Rank > ir::maximum_rank) r->refuse(rule::reported);
  }

  /// The element at these coordinates, slowest first; each an integer that fits int64.
  [[nodiscard]] constexpr element_of<T, Mode> operator()(detail::here at = detail::here{nullptr}) const
    requires(Rank == 0)
  {
    recorder_->line = at.line;
    return {recorder_, recorder_->push(ir::operation::load, ir::type_of<T>(), parameter_, 0)};
  }
  template <class I>
  [[nodiscard]] constexpr element_of<T, Mode> operator()(const I& i, detail::here at = detail::here{nullptr}) const {
    return access(at, i);
  }
  template <class I, class J>
  [[nodiscard]] constexpr element_of<T, Mode> operator()(const I& i, const J& j, detail::here at = detail::here{nullptr}) const {
    return access(at, i, j);
  }
  template <class I, class J, class K>
  [[nodiscard]] constexpr element_of<T, Mode> operator()(const I& i, const J& j, const K& k,
                                                         detail::here at = detail::here{nullptr}) const {
    return access(at, i, j, k);
  }

  __attribute__((unavailable("selvage: an element is written in round brackets: y(i), c(i, j)")))
  element_of<T, Mode> operator[](anything) const;

  /// Number of elements along a dimension, int64; dimension 0 is the slowest.
  constexpr expr<std::int64_t> extent(int dimension) const {
    if (dimension < 0 || dimension >= Rank) recorder_->refuse(rule::constant_does_not_fit, parameter_);
    return {recorder_, recorder_->push(ir::operation::extent, ir::type::int64, parameter_,
                                       static_cast<std::uint64_t>(dimension))};
  }

 private:
  friend struct selvage::v0::detail_access;
  constexpr std::uint32_t read() const { return parameter_; }

  template <class I>
  constexpr std::uint32_t coordinate(const I& i) const {
    constexpr bool integral = (term<I> && ir::is_integer(image_type<I>())) ||
                              (constant<I> && std::integral<std::remove_cvref_t<I>>);
    static_assert(integral, "selvage: an index is an integer: sv::cast<std::int64_t>(...) it");
    static_assert(!integral || constant<I> || holds_all(ir::type::int64, image_type<I>()),
                  "selvage: an index fits int64: sv::cast<std::int64_t>(...) it");
    if constexpr (integral) return node_as<std::int64_t>(recorder_, i);
    else recorder_->refuse(rule::reported);
    return 0;
  }

  template <class... I>
  constexpr element_of<T, Mode> access(here at, const I&... i) const {
    static_assert(sizeof...(I) == Rank, "selvage: a view takes as many indices as it has dimensions (its rank)");
    recorder_->line = at.line;
    if (sizeof...(I) != Rank) recorder_->refuse(rule::reported);
    const std::array<std::uint32_t, sizeof...(I)> c{coordinate(i)...};
    const std::uint32_t load = recorder_->push(ir::operation::load, ir::type_of<T>(), parameter_, 0);
    for (const std::uint32_t k : c) recorder_->operands.push(k);
    recorder_->nodes[load].arity = sizeof...(I);
    return {recorder_, load};
  }

  recorder* recorder_;
  std::uint32_t parameter_;
};

}  // namespace detail

/// A view that the kernel only reads. Rank 0 to 3, row-major unless the launch gives strides.
template <class T, int Rank = 1>
struct in : detail::view_parameter<T, ir::access::in, Rank> {
  using detail::view_parameter<T, ir::access::in, Rank>::view_parameter;
};

/// A view that the kernel writes wholly, and reads only what it has written: its old contents are never copied.
template <class T, int Rank = 1>
struct out : detail::view_parameter<T, ir::access::out, Rank> {
  using detail::view_parameter<T, ir::access::out, Rank>::view_parameter;
};

/// A view that the kernel reads and writes.
template <class T, int Rank = 1>
struct inout : detail::view_parameter<T, ir::access::inout, Rank> {
  using detail::view_parameter<T, ir::access::inout, Rank>::view_parameter;
};

/// A scalar, the same for all work-items of a launch.
template <class T>
class value : public kernel_value {
 public:
  using element = T;
  using value_type = T;
  static constexpr ir::access mode = ir::access::value;
  static constexpr int rank = 0;
  constexpr value(detail::recorder* r, std::uint32_t parameter) : recorder_(r), parameter_(parameter) {
    static_assert(ir::element<T>, "selvage: this type cannot be a value: see the table of types in docs/language.md");
    if (!ir::element<T>) r->refuse(detail::rule::reported);
  }

 private:
  friend struct detail_access;
  constexpr std::uint32_t read() const {
    return recorder_->push(ir::operation::value, ir::type_of<T>(), parameter_, 0);
  }
  detail::recorder* recorder_;
  std::uint32_t parameter_;
};

}  // namespace selvage::inline v0
