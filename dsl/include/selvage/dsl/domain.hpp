// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The domain of a kernel: global_id gives a work-item its ids.
#pragma once

#include <selvage/dsl/scope.hpp>
#include <selvage/dsl/view.hpp>

#include <array>
#include <utility>

namespace selvage::inline v0 {
namespace detail {

/// Records the domain over `extents` (nodes) and gives the ids, slowest first.
template <std::size_t Rank>
constexpr auto record_domain(recorder* r, const std::array<std::uint32_t, Rank>& extents, bool given_at_launch, here at,
                             const char* file) {
  r->line = at.line;
  if (r->domain != ir::no_node) r->refuse(rule::second_domain);
  r->file = file;
  r->domain = r->push(ir::operation::domain, ir::type::none, Rank, 0);
  if (!given_at_launch) {
    for (const std::uint32_t extent : extents) r->operands.push(extent);
    r->nodes[r->domain].arity = Rank;
  }
  const auto id = [&](std::size_t axis) {
    return expr<std::int64_t>{r, r->push(ir::operation::id, ir::type::int64, static_cast<std::uint32_t>(axis), 0)};
  };
  if constexpr (Rank == 1) {
    return id(0);
  } else {
    return [&]<std::size_t... Axis>(std::index_sequence<Axis...>) {
      return std::array<expr<std::int64_t>, Rank>{id(Axis)...};
    }(std::make_index_sequence<Rank>{});
  }
}

template <class... E>
constexpr auto domain_over(here at, const char* file, const E&... extents) {
  constexpr bool integers =
      ((operand<E> && converts<std::int64_t, E>() && !ir::is_float(image_type<E>())) && ...);
  static_assert(integers, "selvage: the extents of a domain are integers that fit int64");
  recorder* r = recorder_of(extents...);
  if constexpr (integers) {
    const std::array<std::uint32_t, sizeof...(E)> nodes{node_as<std::int64_t>(r, extents)...};
    return record_domain(r, nodes, false, at, file);
  } else {
    return record_domain(r, std::array<std::uint32_t, sizeof...(E)>{}, true, at, file);
  }
}

template <class V>
concept view_argument = requires(const V& v) {
  { V::rank } -> std::convertible_to<int>;
  v.extent(0);
};

}  // namespace detail

/// The ids of this work-item in a domain with one work-item an element of `view`: an int64 for rank 1, else an array to
/// bind, `auto [i, j] = sv::global_id(c);`. A kernel has one domain.
template <detail::view_argument V>
constexpr auto global_id(const V& view, detail::here at = detail::here{nullptr}, const char* file = __builtin_FILE()) {
  static_assert(V::rank >= 1, "selvage: a view of rank 0 has no ids: give extents, such as sv::global_id(x.extent(0))");
  detail::recorder* r = detail_access::recorder(view);
  std::array<std::uint32_t, V::rank> extents{};
  for (int d = 0; d < V::rank; ++d) extents[static_cast<std::size_t>(d)] = detail_access::read(view.extent(d));
  return detail::record_domain(r, extents, false, at, file);
}

/// The same over given extents: values, extents of views, constants and arithmetic of them; one at least a kernel value.
template <operand N>
  requires term<N>
constexpr auto global_id(const N& n, detail::here at = detail::here{nullptr}, const char* file = __builtin_FILE()) {
  return detail::domain_over(at, file, n);
}
template <operand N, operand M>
  requires(term<N> || term<M>)
constexpr auto global_id(const N& n, const M& m, detail::here at = detail::here{nullptr},
                         const char* file = __builtin_FILE()) {
  return detail::domain_over(at, file, n, m);
}
template <operand N, operand M, operand L>
  requires(term<N> || term<M> || term<L>)
constexpr auto global_id(const N& n, const M& m, const L& l, detail::here at = detail::here{nullptr},
                         const char* file = __builtin_FILE()) {
  return detail::domain_over(at, file, n, m, l);
}

/// The ids in a domain of rank `Rank` that the launch gives, with `.over(...)`.
template <int Rank = 1>
constexpr auto global_id(scope k, detail::here at = detail::here{nullptr}, const char* file = __builtin_FILE()) {
  static_assert(Rank >= 1 && Rank <= ir::maximum_rank, "selvage: a domain has 1 to 3 dimensions");
  return detail::record_domain(detail_access::recorder(k), std::array<std::uint32_t, std::size_t{Rank}>{}, true, at, file);
}

}  // namespace selvage::inline v0
