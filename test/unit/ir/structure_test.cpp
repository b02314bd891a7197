// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structure check takes what is well formed, and says of everything else what is wrong with it.
#include <selvage/ir/structure.hpp>

#include "images.hpp"

namespace selvage::test {
namespace {

using ir::fold_kind;

/// Expects that the image is refused with a sentence that holds `part`.
void refuse(const image_builder& b, const std::string& part) {
  const built_image image = b.finish();
  check_error([&] { ir::check_structure(image.view()); }, part);
}

/// A kernel with its domain, one int64 `out` and one float64 `inout`, ready for more.
struct start : image_builder {
  start() : image_builder("k") {
    whole = inout(type::int64);
    real = inout(type::float64);
    domain_of(whole);
    i = id();
    one = literal(std::int64_t{1});
    x = load(real, {i});
    yes = compare(op::less, x, x);
  }
  index whole, real, i, one, x, yes;
};

TEST_CASE("structure: a plain kernel passes") {
  const built_image image = daxpy_builder().finish();
  CHECK_NOTHROW(ir::check_structure(image.view()));
}

TEST_CASE("structure: every region passes, nested and with variables") {
  start b;
  const auto v = b.variable(b.x);
  const auto loop = b.for_(b.one, b.i, b.one);
  const auto part = b.if_(b.yes);
  b.set(v, b.get(v));
  b.else_(part);
  b.store(b.whole, {loop}, b.i);
  b.end(part);
  b.end(loop);
  const auto again = b.while_();
  b.test(again, b.less(b.get(v), b.x));
  b.end(again);
  const auto choice = b.choose(b.yes);
  b.yield(choice, b.load(b.real, {b.one}));
  b.else_(choice);
  b.yield(choice, b.x);
  const auto chosen = b.end(choice);
  const auto sum = b.fold(fold_kind::sum, b.one, b.i);
  b.yield(sum, b.add(b.load(b.real, {sum}), chosen));
  const auto total = b.end(sum);
  const auto ordered = b.ordered_fold(b.one, b.i, total);
  b.yield(ordered, b.multiply(b.accumulator(ordered), b.x));
  b.store(b.real, {b.i}, b.end(ordered));
  const auto any = b.fold(fold_kind::any, b.one, b.i);
  b.yield(any, b.yes);
  b.end(any);
  const built_image image = b.finish();
  CHECK_NOTHROW(ir::check_structure(image.view()));
}

TEST_CASE("structure: every pure operation takes just the types of the table") {
  for (int o = 0; o < ir::operation_count; ++o) {
    const auto code = static_cast<op>(o);
    const ir::operation_kind kind = ir::properties(code).kind;
    if (kind < ir::operation_kind::unary || kind > ir::operation_kind::ternary || code == op::cast ||
        code == op::select)
      continue;
    for (int t = 1; t < ir::type_count; ++t) {
      image_builder b("k");
      b.given_domain(1);
      const auto of = static_cast<type>(t);
      const auto v = b.literal_bits(of, 0);
      const image_builder::list operands(static_cast<std::size_t>(ir::properties(code).arity), v);
      b.node(code, kind == ir::operation_kind::comparison ? type::boolean : of, operands);
      const built_image image = b.finish();
      CAPTURE(ir::properties(code).name);
      CAPTURE(ir::properties(of).name);
      CHECK(error_of([&] { ir::check_structure(image.view()); }).empty() == ir::accepts(code, of));
    }
  }
}

TEST_CASE("structure: enumerations and indices out of range") {
  start b;
  b.node(static_cast<op>(200), type::none);
  refuse(b, "operation 200 does not exist");
  start c;
  c.node(op::literal, static_cast<type>(77));
  refuse(c, "type 77 does not exist");
  start d;
  d.node(op::negate, type::float64, {d.x + 40});
  refuse(d, "operand");
  start e;
  e.node(op::value, type::int64, {}, 9);
  refuse(e, "there is no argument 9, the kernel has 2");
  start f;
  f.node(op::extent, type::int64, {}, f.whole, 1);
  refuse(f, "argument 0 has no dimension 1, its rank is 1");
  start g;
  g.id(1);
  refuse(g, "the domain has no axis 1, its rank is 1");
  start h;
  h.node(op::fold, type::int64, {h.one, h.i}, 12);
  refuse(h, "fold kind 12 does not exist");
  start k;
  k.load(k.real, {k.i, k.i});
  refuse(k, "it has 2 operands, but argument 1 has rank 1");
  start l;
  l.node(op::add, type::float64, {l.x});
  refuse(l, "it has 1 operands instead of 2");
}

TEST_CASE("structure: operands must stand before, be values, and have the type") {
  start b;
  const auto next = b.type_of(b.x) == type::float64 ? b.add(b.x, b.x) : 0;
  b.node(op::negate, type::float64, {next + 1});
  refuse(b, "does not stand before it");
  start c;
  const auto stored = c.store(c.real, {c.i}, c.x);
  c.add(stored, stored);
  refuse(c, "(store) has no value");
  start d;
  d.add(d.x, d.i);
  refuse(d, "has type int64 instead of float64");
  start e;
  e.load(e.real, {e.cast(type::int32, e.i)});
  refuse(e, "has type int32 instead of int64");
  start f;
  f.store(f.real, {f.i}, f.cast(type::float32, f.x));
  refuse(f, "has type float32 instead of float64");
  start g;
  g.node(op::load, type::float32, {g.i}, g.real);
  refuse(g, "it has type float32, but argument 1 has float64");
  start h;
  h.if_(h.one);
  refuse(h, "has type int64 instead of boolean");
  start k;
  k.node(op::select, type::float64, {k.one, k.x, k.x});
  refuse(k, "has type int64 instead of boolean");
  start l;
  l.node(op::less, type::int64, {l.i, l.i});
  refuse(l, "instead of boolean");
}

TEST_CASE("structure: values and variables stay in their region") {
  start b;
  const auto part = b.if_(b.yes);
  const auto inner = b.add(b.x, b.x);
  b.end(part);
  b.store(b.real, {b.i}, inner);
  refuse(b, "stands in a region that is closed");
  start c;
  const auto branch = c.if_(c.yes);
  const auto first = c.add(c.x, c.x);
  c.else_(branch);
  c.store(c.real, {c.i}, first);
  c.end(branch);
  refuse(c, "stands in a region that is closed");
  start d;
  const auto loop = d.for_(d.one, d.i, d.one);
  d.end(loop);
  d.load(d.real, {loop});
  refuse(d, "not visible here");
  start e;
  const auto outer = e.if_(e.yes);
  const auto v = e.variable(e.x);
  e.end(outer);
  e.get(v);
  refuse(e, "variable 7 is not visible here");
  start f;
  const auto fold = f.ordered_fold(f.one, f.i, f.x);
  f.yield(fold, f.x);
  f.end(fold);
  f.accumulator(fold);
  refuse(f, "it stands outside its fold");
}

TEST_CASE("structure: regions are opened, parted and closed in order") {
  start b;
  b.if_(b.yes);
  refuse(b, "is not closed");
  start c;
  const auto outer = c.if_(c.yes);
  c.if_(c.yes);
  c.end(outer);
  refuse(c, "does not open the innermost region");
  start d;
  d.end(d.one);
  refuse(d, "does not open the innermost region");
  start e;
  const auto loop = e.for_(e.one, e.i, e.one);
  e.else_(loop);
  refuse(e, "it cannot belong to a for_");
  start f;
  const auto part = f.if_(f.yes);
  f.else_(part);
  f.else_(part);
  refuse(f, "has an else_ already");
  start g;
  const auto again = g.while_();
  g.end(again);
  refuse(g, "its while_ has no test");
  start h;
  const auto twice = h.while_();
  h.test(twice, h.yes);
  h.test(twice, h.yes);
  refuse(h, "has a test already");
  start k;
  for (std::uint32_t depth = 0; depth <= ir::maximum_depth; ++depth) k.if_(k.yes);
  refuse(k, "regions nest deeper than 256");
}

TEST_CASE("structure: what yields, yields once, at the end and one type") {
  start b;
  const auto choice = b.choose(b.yes);
  b.yield(choice, b.x);
  b.end(choice);
  refuse(b, "its choose has no else_");
  start c;
  const auto half = c.choose(c.yes);
  c.else_(half);
  refuse(c, "does not yield");
  start d;
  const auto two = d.choose(d.yes);
  d.yield(two, d.x);
  d.else_(two);
  d.yield(two, d.i);
  refuse(d, "the other part yields float64");
  start e;
  const auto sum = e.fold(fold_kind::sum, e.one, e.i);
  e.end(sum);
  refuse(e, "its region does not yield");
  start f;
  const auto more = f.fold(fold_kind::sum, f.one, f.i);
  f.yield(more, f.x);
  f.add(f.x, f.x);
  refuse(f, "follows the yield");
  start g;
  const auto any = g.fold(fold_kind::any, g.one, g.i);
  g.yield(any, g.x);
  refuse(g, "a fold of kind any does not take float64");
  start h;
  const auto ordered = h.ordered_fold(h.one, h.i, h.x);
  h.yield(ordered, h.i);
  refuse(h, "the fold's first value has float64");
  start k;
  const auto part = k.if_(k.yes);
  k.yield(part, k.x);
  refuse(k, "it cannot belong to a if_");
  start l;
  const auto wrong = l.fold(fold_kind::sum, l.one, l.i);
  l.yield(wrong, l.x);
  l.node(op::end, type::int64, {wrong});
  refuse(l, "it has type int64 instead of float64");
}

TEST_CASE("structure: atomic operations") {
  const auto one = [](ir::atomic_kind kind, type t, std::size_t values) {
    image_builder b("k");
    const auto y = b.inout(t), x = b.in(t);
    b.domain_of(x);
    const auto i = b.id();
    b.atomic(kind, y, {i}, image_builder::list(values, b.load(x, {i})));
    return b;
  };
  using ir::atomic_kind;
  for (int k = 0; k < ir::atomic_kind_count; ++k) {
    const auto kind = static_cast<atomic_kind>(k);
    const std::size_t values = kind == atomic_kind::compare_exchange ? 2 : 1;
    for (const type t : {type::int32, type::uint32, type::int64, type::uint64}) {
      const built_image image = one(kind, t, values).finish();
      CHECK_NOTHROW(ir::check_structure(image.view()));
      CHECK_NOTHROW(ir::check_rules(image.view()));
    }
    refuse(one(kind, type::int8, values), std::string("atomic ") + std::string(name(kind)) + " does not take int8");
    refuse(one(kind, type::int32, values + 1), "argument 0 has rank 1");
    refuse(one(kind, type::int32, values - 1), "argument 0 has rank 1");
  }
  refuse(one(atomic_kind::bit_or, type::float32, 1), "atomic bit_or does not take float32");
  refuse(one(static_cast<atomic_kind>(8), type::int32, 1), "atomic operation 8 does not exist");
  image_builder unflagged("k");
  const auto y = unflagged.inout(type::int32);
  unflagged.domain_of(y);
  const auto i = unflagged.id();
  unflagged.node(op::atomic, type::int32, {i, unflagged.load(y, {i})}, y);
  refuse(unflagged, "argument 0 is not flagged as shared");
}

TEST_CASE("rules: an argument of atomic operations is inout and has no other accesses") {
  const auto broken = [](const image_builder& b) {
    const built_image image = b.finish();
    return error_of([&] { ir::check_rules(image.view()); });
  };
  image_builder out("k");
  const auto y = out.out(type::int32);
  out.domain_of(y);
  const auto i = out.id();
  out.atomic(ir::atomic_kind::add, y, {i}, {out.literal(1)});
  CHECK(contains(broken(out), "argument 0, which is not inout"));
  image_builder both("k");
  const auto z = both.inout(type::int32);
  both.domain_of(z);
  const auto j = both.id();
  both.atomic(ir::atomic_kind::add, z, {j}, {both.load(z, {j})});
  CHECK(contains(broken(both), "argument 0 is used by an atomic operation, and read or written without one too"));
}

TEST_CASE("structure: unordered folds have no effects") {
  start b;
  const auto sum = b.fold(fold_kind::sum, b.one, b.i);
  b.store(b.whole, {sum}, sum);
  refuse(b, "(store): it stands in an unordered fold");
  start a;
  const auto together = a.fold(fold_kind::sum, a.one, a.i);
  a.atomic(ir::atomic_kind::add, a.whole, {together}, {together});
  refuse(a, "(atomic): it stands in an unordered fold");
  start c;
  const auto v = c.variable(c.x);
  const auto outer = c.fold(fold_kind::sum, c.one, c.i);
  c.set(v, c.x);
  c.yield(outer, c.x);
  c.end(outer);
  refuse(c, "is set in an unordered fold");
  start d;
  const auto inner = d.fold(fold_kind::sum, d.one, d.i);
  const auto own = d.variable(d.x);
  d.set(own, d.x);
  d.yield(inner, d.get(own));
  d.end(inner);
  const built_image image = d.finish();
  CHECK_NOTHROW(ir::check_structure(image.view()));
}

TEST_CASE("structure: the domain is one, outside regions, known at the launch") {
  image_builder none("k");
  none.literal(1);
  refuse(none, "its domain has rank 0");
  image_builder again("k");
  again.given_domain(1);
  again.given_domain(1);
  refuse(again, "the header names node 1 as the domain");
  image_builder late("k");
  const auto x = late.in(type::int64);
  const auto n = late.extent(x);
  late.domain({late.load(x, {n})});
  refuse(late, "is not known at the launch");
  image_builder inside("k");
  const auto flag = inside.value(type::boolean);
  const auto part = inside.if_(inside.argument(flag));
  inside.given_domain(1);
  inside.end(part);
  refuse(inside, "it stands in a region");
  image_builder few("k");
  few.given_domain(4);
  refuse(few, "its domain has rank 4, which must be 1 to 3");
}

TEST_CASE("structure: the table of arguments") {
  image_builder b("k");
  b.given_domain(1);
  b.parameter(type::none, ir::access::in, 1);
  refuse(b, "argument 0: type 0 does not exist");
  image_builder c("k");
  c.given_domain(1);
  c.parameter(type::int8, static_cast<ir::access>(9), 1);
  refuse(c, "argument 0: access mode 9 does not exist");
  image_builder d("k");
  d.given_domain(1);
  d.parameter(type::int8, ir::access::in, 4);
  refuse(d, "argument 0: rank 4 is too high");
  image_builder e("k");
  e.given_domain(1);
  e.parameter(type::int8, ir::access::in, 1, 8);
  refuse(e, "argument 0: unknown flags 0x8");
  start f;
  f.covers(f.whole, f.one);
  refuse(f, "argument 0: it is inout and has a covering store");
  image_builder g("k");
  const auto y = g.out(type::float64);
  g.domain_of(y);
  g.covers(y, 1);
  refuse(g, "argument 0: node 1 is not a store to it");
}

TEST_CASE("structure: reserved fields and literals") {
  start b;
  b.node(op::negate, type::float64, {b.x}, 3);
  refuse(b, "its reserved attribute is 3 instead of 0");
  start c;
  c.node(op::negate, type::float64, {c.x}, 0, 3);
  refuse(c, "reserved bits are not zero");
  start d;
  d.literal_bits(type::int8, 200);
  refuse(d, "0xc8 is not a value of type int8");
  start e;
  e.literal_bits(type::boolean, 2);
  refuse(e, "is not a value of type boolean");
  image_builder f("");
  f.given_domain(1);
  refuse(f, "the kernel has no name");
  image_builder g("a\nb");
  g.given_domain(1);
  refuse(g, "control character");
  image_builder h("k", 0x80);
  h.given_domain(1);
  refuse(h, "unknown options 0x80");
}

TEST_CASE("structure: rules of the verifier as sentences") {
  image_builder b("k");
  const auto y = b.inout(type::float64);
  b.domain_of(y);
  b.store(y, {b.literal(std::int64_t{0})}, b.literal(1.0));
  const built_image race = b.finish();
  check_error([&] { ir::check_rules(race.view()); }, "work-items write different elements of argument 0");
  image_builder c("k");
  const auto x = c.in(type::float64);
  c.domain_of(x);
  c.store(x, {c.id()}, c.literal(1.0));
  const built_image read_only = c.finish();
  check_error([&] { ir::check_rules(read_only.view()); }, "argument 0 is in (read-only), but is written");
  const built_image good = daxpy_builder().finish();
  CHECK_NOTHROW(ir::check_rules(good.view()));
}

}  // namespace
}  // namespace selvage::test
