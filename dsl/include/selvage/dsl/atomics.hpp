// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on elements: work-items that meet at one element change it one after the other.
#pragma once

#include <selvage/dsl/view.hpp>
#include <selvage/ir/structure.hpp>

namespace selvage::inline v0 {

/// What an atomic operation found in the element, a kernel value. It may be ignored.
template <class T>
class previous : public kernel_value {
 public:
  using value_type = T;
  constexpr previous(detail::recorder* recorder, std::uint32_t node) : recorder_(recorder), node_(node) {}
  constexpr previous(const previous&) = default;
  using kernel_value::operator=;

 private:
  friend struct detail_access;
  constexpr std::uint32_t read() const { return node_; }
  detail::recorder* recorder_;
  std::uint32_t node_;
};

namespace detail {

template <class E>
struct element_traits {
  static constexpr bool is_element = false;
};
template <class T, ir::access Mode>
struct element_traits<element_of<T, Mode>> {
  static constexpr bool is_element = true;
  static constexpr ir::access mode = Mode;
  using type = T;
};

struct atomic_access {
  /// The checks of an atomic operation; true if it can be recorded.
  template <ir::atomic_kind Kind, class E, class... V>
  static constexpr bool checked() {
    using traits = element_traits<E>;
    static_assert(traits::is_element, "selvage: an atomic operation works on an element of a view, such as y(i)");
    if constexpr (traits::is_element) {
      using T = typename traits::type;
      static_assert(traits::mode == ir::access::inout,
                    "selvage: an atomic operation reads and writes its element: declare the argument inout");
      constexpr bool bitwise = Kind == ir::atomic_kind::bit_and || Kind == ir::atomic_kind::bit_or ||
                               Kind == ir::atomic_kind::bit_xor;
      constexpr bool typed = ir::accepts(Kind, ir::type_of<T>());
      static_assert(typed || bitwise,
                    "selvage: atomic operations work on numbers of 32 and 64 bits: int32, uint32, int64, uint64, float "
                    "and double");
      static_assert(typed || !bitwise,
                    "selvage: atomic_and, atomic_or and atomic_xor work on integers of 32 and 64 bits");
      static_assert((operand<V> && ...), "selvage: what an atomic operation takes is neither a kernel value nor a number");
      constexpr bool fitting = (converts<T, V>() && ...);
      static_assert(fitting || !(operand<V> && ...),
                    "selvage: the value may lose something in the type of the element: write sv::cast<T>(...) around it "
                    "(2.0f for a float constant)");
      return traits::mode == ir::access::inout && typed && fitting;
    } else {
      return false;
    }
  }

  template <ir::atomic_kind Kind, class E, class... V>
  static constexpr auto apply(const E& element, const V&... values) {
    if constexpr (checked<Kind, E, V...>()) {
      using T = typename element_traits<E>::type;
      recorder* const r = detail_access::recorder(element);
      const std::array<std::uint32_t, sizeof...(V)> list{node_as<T>(r, values)...};
      const std::uint32_t n = element.access(ir::operation::atomic);
      r->nodes[n].bits = static_cast<std::uint64_t>(Kind);
      for (const std::uint32_t value : list) r->operands.push(value);
      r->nodes[n].arity = static_cast<std::uint8_t>(r->nodes[n].arity + sizeof...(V));
      return previous<T>(r, n);
    } else {
      if constexpr (term<E>) detail_access::recorder(element)->refuse(rule::reported);
      return previous<bool>(nullptr, 0);
    }
  }
};

}  // namespace detail

#define SELVAGE_ATOMIC(function, kind)                                                     \
  template <class E, class V>                                                              \
  constexpr auto function(const E& element, const V& value) {                              \
    return detail::atomic_access::apply<ir::atomic_kind::kind>(element, value);            \
  }
/// `sv::atomic_add(y(i), v)` is y(i) += v as one step that no other work-item's comes between; it gives what y(i) was.
/// Integers wrap. The argument must be inout, and must not be read or written plainly in the same kernel. Nothing but
/// the element itself is ordered (relaxed), for all work-items of the device.
SELVAGE_ATOMIC(atomic_add, add)
/// y(i) = min(y(i), v), with sv::min's meaning of NaN and signed zeros.
SELVAGE_ATOMIC(atomic_min, minimum)
/// y(i) = max(y(i), v)
SELVAGE_ATOMIC(atomic_max, maximum)
/// y(i) &= v
SELVAGE_ATOMIC(atomic_and, bit_and)
/// y(i) |= v
SELVAGE_ATOMIC(atomic_or, bit_or)
/// y(i) ^= v
SELVAGE_ATOMIC(atomic_xor, bit_xor)
/// y(i) = v
SELVAGE_ATOMIC(atomic_exchange, exchange)
#undef SELVAGE_ATOMIC

/// y(i) = desired, if y(i) has the bits of `expected`; it gives what y(i) was.
template <class E, class X, class V>
constexpr auto atomic_compare_exchange(const E& element, const X& expected, const V& desired) {
  return detail::atomic_access::apply<ir::atomic_kind::compare_exchange>(element, expected, desired);
}

}  // namespace selvage::inline v0
