// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No data races: every element of a written argument belongs to one work-item. Rules 1 to 3 of docs/language.md.
//
// For each written argument and each id d there is a position of its coordinates that holds the same form s*d + c in every
// load and store of that argument (s a literal, not 0; c launch-invariant). Then work-items that differ in d touch
// different elements, since s*d + c is injective in d. An argument of atomic operations has no other accesses, and needs
// no owner. An id needs no such pin if all accesses stand under the same
// `d == c`, or if the domain has one item along it.
#pragma once

#include <selvage/ir/linear.hpp>
#include <selvage/ir/rule.hpp>

namespace selvage::inline v0::ir {
namespace detail {

using axis_nodes = std::array<std::uint32_t, maximum_rank>;
inline constexpr axis_nodes no_guards{no_node, no_node, no_node};

/// What all accesses of one argument so far have in common.
struct common_forms {
  bool any = false;
  std::array<linear_form, maximum_rank> forms{};  ///< by position; not known if they differ
  axis_nodes guards = no_guards;                  ///< by axis: the c of `id == c`, no_node if they differ
  std::uint32_t line = 0;                         ///< of the first access
  std::uint32_t first_difference = 0;             ///< line of the first access that took a pin or guard away

  constexpr void meet(const image_view& image, const invariance& invariant, const node& access, const axis_nodes& in_force) {
    const std::uint32_t rank = image.parameters[access.attribute].rank;
    bool differs = false;
    for (std::uint32_t p = 0; p < rank; ++p) {
      if (any && !forms[p].known) continue;
      const linear_form form = linear_form_of(image, invariant, image.operand(access, p));
      if (!any) forms[p] = form;
      else if (!same_form(image, forms[p], form)) forms[p].known = false, differs = true;
    }
    for (std::size_t d = 0; d < in_force.size(); ++d) {
      if (!any) guards[d] = in_force[d];
      else if (guards[d] != no_node && (in_force[d] == no_node || !same_value(image, guards[d], in_force[d])))
        guards[d] = no_node, differs = true;
    }
    if (!any) line = first_difference = access.line;
    else if (differs && first_difference == line) first_difference = access.line;
    any = true;
  }

  /// Whether work-items that differ in the axis touch different elements.
  constexpr bool owns(const image_view& image, const invariance& invariant, std::uint32_t rank, std::uint32_t axis) const {
    if (guards[axis] != no_node) return true;
    for (std::uint32_t p = 0; p < rank; ++p) {
      const std::uint32_t id = pinned_id(image, invariant, forms[p]);
      if (id != no_node && image.nodes[id].attribute == axis) return true;
    }
    return false;
  }
};

/// Adds to `guards` what a condition says of ids: `id == c` with c launch-invariant, and && of such.
constexpr void add_guards(const image_view& image, const invariance& invariant, std::uint32_t condition, axis_nodes& guards) {
  const node& n = image.nodes[condition];
  if (n.code == operation::logical_and || (n.code == operation::bit_and && n.type == type::boolean)) {
    add_guards(image, invariant, image.operand(n, 0), guards);
    add_guards(image, invariant, image.operand(n, 1), guards);
  } else if (n.code == operation::equal) {
    const std::uint32_t a = image.operand(n, 0);
    const std::uint32_t b = image.operand(n, 1);
    if (image.nodes[a].code == operation::id && invariant[b]) guards[image.nodes[a].attribute] = b;
    else if (image.nodes[b].code == operation::id && invariant[a]) guards[image.nodes[b].attribute] = a;
  }
}

}  // namespace detail

/// Checks ownership of all written arguments.
constexpr refusal verify_ownership(const image_view& image, const invariance& invariant) {
  arena<detail::common_forms> all;     // of loads and stores, by parameter
  arena<detail::common_forms> stores;  // of stores alone: to tell which kind of race it is
  const auto count = static_cast<std::uint32_t>(image.parameters.size());
  all.assign(count, {});
  stores.assign(count, {});

  arena<std::uint32_t> atomics;  // line of the first atomic operation, by parameter; no_node: there is none
  atomics.assign(count, no_node);

  detail::axis_nodes guards = detail::no_guards;
  arena<detail::axis_nodes> outer;
  for (const node& n : image.nodes) {
    if (opens_region(n.code)) {
      outer.push(guards);
      if (n.code == operation::if_ || n.code == operation::choose)
        detail::add_guards(image, invariant, image.operand(n, 0), guards);
    } else if (n.code == operation::else_) {
      guards = outer[outer.size() - 1];
    } else if (n.code == operation::end) {
      guards = outer[outer.size() - 1];
      outer.pop();
    } else if (n.code == operation::atomic) {
      if (image.parameters[n.attribute].mode != access::inout) return {rule::atomic_needs_inout, n.attribute, n.line};
      if (atomics[n.attribute] == no_node) atomics[n.attribute] = n.line;
    } else if ((n.code == operation::load || n.code == operation::store) && is_written(image.parameters[n.attribute].mode)) {
      all[n.attribute].meet(image, invariant, n, guards);
      if (n.code == operation::store) stores[n.attribute].meet(image, invariant, n, guards);
    }
  }

  if (image.header.domain == no_node) return {rule::no_domain, 0, 0};
  const node& domain = image.nodes[image.header.domain];
  for (std::uint32_t p = 0; p < count; ++p) {
    if (atomics[p] != no_node && all[p].any) return {rule::atomic_and_plain, p, all[p].line};
    if (!stores[p].any) continue;
    const std::uint32_t rank = image.parameters[p].rank;
    for (std::uint32_t axis = 0; axis < image.header.domain_rank; ++axis) {
      if (domain.arity != 0) {
        const node& extent = image.operand_node(domain, axis);
        if (extent.code == operation::literal && extent.bits <= 1) continue;
      }
      if (!stores[p].owns(image, invariant, rank, axis)) return {rule::write_race, p, stores[p].first_difference};
      if (!all[p].owns(image, invariant, rank, axis)) return {rule::read_race, p, all[p].first_difference};
    }
  }
  return {};
}

}  // namespace selvage::inline v0::ir
