// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds over a range of indices: sum, prod, min, max, any, all (in any order), and fold (in order).
#pragma once

#include <selvage/dsl/scope.hpp>

namespace selvage::inline v0 {

/// `sv::sum(n, [=](auto k) { return a(i, k) * b(k, j); })` is the sum over 0 <= k < n, `sv::sum(b, e, f)` over
/// b <= k < e; so are the others. They may be evaluated in any order and grouping. Over nothing they give 0, 1, the
/// type's greatest, its least, false, true. At least one bound is a kernel value; `k.sum(...)` of a scope takes constants
/// alone.
#define SELVAGE_FOLD(function)                                                                                    \
  template <class E, class F>                                                                                     \
    requires(!operand<F>)                                                                                            \
  [[nodiscard]] constexpr auto function(const E& end, F f) {                                                      \
    static_assert(term<E>, "selvage: a fold over constant bounds is a member of the scope: k." #function "(5, f)"); \
    if constexpr (term<E>) return scope(detail::recorder_of(end)).function(0, end, f);                            \
    else return detail::refused_value(nullptr);                                                                   \
  }                                                                                                               \
  template <class B, class E, class F>                                                                            \
  [[nodiscard]] constexpr auto function(const B& begin, const E& end, F f) {                                      \
    static_assert(term<B> || term<E>,                                                                             \
                  "selvage: a fold over constant bounds is a member of the scope: k." #function "(0, 5, f)");     \
    if constexpr (term<B> || term<E>) return scope(detail::recorder_of(begin, end)).function(begin, end, f);      \
    else return detail::refused_value(nullptr);                                                                   \
  }
SELVAGE_FOLD(sum)
SELVAGE_FOLD(prod)
SELVAGE_FOLD(min)
SELVAGE_FOLD(max)
SELVAGE_FOLD(any)
SELVAGE_FOLD(all)
#undef SELVAGE_FOLD

/// f(...f(f(first, begin), begin + 1)..., end - 1), in this order: `f` takes the value so far and the index.
template <class B, class E, operand V, class F>
[[nodiscard]] constexpr auto fold(const B& begin, const E& end, const V& first, F f) {
  static_assert(term<B> || term<E> || term<V>,
                "selvage: a fold over constants is a member of the scope: k.fold(0, 5, first, f)");
  if constexpr (term<B> || term<E> || term<V>) return scope(detail::recorder_of(begin, end, first)).fold(begin, end, first, f);
  else return detail::refused_value(nullptr);
}

}  // namespace selvage::inline v0
