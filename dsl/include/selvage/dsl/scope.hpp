// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What belongs to a work-item: variables and control flow.
#pragma once

#include <selvage/dsl/builtins.hpp>
#include <selvage/dsl/view.hpp>

#include <concepts>

namespace selvage::inline v0 {

namespace detail {
/// A variable has no copies. (Its copy constructor is that of a base that is no template, so that the refusal is ours.)
class uncopied : public kernel_value {
 public:
  constexpr uncopied() = default;
  __attribute__((unavailable("selvage: a copy of a variable would be a second name of it, not its value: write "
                             "auto old = sv::let(x), and capture by reference, [&]")))
  constexpr uncopied(const uncopied&) : kernel_value() {}
};
}  // namespace detail

/// A variable of the work-item. Reading it gives its value then; `auto t = sv::let(x);` keeps one. Capture it by
/// reference: a variable has no copies.
template <class T>
class variable : public detail::uncopied {
 public:
  using value_type = T;
  constexpr variable(detail::recorder* recorder, std::uint32_t node) : recorder_(recorder), node_(node) {}

  template <class V>
  constexpr void operator=(const V& v) const {
    if constexpr (detail::checked_assignment<T, V>()) store(detail::node_as<T>(recorder_, v));
    else recorder_->refuse(detail::rule::reported);
  }
  constexpr void operator=(const variable& v) const { store(v.read()); }
  SELVAGE_COMPOUNDS

 private:
  friend struct detail_access;
  constexpr std::uint32_t read() const {
    return recorder_->push(ir::operation::get, ir::type_of<T>(), 0, 0, node_);
  }
  constexpr std::uint32_t current() const { return read(); }
  constexpr void store(std::uint32_t value) const {
    recorder_->push(ir::operation::set, ir::type_of<T>(), 0, 0, node_, value);
  }
  detail::recorder* recorder_;
  std::uint32_t node_;
};

namespace detail {

/// What if_ gives, so that else_ may follow.
class if_result {
 public:
  constexpr if_result(recorder* r, std::uint32_t opened, std::uint32_t closed) : r_(r), opened_(opened), closed_(closed) {}

  /// What happens where the condition is false. Stands directly behind its if_.
  template <std::invocable F>
  constexpr void else_(F f) const {
    if (r_->nodes.size() != closed_ + 1) return r_->refuse(rule::else_without_if);
    r_->operands.pop();
    r_->nodes.pop();
    r_->push(ir::operation::else_, ir::type::none, 0, 0, opened_);
    f();
    r_->push(ir::operation::end, ir::type::none, 0, 0, opened_);
  }

 private:
  recorder* r_;
  std::uint32_t opened_, closed_;
};

/// The node of a loop bound.
template <class E>
constexpr std::uint32_t bound(recorder* r, const E& e) {
  constexpr bool integer = operand<E> && !ir::is_float(image_type<E>()) && converts<std::int64_t, E>();
  static_assert(integer, "selvage: a bound is an integer that fits int64: sv::cast<std::int64_t>(...) it");
  if constexpr (integer) return node_as<std::int64_t>(r, e);
  else r->refuse(rule::reported);
  return 0;
}

/// The value of a condition given as a kernel value or a bool.
template <class C>
constexpr std::uint32_t condition(recorder* r, const C& c) {
  constexpr bool is_condition = operand<C> && image_type<C>() == ir::type::boolean;
  static_assert(is_condition, "selvage: a condition has type bool: compare first, such as x != 0");
  if constexpr (is_condition) return node_as<bool>(r, c);
  else r->refuse(rule::reported);
  return 0;
}

/// Records a fold and gives its value: `open` has begun it, `f(k)` gives the items.
template <ir::fold_kind Kind, class F>
constexpr auto record_fold(recorder* r, std::uint32_t begin, std::uint32_t end, F f) {
  using index = expr<std::int64_t>;
  static_assert(std::invocable<F, index>, "selvage: a fold takes a function of one index: [=](auto k) { return ...; }");
  using item = std::invoke_result_t<F, index>;
  static_assert(term<item>, "selvage: a fold's function returns a kernel value");
  constexpr bool logical = Kind == ir::fold_kind::any || Kind == ir::fold_kind::all;
  constexpr ir::type type = image_type<item>();
  static_assert(!logical || type == ir::type::boolean, "selvage: any and all take conditions (bool): compare first");
  constexpr ir::type result = logical ? ir::type::boolean : promoted(type);
  using T = cpp_t<result>;
  const std::uint32_t opened =
      r->push(ir::operation::fold, ir::type::int64, static_cast<std::uint32_t>(Kind), 0, begin, end);
  const item v = f(index{r, opened});
  r->push(ir::operation::yield, result, 0, 0, opened, node_as<T>(r, v));
  return make<T>(r, r->push(ir::operation::end, result, 0, 0, opened));
}

}  // namespace detail

/// The parameter of a kernel through which it has variables and control flow. Not an argument of the launch.
class scope {
 public:
  explicit constexpr scope(detail::recorder* recorder) : recorder_(recorder) {}

  /// A variable with a first value; its type is the value's.
  template <operand V>
  [[nodiscard]] constexpr auto var(const V& first, detail::here at = detail::here{nullptr}) const {
    constexpr ir::type type = detail::image_type<V>();
    using T = detail::cpp_t<type>;
    recorder_->line = at.line;
    const std::uint32_t v = detail::node_as<T>(recorder_, first);
    return variable<T>(recorder_, recorder_->push(ir::operation::variable, type, 0, 0, v));
  }

  /// A variable without a value yet: it must be written on every path before it is read.
  template <ir::element T>
  [[nodiscard]] constexpr variable<T> var(detail::here at = detail::here{nullptr}) const {
    recorder_->line = at.line;
    return variable<T>(recorder_, recorder_->push(ir::operation::variable, ir::type_of<T>(), 0, 0));
  }

  /// A value under a name: see sv::let.
  template <operand V>
  [[nodiscard]] constexpr auto let(const V& v) const {
    using T = detail::cpp_t<detail::image_type<V>()>;
    return detail::make<T>(recorder_, detail::node_as<T>(recorder_, v));
  }

  /// Runs `then` where the condition holds; `.else_(f)` may follow.
  template <class C, std::invocable F>
  constexpr detail::if_result if_(const C& condition, F then, detail::here at = detail::here{nullptr}) const {
    recorder_->line = at.line;
    const std::uint32_t opened = recorder_->push(ir::operation::if_, ir::type::none, 0, 0,
                                                 detail::condition(recorder_, condition));
    then();
    return {recorder_, opened, recorder_->push(ir::operation::end, ir::type::none, 0, 0, opened)};
  }

  /// Runs `body` as long as `condition()` holds.
  template <std::invocable C, std::invocable F>
  constexpr void while_(C condition, F body, detail::here at = detail::here{nullptr}) const {
    recorder_->line = at.line;
    const std::uint32_t opened = recorder_->push(ir::operation::while_, ir::type::none, 0, 0);
    const std::uint32_t holds = detail::condition(recorder_, condition());
    recorder_->push(ir::operation::test, ir::type::none, 0, 0, opened, holds);
    body();
    recorder_->push(ir::operation::end, ir::type::none, 0, 0, opened);
  }

  /// Runs `body(k)` for k = begin, begin + step, ... while less than end, in this order.
  template <class B, class E, class S, class F>
  constexpr void for_(const B& begin, const E& end, const S& step, F body,
                      detail::here at = detail::here{nullptr}) const {
    recorder_->line = at.line;
    const std::uint32_t b = detail::bound(recorder_, begin);
    const std::uint32_t e = detail::bound(recorder_, end);
    const std::uint32_t s = detail::bound(recorder_, step);
    const std::uint32_t opened = recorder_->push(ir::operation::for_, ir::type::int64, 0, 0, b, e, s);
    body(expr<std::int64_t>{recorder_, opened});
    recorder_->push(ir::operation::end, ir::type::none, 0, 0, opened);
  }
  template <class B, class E, std::invocable<expr<std::int64_t>> F>
  constexpr void for_(const B& begin, const E& end, F body, detail::here at = detail::here{nullptr}) const {
    for_(begin, end, 1, body, at);
  }
  template <class E, std::invocable<expr<std::int64_t>> F>
  constexpr void for_(const E& end, F body, detail::here at = detail::here{nullptr}) const {
    for_(0, end, 1, body, at);
  }

#define SELVAGE_FOLD(function, kind)                                                                          \
  template <class E, class F>                                                                                 \
  [[nodiscard]] constexpr auto function(const E& end, F f) const {                                            \
    return function(0, end, f);                                                                               \
  }                                                                                                           \
  template <class B, class E, class F>                                                                        \
  [[nodiscard]] constexpr auto function(const B& begin, const E& end, F f) const {                            \
    const std::uint32_t b = detail::bound(recorder_, begin);                                                  \
    const std::uint32_t e = detail::bound(recorder_, end);                                                    \
    return detail::record_fold<ir::fold_kind::kind>(recorder_, b, e, f);                                      \
  }
  /// Folds whose bounds may both be C++ constants; see selvage/dsl/folds.hpp.
  SELVAGE_FOLD(sum, sum)
  SELVAGE_FOLD(prod, product)
  SELVAGE_FOLD(min, minimum)
  SELVAGE_FOLD(max, maximum)
  SELVAGE_FOLD(any, any)
  SELVAGE_FOLD(all, all)
#undef SELVAGE_FOLD

  /// f(f(f(first, begin), begin + 1), ...), in this order.
  template <class B, class E, operand V, class F>
  [[nodiscard]] constexpr auto fold(const B& begin, const E& end, const V& first, F f) const {
    using T = detail::cpp_t<detail::image_type<V>()>;
    constexpr ir::type type = ir::type_of<T>();
    const std::uint32_t b = detail::bound(recorder_, begin);
    const std::uint32_t e = detail::bound(recorder_, end);
    const std::uint32_t v = detail::node_as<T>(recorder_, first);
    const std::uint32_t opened = recorder_->push(ir::operation::fold, ir::type::int64,
                                                 static_cast<std::uint32_t>(ir::fold_kind::ordered), 0, b, e, v);
    const expr<T> so_far{recorder_, recorder_->push(ir::operation::accumulator, type, 0, 0, opened)};
    const auto next = f(so_far, expr<std::int64_t>{recorder_, opened});
    constexpr bool fitting = detail::converts<T, decltype(next)>();
    static_assert(fitting, "selvage: the function of a fold returns the type of its first value: sv::cast<T>(...) one");
    if constexpr (fitting)
      recorder_->push(ir::operation::yield, type, 0, 0, opened, detail::node_as<T>(recorder_, next));
    return detail::make<T>(recorder_, recorder_->push(ir::operation::end, type, 0, 0, opened));
  }

 private:
  friend struct detail_access;
  detail::recorder* recorder_;
};

}  // namespace selvage::inline v0
