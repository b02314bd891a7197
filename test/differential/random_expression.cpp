// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of random kernels: every pure operation, loads, choose regions and folds.
#include "random_kernel.hpp"

namespace selvage::test {

std::uint32_t random_kernel::expression(type t, int depth) {
  if (depth <= 0 || is_full() || random_.one_in(6)) return leaf(t);
  if (random_.one_in(3)) return any_type(t, depth);
  if (t == type::boolean) return boolean(depth);
  return ir::is_float(t) ? floating(t, depth) : integer(t, depth);
}

std::uint32_t random_kernel::leaf(type t) {
  if (!is_full() && random_.one_in(3)) return load_of(t, 0);
  std::vector<index> found;
  for (const variable& v : values_)
    if (v.t == t) found.push_back(v.node);
  if (!found.empty() && !random_.one_in(4)) return found[random_.below(static_cast<std::uint32_t>(found.size()))];
  for (const variable& v : variables_)
    if (v.t == t && random_.one_in(2)) return made(b.get(v.node));
  for (const variable& s : scalars_)
    if (s.t == t && random_.one_in(2)) return b.argument(s.node);
  if (random_.one_in(2) && !values_.empty())
    return made(b.cast(t, values_[random_.below(static_cast<std::uint32_t>(values_.size()))].node));
  return b.literal_bits(t, random_.value(t));
}

/// What every type has.
std::uint32_t random_kernel::any_type(type t, int depth) {
  switch (random_.below(7)) {
    case 0: return choose(t, depth);
    case 1: return nesting_ > 2 ? leaf(t) : fold(t, depth);
    case 2: {
      const index condition = expression(type::boolean, depth - 1);
      const index a = expression(t, depth - 1);
      const index c = expression(t, depth - 1);
      return made(b.select(condition, a, c));
    }
    case 3:
    case 4: {
      const index a = expression(random_.type(), depth - 1);
      return made(b.cast(t, a));
    }
    default: return load_of(t, depth - 1);
  }
}

std::uint32_t random_kernel::boolean(int depth) {
  if (random_.one_in(2)) {
    constexpr op comparisons[] = {op::equal, op::not_equal, op::less, op::less_equal};
    type t = random_.type();
    const op o = random_.of(comparisons);
    if (t == type::boolean && (o == op::less || o == op::less_equal)) t = type::int32;
    const index a = expression(t, depth - 1);
    const index c = expression(t, depth - 1);
    return made(b.compare(o, a, c));
  }
  if (random_.one_in(4)) return made(b.unary(op::logical_not, expression(type::boolean, depth - 1)));
  constexpr op binaries[] = {op::logical_and, op::logical_or, op::bit_and, op::bit_or, op::bit_xor};
  const op o = random_.of(binaries);
  const index a = expression(type::boolean, depth - 1);
  const index c = expression(type::boolean, depth - 1);
  return made(b.binary(o, a, c));
}

std::uint32_t random_kernel::integer(type t, int depth) {
  if (random_.one_in(4)) {
    constexpr op unaries[] = {op::negate, op::absolute, op::bit_not};
    const op o = random_.of(unaries);
    return made(b.unary(o, expression(t, depth - 1)));
  }
  constexpr op binaries[] = {op::add,     op::subtract, op::multiply, op::divide,  op::remainder,  op::minimum,
                             op::maximum, op::bit_and,  op::bit_or,   op::bit_xor, op::shift_left, op::shift_right};
  const op o = random_.of(binaries);
  const index a = expression(t, depth - 1);
  const index c = expression(t, depth - 1);
  return made(b.binary(o, a, c));
}

std::uint32_t random_kernel::floating(type t, int depth) {
  if (random_.one_in(3)) {
    constexpr op unaries[] = {op::negate,     op::absolute, op::square_root,
                              op::round_down, op::round_up, op::round_nearest, op::round_even, op::round_to_zero};
    const op o = random_.of(unaries);
    return made(b.unary(o, expression(t, depth - 1)));
  }
  const index a = expression(t, depth - 1);
  const index c = expression(t, depth - 1);
  if (random_.one_in(6)) return made(b.fused_multiply_add(a, c, expression(t, depth - 1)));
  constexpr op binaries[] = {op::add, op::subtract, op::multiply, op::divide, op::minimum, op::maximum,
                             op::copy_sign};
  return made(b.binary(random_.of(binaries), a, c));
}

std::uint32_t random_kernel::choose(type t, int depth) {
  const index choice = made(b.choose(expression(type::boolean, depth - 1)));
  region([&] { b.yield(choice, expression(t, depth - 1)); });
  b.else_(choice);
  region([&] { b.yield(choice, expression(t, depth - 1)); });
  return b.end(choice);
}

std::uint32_t random_kernel::fold(type t, int depth) {
  constexpr ir::fold_kind numbers[] = {ir::fold_kind::sum, ir::fold_kind::product, ir::fold_kind::minimum,
                                       ir::fold_kind::maximum, ir::fold_kind::ordered};
  constexpr ir::fold_kind booleans[] = {ir::fold_kind::any, ir::fold_kind::all, ir::fold_kind::ordered};
  const ir::fold_kind kind = t == type::boolean ? random_.of(booleans) : random_.of(numbers);
  const index begin = random_.one_in(2) ? number(0) : expression(type::int64, 0);
  const index end = counted_loop_end(begin, nesting_ == 0 ? 37 : 4);
  const bool ordered = kind == ir::fold_kind::ordered;
  const index first = ordered ? expression(t, depth - 1) : 0;
  const index f = made(ordered ? b.ordered_fold(begin, end, first) : b.fold(kind, begin, end));
  region([&] {
    remember(f);
    if (ordered) remember(b.accumulator(f));
    b.yield(f, fold_item(kind, t, depth - 1));
  });
  return b.end(f);
}

/// Sums and products of floating-point numbers are of such numbers that every order and grouping is exact.
std::uint32_t random_kernel::fold_item(ir::fold_kind kind, type t, int depth) {
  if (!ir::is_float(t) || (kind != ir::fold_kind::sum && kind != ir::fold_kind::product)) return expression(t, depth);
  if (kind == ir::fold_kind::sum) return b.cast(t, expression(type::int8, depth));
  const index condition = expression(type::boolean, depth);
  const index two = b.cast(t, number(2));
  const index minus = b.cast(t, number(-1));
  return b.select(condition, two, minus);
}

std::uint32_t random_kernel::load_of(type t, int depth) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < views_.size(); ++k)
    if (views_[k].readable && views_[k].single <= in_single_) found.push_back(k);
  if (found.empty()) return b.literal_bits(t, random_.value(t));
  const std::size_t k = found[random_.below(static_cast<std::uint32_t>(found.size()))];
  const index loaded = load(k, depth);
  return views_[k].element == t ? loaded : made(b.cast(t, loaded));
}

std::uint32_t random_kernel::load(std::size_t k, int depth) {
  const auto at = coordinates(views_[k], depth);
  return made(b.load(views_[k].parameter, at));
}

image_builder::list random_kernel::coordinates(const random_view& v, int depth) {
  image_builder::list at;
  for (std::uint32_t d = 0; d < v.rank; ++d)
    at.push_back(v.pins[d].axis >= 0 ? domain_index(v, d) : place(v, d, depth));
  return at;
}

/// An index that nearly always is inside: once in a while it is whatever it is.
std::uint32_t random_kernel::place(const random_view& v, std::uint32_t d, int depth) {
  const std::int64_t extent = v.extents[d];
  switch (random_.below(6)) {
    case 0: return number(random_.below(static_cast<std::uint32_t>(extent)));
    case 1:
    case 2:
      for (std::uint32_t axis = 0; axis < rank_; ++axis)
        if (domain_[axis] <= extent) return b.id(axis);
      [[fallthrough]];
    case 3: {
      const index wish = expression(type::int64, depth);
      if (random_.one_in(40)) return wish;
      const index least = b.binary(op::maximum, wish, number(0));
      const index last = b.subtract(b.extent(v.parameter, d), number(1));
      return made(b.binary(op::minimum, least, last));
    }
    default: {
      const index wish = expression(type::int64, depth);
      const index size = b.extent(v.parameter, d);
      const index rest = b.binary(op::remainder, wish, size);
      return made(b.unary(op::absolute, rest));
    }
  }
}

}  // namespace selvage::test
