// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that have all there is, for the tests of targets.
#pragma once

#include <selvage/ir/structure.hpp>

#include <image_builder.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace selvage::test {

/// One kernel with every pure operation that takes values of type t. The results of one type are rows of one argument.
inline built_image every_operation(ir::type t, bool with_functions = true) {
  using op = ir::operation;
  using type = ir::type;
  image_builder b("every_" + std::string(properties(t).name));
  const auto x = b.in(t), y = b.in(t), z = b.in(t), c = b.in(type::boolean);
  b.domain_of(x);
  const auto i = b.id();
  const auto xs = b.load(x, {i}), ys = b.load(y, {i}), zs = b.load(z, {i}), cs = b.load(c, {i});
  std::map<type, std::pair<std::uint32_t, std::int64_t>> rows;  // argument, and how many it has
  const auto keep = [&](type of, std::uint32_t value) {
    if (!rows.contains(of)) rows[of] = {b.inout(of, 2), 0};
    auto& [argument, row] = rows[of];
    b.store(argument, {b.literal(row++), i}, value);
  };
  for (int k = 0; k < ir::operation_count; ++k) {
    const auto o = static_cast<op>(k);
    const auto arity = properties(o).arity;
    if (!ir::is_pure(o) || properties(o).kind == ir::operation_kind::leaf || !ir::accepts(o, t)) continue;
    const bool function = properties(o).kind == ir::operation_kind::function;
    if (function && !with_functions) continue;
    if (o == op::cast) {
      for (int to = 1; to < ir::type_count; ++to) keep(static_cast<type>(to), b.cast(static_cast<type>(to), xs));
      continue;
    }
    const type result = properties(o).kind == ir::operation_kind::comparison ? type::boolean : t;
    image_builder::list operands{xs, ys, zs};
    operands.resize(static_cast<std::size_t>(arity));
    if (o == op::select) operands = {cs, xs, ys};
    keep(result, b.node(o, result, operands));
  }
  return b.finish();
}

/// All constructs in one kernel.
inline built_image every_construct(std::uint32_t rank) {
  using ir::fold_kind;
  using type = ir::type;
  image_builder b("constructs");
  const auto r = b.inout(type::float64, static_cast<std::uint8_t>(rank));
  const auto x = b.in(type::float64, static_cast<std::uint8_t>(rank));
  const auto column = b.in(type::int32), limit = b.value(type::boolean), scalar = b.in(type::float64, 0);
  b.domain_of(r);
  image_builder::list ids;
  for (std::uint32_t a = 0; a < rank; ++a) ids.push_back(b.id(a));
  const auto zero = b.literal<std::int64_t>(0), one = b.literal<std::int64_t>(1);
  const auto total = b.variable(b.load(scalar, {}));
  const auto gathered = b.cast(type::int64, b.load(column, {ids[0]}));
  auto shifted = ids;
  shifted[rank - 1] = gathered;
  const auto conditional = b.if_(b.argument(limit));
  const auto loop = b.for_(zero, b.extent(x), b.literal<std::int64_t>(2));
  auto along = ids;
  along[0] = loop;
  b.set(total, b.add(b.get(total), b.load(x, along)));
  b.end(loop);
  b.else_(conditional);
  b.set(total, b.load(x, shifted));
  b.end(conditional);
  const auto w = b.while_();
  b.test(w, b.less(b.get(total), b.literal(100.0)));
  b.set(total, b.multiply(b.get(total), b.literal(3.0)));
  b.end(w);
  for (int kind = 0; kind < ir::fold_kind_count; ++kind) {
    const auto k = static_cast<fold_kind>(kind);
    const auto f =
        k == fold_kind::ordered ? b.ordered_fold(zero, b.extent(x), b.get(total)) : b.fold(k, zero, b.extent(x));
    along[0] = f;
    const auto item = b.load(x, along);
    const auto choose = b.choose(b.less(f, one));
    b.yield(choose, item);
    b.else_(choose);
    b.yield(choose, b.literal(2.5));
    const auto chosen = b.end(choose);
    if (k == fold_kind::any || k == fold_kind::all) {
      b.yield(f, b.less(chosen, item));
      const auto folded = b.end(f);
      b.set(total, b.add(b.get(total), b.cast(type::float64, folded)));
    } else {
      b.yield(f, k == fold_kind::ordered ? b.subtract(chosen, b.accumulator(f)) : chosen);
      const auto folded = b.end(f);
      b.set(total, b.add(b.get(total), folded));
    }
  }
  b.store(r, shifted, b.get(total));
  return b.finish();
}

}  // namespace selvage::test
