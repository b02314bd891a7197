// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch decides: its domain, affine bounds branch by branch, and whether `out` is covered.
#include <selvage/ir/launch.hpp>

#include "images.hpp"

namespace selvage::test {
namespace {

using ir::launch_argument;

enum class verdict { proved, guarded, refused };

verdict decide(const image_builder& b, const std::vector<launch_argument>& arguments, const ir::extents& domain) {
  const built_image image = b.finish();
  ir::check_structure(image.view());
  try {
    return ir::decide(image.view(), arguments, domain).guarded ? verdict::guarded : verdict::proved;
  } catch (const error& e) {
    CHECK(e.code() == error_code::out_of_bounds);
    return verdict::refused;
  }
}

launch_argument view(std::int64_t n, std::int64_t m = 1, std::int64_t l = 1) { return {{n, m, l}, 0}; }
launch_argument value(std::int64_t v) { return {{}, ir::to_bits(v)}; }

/// y(i) = x(index), over a domain that is given; argument 0 is y, 1 is x, 2 the value `a`.
struct reader : image_builder {
  reader() : image_builder("heat") {
    y = inout(type::float64);
    x = in(type::float64);
    a = image_builder::value(type::int64);
    given_domain(1);
    i = id();
    line = 12;
  }
  index number(std::int64_t v) { return literal(v); }
  void read(index at) { store(y, {i}, load(x, {at})); }
  /// With y and x of n elements and the domain m.
  verdict over(std::int64_t m, std::int64_t n, std::int64_t given_value = 0) const {
    return decide(*this, {view(m), view(n), test::value(given_value)}, {m, 1, 1});
  }
  index y, x, a, i;

 private:
  using image_builder::value;
};

TEST_CASE("launch: the identity is proved, what is beyond is refused") {
  reader b;
  b.read(b.i);
  CHECK(b.over(100, 100) == verdict::proved);
  CHECK(b.over(100, 99) == verdict::refused);
  CHECK(b.over(0, 0) == verdict::proved);
}

TEST_CASE("launch: the sentences") {
  reader b;
  b.read(b.add(b.i, b.number(1)));
  const built_image image = b.finish();
  const std::vector<launch_argument> arguments{view(100), view(100), value(0)};
  check_error([&] { ir::decide(image.view(), arguments, {100, 1, 1}); },
              "kernel 'heat', argument 1: index range [1, 100] of dimension 0 leaves extent 100 (line 12)");

  image_builder c("fill");
  const auto y = c.out(type::float64, 2);
  c.line = 3;
  c.domain({c.extent(y, 0), c.literal(std::int64_t{10})});
  c.covers(y, c.store(y, {c.id(0), c.id(1)}, c.literal(1.0)));
  const built_image fill = c.finish();
  const std::vector<launch_argument> wide{view(5, 20)};
  check_error([&] { ir::decide(fill.view(), wide, {5, 10, 1}); },
              "kernel 'fill', argument 0 is out and not wholly written: its store writes [0, 9] of dimension 1, whose "
              "extent is 20 (line 3); declare it inout");
  CHECK(!ir::decide(fill.view(), std::vector<launch_argument>{view(5, 10)}, {5, 10, 1}).may_fault);
}

TEST_CASE("launch: affine forms with values and extents") {
  reader b;
  b.read(b.add(b.multiply(b.i, b.number(3)), b.argument(b.a)));
  CHECK(b.over(10, 30, 2) == verdict::proved);
  CHECK(b.over(10, 30, 3) == verdict::refused);
  CHECK(b.over(10, 30, -1) == verdict::refused);
  reader c;
  c.read(c.subtract(c.subtract(c.extent(c.x), c.number(1)), c.i));
  CHECK(c.over(10, 10) == verdict::proved);
  CHECK(c.over(11, 10) == verdict::refused);
}

TEST_CASE("launch: a possible wrap is unknown, in the type of the operation") {
  reader b;
  b.read(b.cast(type::int64, b.add(b.cast(type::int8, b.i), b.node(op::literal, type::int8, {}, 0, 100))));
  CHECK(b.over(20, 120) == verdict::proved);
  CHECK(b.over(20, 119) == verdict::refused);
  CHECK(b.over(100, 300) == verdict::guarded);
  reader c;
  c.read(c.multiply(c.i, c.argument(c.a)));
  CHECK(c.over(10, 10, std::int64_t{1} << 62) == verdict::guarded);
  // What wraps is not proved even where it is clamped: the unguarded variant may say that it does not wrap.
  reader d;
  d.read(d.binary(op::maximum, d.binary(op::minimum, d.multiply(d.i, d.argument(d.a)), d.number(9)), d.number(0)));
  CHECK(d.over(10, 10, std::int64_t{1} << 62) == verdict::guarded);
  CHECK(d.over(10, 10, 5) == verdict::proved);
}

TEST_CASE("launch: conditions narrow what stands under them, on both sides") {
  reader b;
  const auto part = b.if_(b.less(b.i, b.number(10)));
  b.read(b.i);
  b.else_(part);
  b.store(b.y, {b.i}, b.load(b.x, {b.subtract(b.i, b.number(10))}));
  b.end(part);
  CHECK(b.over(20, 10) == verdict::proved);
  CHECK(b.over(21, 10) == verdict::guarded);

  reader c;  // the interior of a stencil: i > 0 && i + 1 < extent
  const auto inside = c.node(op::logical_and, type::boolean,
                             {c.less(c.number(0), c.i), c.less(c.add(c.i, c.number(1)), c.extent(c.x))});
  const auto part_c = c.if_(inside);
  c.read(c.add(c.i, c.number(1)));
  c.read(c.subtract(c.i, c.number(1)));
  c.end(part_c);
  CHECK(c.over(100, 100) == verdict::proved);
  CHECK(c.over(1, 1) == verdict::proved);
  CHECK(c.over(100, 50) == verdict::proved);

  reader d;  // the narrowed value was computed before the condition
  const auto next = d.add(d.i, d.number(1));
  const auto part_d = d.if_(d.less(d.i, d.subtract(d.extent(d.x), d.number(1))));
  d.read(next);
  d.end(part_d);
  CHECK(d.over(100, 100) == verdict::proved);

  reader e;  // outside the region nothing is narrowed
  const auto part_e = e.if_(e.less(e.i, e.number(5)));
  e.end(part_e);
  e.read(e.i);
  CHECK(e.over(10, 5) == verdict::refused);

  reader f;
  const auto part_f = f.if_(f.compare(op::equal, f.i, f.argument(f.a)));
  f.read(f.i);
  f.end(part_f);
  CHECK(f.over(100, 8, 7) == verdict::proved);
  CHECK(f.over(100, 8, 8) == verdict::guarded);
  CHECK(f.over(100, 8, 100) == verdict::proved);  // never reached
}

TEST_CASE("launch: `||` on its false side, `!`, and && through a choose") {
  reader b;
  const auto out =
      b.node(op::logical_or, type::boolean,
             {b.less(b.i, b.number(2)), b.node(op::logical_not, type::boolean, {b.less(b.i, b.number(8))})});
  const auto part = b.if_(out);
  b.else_(part);
  b.read(b.subtract(b.i, b.number(2)));
  b.end(part);
  CHECK(b.over(100, 6) == verdict::proved);
  CHECK(b.over(100, 5) == verdict::guarded);

  reader c;  // i > 0 && x(i - 1) > 0, then x(i - 1) again
  const auto positive = c.choose(c.less(c.number(0), c.i));
  c.yield(positive, c.less(c.literal(0.0), c.load(c.x, {c.subtract(c.i, c.number(1))})));
  c.else_(positive);
  c.yield(positive, c.literal(false));
  const auto both = c.end(positive);
  const auto part_c = c.if_(both);
  c.read(c.subtract(c.i, c.number(1)));
  c.end(part_c);
  CHECK(c.over(10, 9) == verdict::proved);
  CHECK(c.over(10, 8) == verdict::guarded);
}

TEST_CASE("launch: select evaluates each side under its condition") {
  reader b;
  b.read(b.select(b.less(b.number(0), b.i), b.subtract(b.i, b.number(1)), b.number(0)));
  CHECK(b.over(10, 9) == verdict::proved);
  CHECK(b.over(10, 8) == verdict::guarded);
}

TEST_CASE("launch: loops that surely run are unconditional, others are not") {
  reader b;
  const auto loop = b.for_(b.number(0), b.argument(b.a), b.number(1));
  b.read(b.add(b.i, loop));
  b.end(loop);
  CHECK(b.over(10, 14, 5) == verdict::proved);
  CHECK(b.over(10, 13, 5) == verdict::refused);
  CHECK(b.over(10, 1, 0) == verdict::proved);
  CHECK(b.over(10, 1, -3) == verdict::proved);

  reader c;  // a triangle: inside for some work-items, outside for others, without body for the first
  const auto triangle = c.for_(c.number(0), c.i, c.number(1));
  c.read(triangle);
  c.end(triangle);
  CHECK(c.over(10, 9) == verdict::proved);
  CHECK(c.over(10, 8) == verdict::guarded);

  reader d;  // i and a loop that depends on i are not independent: i - k is never as low as both ends say
  const auto lower = d.for_(d.number(0), d.add(d.i, d.number(1)), d.number(1));
  d.read(d.subtract(d.i, lower));
  d.end(lower);
  CHECK(d.over(10, 10) == verdict::guarded);

  reader e;  // steps: the last is 9, not 10
  const auto steps = e.for_(e.number(0), e.number(11), e.number(3));
  e.read(steps);
  e.end(steps);
  CHECK(e.over(1, 10) == verdict::proved);
  CHECK(e.over(1, 9) == verdict::refused);
}

TEST_CASE("launch: no item has both, so nothing is refused") {
  reader b;  // i - i is 0, but its interval is not
  b.read(b.subtract(b.i, b.i));
  CHECK(b.over(10, 10) == verdict::guarded);
  reader c;
  const auto part = c.if_(c.less(c.number(50), c.i));
  c.read(c.number(1000));
  c.end(part);
  CHECK(c.over(100, 100) == verdict::guarded);
  CHECK(c.over(51, 100) == verdict::proved);
}

TEST_CASE("launch: clamps, remainders and masks are proved") {
  reader b;
  b.read(b.binary(op::remainder, b.i, b.number(7)));
  CHECK(b.over(100, 7) == verdict::proved);
  CHECK(b.over(100, 6) == verdict::refused);
  CHECK(b.over(5, 5) == verdict::proved);
  reader c;
  c.read(c.binary(op::bit_and, c.i, c.number(15)));
  CHECK(c.over(100, 16) == verdict::proved);
  reader d;
  d.read(d.binary(op::minimum, d.i, d.subtract(d.extent(d.x), d.number(1))));
  CHECK(d.over(100, 10) == verdict::proved);
  reader e;
  e.read(e.binary(op::shift_right, e.i, e.number(2)));
  CHECK(e.over(100, 25) == verdict::proved);
  CHECK(e.over(101, 25) == verdict::refused);
  reader f;
  f.read(f.cast(type::int64, f.cast(type::float64, f.argument(f.a))));
  CHECK(f.over(1, 10, 9) == verdict::proved);
  CHECK(f.over(1, 10, 10) == verdict::refused);
}

TEST_CASE("launch: data-dependent accesses are guarded on their own") {
  image_builder b("gather");
  const auto y = b.inout(type::float64);
  const auto idx = b.in(type::int64);
  b.domain_of(y);
  const auto i = b.id();
  b.load(y, {b.load(idx, {i})});
  const built_image image = b.finish();
  const auto d = ir::decide(image.view(), std::vector<launch_argument>{view(10), view(10)}, {10, 1, 1});
  CHECK(!d.guarded);
  CHECK(d.may_fault);
}

/// out(i, k) in a loop over k below `a`, in a condition with the same store on its other side if `both`.
image_builder rows(bool both) {
  image_builder b("rows");
  const auto c = b.out(type::int64, 2);
  const auto a = b.value(type::int64);
  b.domain({b.extent(c, 0)});
  const auto i = b.id();
  const auto zero = b.literal(std::int64_t{0});
  const auto one = b.literal(std::int64_t{1});
  const auto loop = b.for_(zero, b.argument(a), one);
  if (both) {
    const auto part = b.if_(b.less(loop, one));
    b.covers(c, b.store(c, {i, loop}, zero));
    b.else_(part);
    b.store(c, {i, loop}, one);
    b.end(part);
  } else {
    b.covers(c, b.store(c, {i, loop}, zero));
  }
  b.end(loop);
  return b;
}

TEST_CASE("launch: out is covered by ids and loops together") {
  for (const bool both : {false, true}) {
    const built_image image = rows(both).finish();
    const auto over = [&](std::int64_t n, std::int64_t m, std::int64_t a) {
      const std::vector<launch_argument> arguments{view(n, m), value(a)};
      return error_of([&] { ir::decide(image.view(), arguments, {n, 1, 1}); });
    };
    CHECK(over(4, 6, 6).empty());
    CHECK(contains(over(4, 6, 5), "its store writes [0, 4] of dimension 1, whose extent is 6"));
    CHECK(contains(over(4, 6, 0), "stands in a loop that may be left out"));
    CHECK(contains(over(4, 1, 0), "stands in a loop that may be left out"));
    CHECK(over(4, 0, 0).empty());
  }
  image_builder diagonal("diagonal");
  const auto c = diagonal.out(type::int64, 2);
  diagonal.domain({diagonal.extent(c, 0)});
  const auto i = diagonal.id();
  diagonal.covers(c, diagonal.store(c, {i, i}, i));
  const built_image image = diagonal.finish();
  check_error([&] { ir::decide(image.view(), std::vector<launch_argument>{view(4, 4)}, {4, 1, 1}); },
              "it cannot be seen");
  image_builder even("even");
  const auto e = even.out(type::int64);
  even.given_domain(1);
  even.covers(e,
              even.store(e, {even.multiply(even.id(), even.literal(std::int64_t{2}))}, even.literal(std::int64_t{2})));
  const built_image evens = even.finish();
  check_error([&] { ir::decide(evens.view(), std::vector<launch_argument>{view(7)}, {4, 1, 1}); }, "it cannot be seen");
}

TEST_CASE("launch: domain_of") {
  image_builder b("k");
  const auto x = b.in(type::float64, 2);
  const auto a = b.value(type::int64);
  b.line = 5;
  const auto n = b.subtract(b.extent(x, 1), b.argument(a));
  const auto m = b.extent(x, 0);
  b.domain({n, m});
  const built_image image = b.finish();
  const auto of = [&](std::int64_t v, std::optional<ir::extents> given = std::nullopt) {
    return ir::domain_of(image.view(), std::vector<launch_argument>{view(3, 10), value(v)}, given);
  };
  CHECK(of(2) == ir::extents{8, 3, 1});
  CHECK(of(10) == ir::extents{0, 3, 1});
  check_error([&] { of(11); }, "kernel 'k': extent 0 of the domain is -1, it must not be negative (line 5)");
  check_error([&] { of(-(std::int64_t{1} << 47) + 9); }, "more than 2^47");
  check_error([&] { of(2, ir::extents{1, 1, 1}); }, "takes its domain from its arguments (line 5)");
  CHECK(ir::launch_value(image.view(), n, std::vector<launch_argument>{view(3, 10), value(4)}) == 6);

  image_builder c("free");
  c.given_domain(2);
  const auto i = c.id();
  const built_image given = c.finish();
  CHECK(ir::domain_of(given.view(), {}, ir::extents{4, 5, 9}) == ir::extents{4, 5, 1});
  check_error([&] { ir::domain_of(given.view(), {}, std::nullopt); }, "give one of rank 2 with .over(...)");
  check_error([&] { ir::domain_of(given.view(), {}, ir::extents{-1, 5, 9}); }, "extent 0 of the domain is -1");
  CHECK(!ir::launch_value(given.view(), i, {}));
}

}  // namespace
}  // namespace selvage::test
