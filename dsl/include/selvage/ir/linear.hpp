// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear forms of coordinates: c + s1*a1 + s2*a2 + ..., the a's being ids, induction values and launch-invariant
// values. All arithmetic is modulo 2^64, as the coordinates' own is, so that equal forms are equal values.
#pragma once

#include <selvage/ir/arena.hpp>
#include <selvage/ir/image.hpp>

#include <array>
#include <cstdint>

namespace selvage::inline v0::ir {

/// Which nodes have one value for the whole launch: literals, values, extents and pure operations on them.
class invariance {
 public:
  explicit constexpr invariance(const image_view& image) {
    for (const node& n : image.nodes) {
      bool invariant = is_pure(n.code) && n.code != operation::id;
      for (std::uint32_t k = 0; k < n.arity && invariant; ++k) invariant = flags_[image.operands[n.operands + k]];
      flags_.push(invariant);
    }
  }
  constexpr bool operator[](std::uint32_t n) const { return flags_[n]; }

 private:
  arena<bool> flags_;
};

/// Nodes that one question looks at, at most. A tree whose nodes are shared may have exponentially many paths; what is
/// not settled within this counts as not proved.
inline constexpr std::uint32_t search_limit = 4096;

constexpr bool same_value(const image_view& image, std::uint32_t a, std::uint32_t b, std::uint32_t& left) {
  if (a == b) return true;
  if (left == 0) return false;
  --left;
  const node& x = image.nodes[a];
  const node& y = image.nodes[b];
  if (x.code != y.code || !is_pure(x.code) || x.type != y.type || x.arity != y.arity || x.attribute != y.attribute ||
      x.bits != y.bits)
    return false;
  for (std::uint32_t k = 0; k < x.arity; ++k)
    if (!same_value(image, image.operand(x, k), image.operand(y, k), left)) return false;
  return true;
}
/// Whether two nodes have the same value wherever both are visible: the same node, or the same pure operation on the
/// same values. (Loads and variables are equal only to themselves.)
constexpr bool same_value(const image_view& image, std::uint32_t a, std::uint32_t b) {
  std::uint32_t left = search_limit;
  return same_value(image, a, b, left);
}

struct linear_form {
  static constexpr std::uint32_t capacity = 6;
  bool known = false;
  std::uint32_t size = 0;
  std::uint64_t constant = 0;
  std::array<std::uint32_t, capacity> atoms{};         ///< nodes, no two of the same value
  std::array<std::uint64_t, capacity> coefficients{};  ///< none 0

  /// Adds s * atom.
  constexpr void add(const image_view& image, std::uint32_t atom, std::uint64_t s) {
    for (std::uint32_t k = 0; k < size; ++k) {
      if (!same_value(image, atoms[k], atom)) continue;
      coefficients[k] += s;
      if (coefficients[k] == 0) --size, atoms[k] = atoms[size], coefficients[k] = coefficients[size];
      return;
    }
    if (size == capacity)
      known = false;
    else
      atoms[size] = atom, coefficients[size++] = s;
  }

  /// Adds s * other.
  constexpr void add(const image_view& image, const linear_form& other, std::uint64_t s) {
    known = known && other.known;
    constant += s * other.constant;
    for (std::uint32_t k = 0; k < other.size && known && s != 0; ++k)
      add(image, other.atoms[k], s * other.coefficients[k]);
  }
};

constexpr linear_form linear_form_of(const image_view& image, const invariance& invariant, std::uint32_t n,
                                     std::uint32_t& left) {
  const node& x = image.nodes[n];
  linear_form form{.known = x.type == type::int64 && left != 0};
  if (!form.known) return form;
  --left;
  switch (x.code) {
    case operation::literal:
      form.constant = x.bits;
      break;
    case operation::id:
    case operation::for_:
    case operation::fold:
      form.add(image, n, 1);
      break;
    case operation::add:
    case operation::subtract:
      form.add(image, linear_form_of(image, invariant, image.operand(x, 0), left), 1);
      form.add(image, linear_form_of(image, invariant, image.operand(x, 1), left),
               x.code == operation::add ? 1 : ~std::uint64_t{0});
      break;
    case operation::negate:
      form.add(image, linear_form_of(image, invariant, image.operand(x, 0), left), ~std::uint64_t{0});
      break;
    case operation::multiply: {
      const linear_form a = linear_form_of(image, invariant, image.operand(x, 0), left);
      const linear_form b = linear_form_of(image, invariant, image.operand(x, 1), left);
      if (a.known && a.size == 0)
        form.add(image, b, a.constant);
      else if (b.known && b.size == 0)
        form.add(image, a, b.constant);
      else if (invariant[n])
        form.add(image, n, 1);
      else
        form.known = false;
      break;
    }
    default:
      if (invariant[n])
        form.add(image, n, 1);
      else
        form.known = false;
  }
  return form;
}
/// The form of an int64 node; not `known` if it has none.
constexpr linear_form linear_form_of(const image_view& image, const invariance& invariant, std::uint32_t n) {
  std::uint32_t left = search_limit;
  return linear_form_of(image, invariant, n, left);
}

constexpr bool same_form(const image_view& image, const linear_form& a, const linear_form& b) {
  if (!a.known || !b.known || a.size != b.size || a.constant != b.constant) return false;
  linear_form difference = a;
  difference.add(image, b, ~std::uint64_t{0});
  return difference.known && difference.size == 0;
}

/// Largest |s| of an s*id that is trusted not to wrap: extents of domains are below 2^47.
inline constexpr std::uint64_t maximum_stride = 65536;

/// The node of the one id in a form s*id + c with s a literal, c launch-invariant; no_node if it is no such form.
constexpr std::uint32_t pinned_id(const image_view& image, const invariance& invariant, const linear_form& form) {
  std::uint32_t id = no_node;
  for (std::uint32_t k = 0; form.known && k < form.size; ++k) {
    if (invariant[form.atoms[k]]) continue;
    if (id != no_node || image.nodes[form.atoms[k]].code != operation::id) return no_node;
    if (form.coefficients[k] + maximum_stride > 2 * maximum_stride) return no_node;
    id = form.atoms[k];
  }
  return form.known ? id : no_node;
}

}  // namespace selvage::inline v0::ir
