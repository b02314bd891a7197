// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The typed layer of a launch: a kernel bound to a queue, its arguments checked at compile time.
#pragma once

#include <selvage/ir/image.hpp>
#include <selvage/ir/types.hpp>
#include <selvage/runtime/launch.hpp>
#include <selvage/runtime/queue.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace selvage::inline v0 {

namespace detail {

template <class T>
struct is_array_argument : std::false_type {};
template <class T, int Rank>
struct is_array_argument<buffer<T, Rank>> : std::true_type {};
template <class T, int Rank>
struct is_array_argument<view<T, Rank>> : std::true_type {};

template <class T>
inline constexpr bool is_const_view = false;
template <class T, int Rank>
inline constexpr bool is_const_view<view<const T, Rank>> = true;

/// Every value of From is a value of To.
template <class From, class To>
consteval bool converts_exactly() {
  if constexpr (std::is_same_v<From, To>) {
    return true;
  } else if constexpr (!std::is_arithmetic_v<From> || std::is_same_v<From, bool> ||
                       std::is_same_v<To, bool>) {
    return false;
  } else {
    using from = std::numeric_limits<From>;
    using to = std::numeric_limits<To>;
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
      return false;
    else
      return from::digits <= to::digits && (from::is_signed <= to::is_signed);
  }
}

/// One argument against its parameter. Each sentence is the whole error; which argument it is stands in the name of the
/// instantiation that the compiler shows with it.
template <std::size_t Position, class Parameter, class Argument>
argument checked_argument(const Argument& a) {
  using element = typename Parameter::element;
  if constexpr (Parameter::mode == ir::access::value) {
    if constexpr (is_array_argument<Argument>::value) {
      static_assert(!is_array_argument<Argument>::value,
                    "selvage: this argument of the kernel is a value<T>; pass a number, not a buffer or view");
    } else {
      static_assert(
          converts_exactly<Argument, element>(),
          "selvage: this argument of the kernel is a value<T>, and not every value of the number that was passed "
          "is one of T; convert it: static_cast<T>(...), or write the literal in T (1.0f for float)");
      if constexpr (converts_exactly<Argument, element>()) return make_argument(static_cast<element>(a));
    }
  } else if constexpr (!is_array_argument<Argument>::value) {
    static_assert(is_array_argument<Argument>::value,
                  "selvage: this argument of the kernel is an array (in, out or inout); pass a selvage::buffer, or a "
                  "selvage::view of device memory");
  } else {
    constexpr bool same_element = std::is_same_v<typename Argument::element, element>;
    constexpr bool same_rank = Argument::rank == Parameter::rank;
    constexpr bool writable = !(ir::is_written(Parameter::mode) && is_const_view<Argument>);
    static_assert(same_element,
                  "selvage: this argument of the kernel has another element type; pass a selvage::buffer<T, "
                  "Rank> or view<T, Rank> with the T of the kernel's parameter: elements are not converted");
    static_assert(
        !same_element || same_rank,
        "selvage: this argument of the kernel has another rank; pass a selvage::buffer<T, Rank> or view<T, Rank> "
        "with the Rank of the kernel's parameter");
    static_assert(
        !same_element || !same_rank || writable,
        "selvage: this argument of the kernel is out or inout and is written; pass a view<T>, not a view<const T>");
    if constexpr (same_element && same_rank && writable) return make_argument(a);
  }
  return {};
}

}  // namespace detail

namespace detail {

/// What the three classes below share: a kernel's image and slot, and how its arguments are checked.
template <class Kernel>
struct kernel_traits {
  using signature = typename Kernel::signature;
  static constexpr std::size_t arity = std::tuple_size_v<signature>;
  static constexpr ir::image_view image = Kernel::image().view();
  static constexpr bool domain_at_launch = image.nodes[image.header.domain].arity == 0;
  static constexpr std::size_t domain_rank = image.header.domain_rank;
  static inline constinit kernel_slot slot;

  using argument_list = std::array<argument, arity == 0 ? 1 : arity>;

  template <class... Arguments>
  static argument_list check(const Arguments&... arguments) {
    return check_each(std::index_sequence_for<Arguments...>(), arguments...);
  }

  template <std::integral... Extents>
  static ir::extents domain(Extents... extents) {
    static_assert(domain_at_launch,
                  "selvage: this kernel takes its domain from its arguments (global_id); leave .over out");
    static_assert(sizeof...(Extents) == domain_rank,
                  "selvage: .over(...) takes one extent for each dimension of the domain");
    ir::extents d{1, 1, 1};
    if constexpr (sizeof...(Extents) <= ir::maximum_rank) {
      std::size_t k = 0;
      ((d[k++] = to_extent(extents)), ...);
    }
    return d;
  }

  static event launch(const queue& on, const argument_list& arguments, const std::optional<ir::extents>& over) {
    return v0::launch(image, slot, on, std::span<const argument>(arguments.data(), arity), over);
  }

 private:
  template <std::size_t... Positions, class... Arguments>
  static argument_list check_each(std::index_sequence<Positions...>, const Arguments&... arguments) {
    static_assert(sizeof...(Arguments) == arity,
                  "selvage: the kernel takes another number of arguments: one for each "
                  "parameter of its lambda but the scope");
    if constexpr (sizeof...(Arguments) == arity && arity != 0)
      return {checked_argument<Positions, std::tuple_element_t<Positions, signature>>(arguments)...};
    else
      return {};
  }
};

}  // namespace detail

/// A launch of a kernel whose domain is given at the launch: it happens when `over` is called, in the same statement.
template <class Kernel>
class [[nodiscard("selvage: this kernel's domain is given at the launch, so nothing happens before .over(extents...)")]]
pending_launch {
  using traits = detail::kernel_traits<Kernel>;

 public:
  pending_launch(queue on, const typename traits::argument_list& arguments)
      : queue_(std::move(on)), arguments_(arguments) {}

  template <std::integral... Extents>
  event over(Extents... extents) && {
    return traits::launch(queue_, arguments_, traits::domain(extents...));
  }

 private:
  queue queue_;
  typename traits::argument_list arguments_;
};

/// A kernel bound to a queue and a domain.
template <class Kernel>
class launcher_over {
  using traits = detail::kernel_traits<Kernel>;

 public:
  launcher_over(queue on, const ir::extents& domain) : queue_(std::move(on)), domain_(domain) {}

  template <class... Arguments>
  event operator()(const Arguments&... arguments) const {
    return traits::launch(queue_, traits::check(arguments...), domain_);
  }

 private:
  queue queue_;
  ir::extents domain_;
};

/// A kernel bound to a queue: what `kernel.on(device)` and `kernel.on(queue)` return. Kernel has
/// `static constexpr image()` (an ir::stored_image) and `signature`, a std::tuple of its parameters' types, each with
/// `static constexpr ir::access mode`, `static constexpr int rank` and `element`.
template <class Kernel>
class launcher {
  using traits = detail::kernel_traits<Kernel>;

 public:
  explicit launcher(queue on) : queue_(std::move(on)) {}

  /// Launches, and returns the event after it. Throws as selvage::launch does. Of a kernel whose domain is given at the
  /// launch: returns a pending_launch.
  template <class... Arguments>
  auto operator()(const Arguments&... arguments) const {
    if constexpr (traits::domain_at_launch)
      return pending_launch<Kernel>(queue_, traits::check(arguments...));
    else
      return traits::launch(queue_, traits::check(arguments...), std::nullopt);
  }

  /// The domain, for a kernel that does not take it from its arguments: `k.on(q).over(n)(x)`, or `k.on(q)(x).over(n)`.
  template <std::integral... Extents>
  launcher_over<Kernel> over(Extents... extents) const {
    return {queue_, traits::domain(extents...)};
  }

 private:
  queue queue_;
};

/// Where the DSL's `kernel.on(where)` arrives, found by argument-dependent lookup, so that the DSL need not know of us.
template <class Kernel>
launcher<Kernel> make_launcher(const Kernel&, const queue& where) {
  return launcher<Kernel>(where);
}
template <class Kernel>
launcher<Kernel> make_launcher(const Kernel&, const device& where) {
  return launcher<Kernel>(where.default_queue());
}

}  // namespace selvage::inline v0
