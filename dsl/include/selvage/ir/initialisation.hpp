// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing unwritten is read: variables are written before they are read on every path; an `out` is wholly written, and
// read only where this work-item has certainly written the same element.
#pragma once

#include <selvage/ir/linear.hpp>
#include <selvage/ir/rule.hpp>

namespace selvage::inline v0::ir {
namespace detail {

/// Something certainly written at this point of the kernel: a variable, or an element of an `out`.
struct written {
  std::uint32_t key = 0;     ///< parameter, or the variable node
  std::uint32_t store = 0;   ///< the store or set
  std::uint32_t depth = 0;   ///< number of regions around
  bool variable = false;
  bool here = true;          ///< for reads that follow; false behind the loop that wrote
  bool in_else = false;
};

class initialisation {
 public:
  constexpr initialisation(const image_view& image, const invariance& invariant) : image_(image), invariant_(invariant) {}

  constexpr refusal run() {
    for (std::uint32_t n = 0; n < image_.nodes.size(); ++n) {
      const node& x = image_.nodes[n];
      if (opens_region(x.code)) {
        open_.push({n, false});
      } else if (x.code == operation::else_) {
        open_[open_.size() - 1].has_else = true;
      } else if (x.code == operation::end) {
        close();
      } else if (x.code == operation::store && image_.parameters[x.attribute].mode == access::out) {
        add(x.attribute, n, false);
      } else if (x.code == operation::set && image_.operand_node(x, 0).arity == 0) {
        add(image_.operand(x, 0), n, true);
      } else if (x.code == operation::get && image_.operand_node(x, 0).arity == 0) {
        if (!is_written_here(image_.operand(x, 0), no_node, true)) return {rule::unassigned_variable, 0, x.line};
      } else if (x.code == operation::load && image_.parameters[x.attribute].mode == access::out) {
        if (!is_written_here(x.attribute, n, false)) return {rule::out_read_before_written, x.attribute, x.line};
      }
    }
    for (std::uint32_t p = 0; p < image_.parameters.size(); ++p)
      if (image_.parameters[p].mode == access::out && covering_store(p) == no_node) return {rule::out_not_written, p, image_.header.line};
    return {};
  }

  /// After run(): the store that writes every element of parameter p, if the launch finds that its coordinates' ranges
  /// are the extents; no_node if there is none.
  constexpr std::uint32_t covering_store(std::uint32_t p) const {
    for (std::uint32_t k = 0; k < list_.size(); ++k)
      if (!list_[k].variable && list_[k].key == p && list_[k].depth == 0 && covers(list_[k].store)) return list_[k].store;
    return no_node;
  }

 private:
  struct region {
    std::uint32_t opened;
    bool has_else;
  };

  constexpr void add(std::uint32_t key, std::uint32_t store, bool variable) {
    const bool in_else = open_.size() != 0 && open_[open_.size() - 1].has_else;
    list_.push({key, store, open_.size(), variable, true, in_else});
  }

  constexpr bool same_element(std::uint32_t a, std::uint32_t b) const {
    const node& x = image_.nodes[a];
    const node& y = image_.nodes[b];
    for (std::uint32_t k = 0; k < image_.parameters[x.attribute].rank; ++k) {
      const std::uint32_t i = image_.operand(x, k);
      const std::uint32_t j = image_.operand(y, k);
      if (i != j && !same_form(image_, linear_form_of(image_, invariant_, i), linear_form_of(image_, invariant_, j)))
        return false;
    }
    return true;
  }

  constexpr bool is_written_here(std::uint32_t key, std::uint32_t load, bool variable) const {
    const bool in_else = open_.size() != 0 && open_[open_.size() - 1].has_else;
    for (std::uint32_t k = 0; k < list_.size(); ++k) {
      const written& w = list_[k];
      if (w.variable != variable || w.key != key || !w.here) continue;
      if (w.depth == open_.size() && w.depth != 0 && w.in_else != in_else) continue;
      if (shadowed(w)) continue;
      if (variable || same_element(w.store, load)) return true;
    }
    return false;
  }

  /// Whether w stands in the first part of an if_ whose else_ we are in.
  constexpr bool shadowed(const written& w) const {
    return w.depth != 0 && w.depth <= open_.size() && open_[w.depth - 1].has_else && !w.in_else;
  }

  constexpr void close() {
    const region closed = open_[open_.size() - 1];
    const std::uint32_t depth = open_.size();
    open_.pop();
    const bool outer_else = open_.size() != 0 && open_[open_.size() - 1].has_else;
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < list_.size(); ++k) {
      written w = list_[k];
      if (w.depth == depth) {
        if (!survives(closed, k)) continue;
        w.depth = depth - 1;
        w.in_else = outer_else;
        w.here = w.here && image_.nodes[closed.opened].code == operation::if_;
      }
      list_[kept++] = w;
    }
    while (list_.size() > kept) list_.pop();
  }

  /// Whether what the closed region wrote is certainly written behind it: on both sides of an if_, or all along a loop.
  constexpr bool survives(const region& closed, std::uint32_t k) const {
    const node& opened = image_.nodes[closed.opened];
    const written& w = list_[k];
    if (opened.code == operation::if_ && closed.has_else && !w.in_else) {
      for (std::uint32_t other = k + 1; other < list_.size(); ++other) {
        const written& o = list_[other];
        if (o.in_else && o.depth == w.depth && o.variable == w.variable && o.key == w.key && o.here == w.here &&
            (w.variable || same_element(w.store, o.store)))
          return true;
      }
    }
    if (opened.code == operation::for_ && !w.variable) {
      const node& step = image_.operand_node(opened, 2);
      return invariant_[image_.operand(opened, 0)] && invariant_[image_.operand(opened, 1)] &&
             step.code == operation::literal && step.bits == 1 && uses(w.store, closed.opened);
    }
    return false;
  }

  constexpr bool uses(std::uint32_t store, std::uint32_t atom) const {
    const node& x = image_.nodes[store];
    for (std::uint32_t k = 0; k + 1 < x.arity; ++k)
      if (moving_atom(image_.operand(x, k)) == atom) return true;
    return false;
  }

  /// The id or induction value a in a coordinate +-a + c; no_node if it is no such form.
  constexpr std::uint32_t moving_atom(std::uint32_t coordinate) const {
    const linear_form form = linear_form_of(image_, invariant_, coordinate);
    std::uint32_t atom = no_node;
    for (std::uint32_t k = 0; form.known && k < form.size; ++k) {
      if (invariant_[form.atoms[k]]) continue;
      if (atom != no_node || form.coefficients[k] + 1 > 2) return no_node;
      atom = form.atoms[k];
    }
    return form.known ? atom : no_node;
  }

  /// Whether the coordinates of a store move independently, each by steps of one. (That every id moves one is ownership.)
  constexpr bool covers(std::uint32_t store) const {
    const node& x = image_.nodes[store];
    for (std::uint32_t k = 0; k + 1 < x.arity; ++k) {
      const std::uint32_t atom = moving_atom(image_.operand(x, k));
      if (atom == no_node) return false;
      for (std::uint32_t j = 0; j < k; ++j)
        if (same_value(image_, atom, moving_atom(image_.operand(x, j)))) return false;
    }
    return true;
  }

  const image_view& image_;
  const invariance& invariant_;
  arena<region> open_;
  arena<written> list_;
};

}  // namespace detail
}  // namespace selvage::inline v0::ir
