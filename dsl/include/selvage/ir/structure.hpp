// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structure of an image: which operation takes which types, and the check that an image from anywhere is well
// formed.
#pragma once

#include <selvage/ir/image.hpp>
#include <selvage/ir/rule.hpp>

#include <string>

namespace selvage::inline v0::ir {

/// The one table of type rules: does `o` take values of type t? Of a comparison and a cast t is the operand's type, of
/// all others the node's own (of `select` the two values', its condition is boolean). Statements without a value take
/// `none`.
constexpr bool accepts(operation o, type t) {
  const bool any = t != type::none;
  const bool number = is_integer(t) || is_float(t);
  switch (o) {
    case operation::literal:
    case operation::value:
    case operation::cast:
    case operation::equal:
    case operation::not_equal:
    case operation::select:
    case operation::load:
    case operation::store:
    case operation::atomic:
    case operation::variable:
    case operation::get:
    case operation::set:
    case operation::accumulator:
    case operation::yield: return any;
    case operation::extent:
    case operation::id:
    case operation::for_:
    case operation::fold: return t == type::int64;
    case operation::negate:
    case operation::absolute:
    case operation::add:
    case operation::subtract:
    case operation::multiply:
    case operation::divide:
    case operation::minimum:
    case operation::maximum:
    case operation::less:
    case operation::less_equal: return number;
#define SELVAGE_ROW(X, name, word, arity) case operation::name:
    SELVAGE_FUNCTIONS(SELVAGE_ROW, )
#undef SELVAGE_ROW
    case operation::square_root:
    case operation::reciprocal_square_root:
    case operation::round_down:
    case operation::round_up:
    case operation::round_nearest:
    case operation::round_even:
    case operation::round_to_zero:
    case operation::copy_sign:
    case operation::fused_multiply_add: return is_float(t);
    case operation::bit_not:
    case operation::remainder:
    case operation::shift_left:
    case operation::shift_right: return is_integer(t);
    case operation::bit_and:
    case operation::bit_or:
    case operation::bit_xor: return is_integer(t) || t == type::boolean;
    case operation::logical_not:
    case operation::logical_and:
    case operation::logical_or: return t == type::boolean;
    case operation::domain:
    case operation::if_:
    case operation::choose:
    case operation::else_:
    case operation::while_:
    case operation::test: return t == type::none;
    case operation::end: return true;  // none, or of a choose or fold the type of what is yielded
  }
  return false;
}

/// What an atomic operation may work on: numbers of 32 and 64 bits.
constexpr bool accepts(atomic_kind kind, type t) {
  if (t == type::none || properties(t).bits < 32) return false;
  const bool bitwise = kind == atomic_kind::bit_and || kind == atomic_kind::bit_or || kind == atomic_kind::bit_xor;
  return is_integer(t) || (is_float(t) && !bitwise);
}

/// What a fold may yield.
constexpr bool accepts(fold_kind kind, type t) {
  switch (kind) {
    case fold_kind::any:
    case fold_kind::all: return t == type::boolean;
    case fold_kind::ordered: return t != type::none;
    default: return is_integer(t) || is_float(t);
  }
}

/// Does the node stand for a value that others may take as an operand?
constexpr bool has_value(const node& n) {
  switch (n.code) {
    case operation::domain:
    case operation::store:
    case operation::variable:
    case operation::set:
    case operation::if_:
    case operation::choose:
    case operation::else_:
    case operation::while_:
    case operation::test:
    case operation::yield: return false;
    case operation::end: return n.type != type::none;
    default: return true;
  }
}

/// Checks everything about an image that those who read it rely on: ranges of all enumerations and indices, operands
/// before their use and within their region, arity, types, regions, yields, variables, the domain, the parameter table.
/// It does not judge ownership, access modes and initialisation: that is verification.
/// Throws selvage::error (invalid_file) with the first thing that is wrong and the node that is.
void check_structure(const image_view& image);

/// What verify (verify.hpp) found, as a sentence with the fix.
std::string describe(const image_view& image, const refusal& found);

/// Runs the verifier on an image of right structure: for images that no host compiler of ours has verified. Throws
/// selvage::error (invalid_file) with the first rule that is broken.
void check_rules(const image_view& image);

}  // namespace selvage::inline v0::ir
