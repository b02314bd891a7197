// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters, domain and statements of random kernels.
#include "random_kernel.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace selvage::test {

random_kernel::random_kernel(random_source& random) : random_(random), b("random") {
  nodes_left_ = 30 + static_cast<int>(random_.below(120));
  make_domain();
  make_views();
  write_domain();
  for (std::uint32_t axis = 0; axis < rank_; ++axis) remember(b.id(axis));
  const auto before = random_.below(3);
  for (std::uint32_t k = 0; k < before; ++k) declare();
  for (std::size_t k = 0; k < views_.size(); ++k)
    if (views_[k].mode == ir::access::out) cover(k);
  do statement(0);
  while (!is_full());
  for (std::size_t k = 0; k < views_.size(); ++k)  // so that what was computed shows
    if (ir::is_written(views_[k].mode) && !views_[k].single && !views_[k].atomic) {
      const auto at = coordinates(views_[k], 1);
      b.store(views_[k].parameter, at, expression(views_[k].element, 1));
    }
}

void random_kernel::make_domain() {
  rank_ = 1 + random_.below(3);
  for (std::uint32_t axis = 0; axis < rank_; ++axis) domain_[axis] = 1 + random_.below(4);
  // The fastest axis is the one that back ends make vectors of.
  if (random_.one_in(2)) domain_[rank_ - 1] = 1 + random_.below(40);
  if (random_.one_in(50)) domain_[random_.below(rank_)] = 0;
  for (std::uint32_t axis = 0; axis < rank_; ++axis)
    single_item_[axis] = domain_[axis] == 0 ? 0 : random_.below(static_cast<std::uint32_t>(domain_[axis]));
}

void random_kernel::make_views() {
  const auto written = 1 + random_.below(2);
  for (std::uint32_t k = 0; k < written; ++k) {
    const bool out = random_.one_in(2);
    const std::uint32_t spare = std::min(3 - rank_, out ? 1U : 2U);
    add_view(out ? ir::access::out : ir::access::inout, rank_ + random_.below(spare + 1), false);
  }
  if (random_.one_in(3)) add_view(ir::access::inout, random_.below(3), true);
  if (random_.one_in(3)) {
    add_view(ir::access::inout, random_.below(3), true, true);
    random_view& v = views_.back();
    v.single = v.readable = false;
    // Of floating-point numbers only those whose result no order changes.
    const auto kind = static_cast<ir::atomic_kind>(random_.below(6));
    const bool extreme = kind == ir::atomic_kind::minimum || kind == ir::atomic_kind::maximum;
    v.atomic = ir::is_float(v.element) && !extreme ? ir::atomic_kind::maximum : kind;
  }
  const auto read = 1 + random_.below(3);
  for (std::uint32_t k = 0; k < read; ++k) add_view(ir::access::in, random_.below(4), false);
  const auto scalars = random_.below(4);
  for (std::uint32_t k = 0; k < scalars; ++k) {
    const type t = random_.type();
    scalars_.push_back({b.value(t), t});
  }
}

void random_kernel::add_view(ir::access mode, std::uint32_t rank, bool single, bool shared) {
  random_view v;
  do v.element = random_.type();
  while (shared && !ir::accepts(ir::atomic_kind::exchange, v.element));
  v.mode = mode;
  v.rank = rank;
  v.single = single;
  v.readable = mode != ir::access::out;
  v.parameter = b.parameter(v.element, mode, static_cast<std::uint8_t>(rank));
  for (std::uint32_t d = 0; d < rank; ++d) v.extents[d] = 1 + random_.below(5);
  if (rank != 0 && random_.one_in(3)) v.extents[rank - 1] = 1 + random_.below(40);
  if (ir::is_written(mode) && !single) place_pins(v);
  views_.push_back(v);
}

void random_kernel::place_pins(random_view& v) {
  std::array<std::uint32_t, 3> position{0, 1, 2};
  for (std::uint32_t k = v.rank; k > 1; --k) std::swap(position[k - 1], position[random_.below(k)]);
  if (random_.one_in(2)) std::sort(position.begin(), position.end());
  for (std::uint32_t axis = 0; axis < rank_; ++axis) {
    pin& p = v.pins[position[axis]];
    std::int64_t& extent = v.extents[position[axis]];
    p.axis = static_cast<int>(axis);
    const std::int64_t last = domain_[axis] - 1;
    const auto kind = random_.below(4);
    if (kind == 0) {
      p.scale = -1;
      extent = domain_[axis];
    } else if (kind == 1 && v.mode == ir::access::inout) {
      p.scale = 1 + random_.below(3);
      p.offset = random_.below(3);
      extent = p.scale * std::max<std::int64_t>(last, 0) + p.offset + 1 + random_.below(2);
    } else {
      extent = domain_[axis];
    }
  }
}

/// The extents of a view whose pins reach all of it, or given at the launch.
void random_kernel::write_domain() {
  for (const random_view& v : views_) {
    if (v.mode != ir::access::out || random_.one_in(3)) continue;
    image_builder::list extents(rank_);
    for (std::uint32_t d = 0; d < v.rank; ++d)
      if (v.pins[d].axis >= 0) extents[static_cast<std::size_t>(v.pins[d].axis)] = b.extent(v.parameter, d);
    b.domain(extents);
    return;
  }
  b.given_domain(rank_);
}

std::uint32_t random_kernel::domain_index(const random_view& v, std::uint32_t position) {
  const pin& p = v.pins[position];
  const index id = b.id(static_cast<std::uint32_t>(p.axis));
  if (p.scale == -1) {
    const index last = b.subtract(b.extent(v.parameter, position), number(1));
    return b.subtract(last, id);
  }
  const index scaled = p.scale == 1 ? id : b.multiply(id, number(p.scale));
  return p.offset == 0 ? scaled : b.add(scaled, number(p.offset));
}

/// Writes every element of an `out`: the ids move through its pinned positions, loops through the others.
void random_kernel::cover(std::size_t k) {
  const random_view v = views_[k];
  image_builder::list at(v.rank);
  std::vector<index> loops;
  for (std::uint32_t d = 0; d < v.rank; ++d) {
    if (v.pins[d].axis >= 0) continue;
    const index end = b.extent(v.parameter, d);
    at[d] = b.for_(number(0), end, number(1));
    loops.push_back(at[d]);
  }
  for (std::uint32_t d = 0; d < v.rank; ++d)
    if (v.pins[d].axis >= 0) at[d] = domain_index(v, d);
  region([&] {
    for (const index loop : loops) remember(loop);
    const bool both = random_.one_in(4);
    if (both) {
      const index part = b.if_(expression(type::boolean, 2));
      region([&] { b.covers(v.parameter, b.store(v.parameter, at, expression(v.element, 2))); });
      b.else_(part);
      region([&] { b.store(v.parameter, at, expression(v.element, 2)); });
      b.end(part);
    } else {
      b.covers(v.parameter, b.store(v.parameter, at, expression(v.element, 3)));
    }
  });
  for (std::size_t l = loops.size(); l-- > 0;) b.end(loops[l]);
  views_[k].readable = loops.empty();
}

void random_kernel::statement(int depth) {
  const auto kind = random_.below(depth > 2 ? 6 : 12);
  if (random_.one_in(8)) return share();
  if (kind < 3) return store_owned();
  if (kind == 3) return declare();
  if (kind < 6) return assign();
  if (kind < 8) return if_statement(depth);
  if (kind < 10) return for_statement(depth);
  if (kind == 10) return while_statement(depth);
  single_item();
}

void random_kernel::block(int depth) {
  region([&] {
    const auto count = 1 + random_.below(2);
    for (std::uint32_t k = 0; k < count && !is_full(); ++k) statement(depth + 1);
  });
}

void random_kernel::store_owned() {
  const auto k = random_.below(static_cast<std::uint32_t>(views_.size()));
  const random_view& v = views_[k];
  if (!ir::is_written(v.mode) || v.single || v.atomic) return declare();
  const index value = expression(v.element, 3);
  const auto at = coordinates(v, 2);
  made(b.store(v.parameter, at, value));
}

void random_kernel::declare() {
  const type t = random_.type();
  const index first = expression(t, 3);
  if (random_.one_in(3)) {
    const index v = b.variable_of(t);
    b.set(v, first);
    variables_.push_back({v, t});
  } else if (random_.one_in(2)) {
    variables_.push_back({b.variable(first), t});
  } else {
    remember(first);
  }
}

void random_kernel::assign() {
  if (variables_.empty()) return declare();
  const variable v = variables_[random_.below(static_cast<std::uint32_t>(variables_.size()))];
  const index value = expression(v.t, 3);
  made(b.set(v.node, value));
}

void random_kernel::if_statement(int depth) {
  const index part = made(b.if_(expression(type::boolean, 2)));
  block(depth);
  if (random_.one_in(2)) {
    b.else_(part);
    block(depth);
  }
  b.end(part);
}

/// At most `most` rounds from begin.
std::uint32_t random_kernel::counted_loop_end(index begin, std::uint32_t most) {
  const index cap = b.add(begin, number(random_.below(most + 1)));
  if (random_.one_in(2)) return cap;
  const index wish = expression(type::int64, 1);
  return b.binary(op::minimum, wish, cap);
}

void random_kernel::for_statement(int depth) {
  const index begin = random_.one_in(2) ? number(0) : expression(type::int64, 1);
  const index end = counted_loop_end(begin, nesting_ == 0 ? 9 : 3);
  const index step =
      number(random_.one_in(10) ? static_cast<std::int64_t>(random_.below(3)) - 1 : 1 + random_.below(3));
  const index loop = made(b.for_(begin, end, step));
  region([&] {
    remember(loop);
    block(depth);
  });
  b.end(loop);
}

void random_kernel::while_statement(int depth) {
  const index rounds = b.variable(number(0));
  const index loop = made(b.while_());
  region([&] {
    const index more = b.less(b.get(rounds), number(random_.below(nesting_ == 1 ? 8 : 3)));
    const index condition = random_.one_in(2) ? more : b.binary(op::logical_and, more, expression(type::boolean, 2));
    b.test(loop, condition);
    block(depth);
    const index next = b.add(b.get(rounds), number(1));
    b.set(rounds, next);
  });
  b.end(loop);
}

/// Work that one work-item does alone, on a view without a position for each id.
void random_kernel::single_item() {
  const auto found = std::find_if(views_.begin(), views_.end(), [](const random_view& v) { return v.single; });
  if (found == views_.end() || in_single_) return store_owned();
  const random_view v = *found;
  index condition = ir::no_node;
  for (std::uint32_t axis = 0; axis < rank_; ++axis) {
    const index id = b.id(axis);
    const index is_it = b.compare(op::equal, id, number(single_item_[axis]));
    condition = condition == ir::no_node ? is_it : b.binary(op::logical_and, condition, is_it);
  }
  const index part = made(b.if_(condition));
  in_single_ = true;
  region([&] {
    const index value = expression(v.element, 3);
    const auto at = coordinates(v, 2);
    b.store(v.parameter, at, value);
  });
  in_single_ = false;
  b.end(part);
}

/// What was there before depends on the order, so nothing uses it.
void random_kernel::share() {
  const auto found = std::find_if(views_.begin(), views_.end(), [](const random_view& v) { return v.atomic; });
  if (found == views_.end()) return store_owned();
  const random_view v = *found;
  const index value = expression(v.element, 3);
  const auto at = coordinates(v, 2);
  made(b.atomic(*v.atomic, v.parameter, at, {value}));
}

}  // namespace selvage::test
