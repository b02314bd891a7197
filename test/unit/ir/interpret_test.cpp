// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter computes what the image says, and finds every wrong access.
#include "images.hpp"

#include <cmath>

namespace selvage::test {
namespace {

using ir::problem_kind;

ir::interpretation run(const image_builder& b, const std::vector<ir::host_argument>& arguments, ir::extents domain,
                       const ir::interpret_options& options = {}) {
  const built_image image = b.finish();
  ir::check_structure(image.view());
  return ir::interpret(image.view(), arguments, domain, options);
}

/// A kernel over n elements that stores `make(b, i)` in the `out` argument 0 of type T.
template <class T, class Make>
std::vector<T> map(std::int64_t n, Make make, std::vector<ir::host_argument> more = {}) {
  image_builder b("map");
  const auto y = b.out(ir::type_of<T>());
  for (const ir::host_argument& a : more)
    b.parameter(type::int64, a.data == nullptr ? ir::access::value : ir::access::in, a.data == nullptr ? 0 : 1);
  b.domain_of(y);
  const auto i = b.id();
  b.covers(y, b.store(y, {i}, make(b, i)));
  std::vector<T> out(static_cast<std::size_t>(n));
  more.insert(more.begin(), view_of(out));
  const ir::interpretation r = run(b, more, {n, 1, 1});
  INFO((r.found ? r.found->sentence : ""));
  CHECK(r.clean());
  return out;
}

TEST_CASE("interpret: daxpy") {
  std::vector<double> y{1, 2, 3};
  std::vector<double> x{10, 20, 30};
  const auto r = run(daxpy_builder(), {view_of(y), view_of(x), value_of(0.5)}, {3, 1, 1});
  CHECK(r.clean());
  CHECK(y == std::vector<double>{6, 12, 18});
}

TEST_CASE("interpret: strides, also negative ones, and rank 2") {
  image_builder b("transpose");
  const auto c = b.out(type::int32, 2);
  const auto a = b.in(type::int32, 2);
  b.domain_of(c);
  const auto i = b.id(0);
  const auto j = b.id(1);
  b.covers(c, b.store(c, {i, j}, b.load(a, {j, i})));
  std::vector<std::int32_t> in{1, 2, 3, 4, 5, 6};
  std::vector<std::int32_t> out(12, -1);
  ir::host_argument to = view_of(out, {3, 2});
  to.data = out.data() + 11;
  to.strides = {-4, -2, 0};
  CHECK(run(b, {to, view_of(in, {2, 3})}, {3, 2, 1}).clean());
  CHECK(out == std::vector<std::int32_t>{-1, 6, -1, 3, -1, 5, -1, 2, -1, 4, -1, 1});
}

TEST_CASE("interpret: loops, conditions, variables") {
  // Sum of the odd numbers below i, by a for_ with an if_ in it; then the Collatz steps of i + 1.
  const auto odd = map<std::int64_t>(10, [](image_builder& b, auto i) {
    const auto v = b.variable(b.literal(std::int64_t{0}));
    const auto loop = b.for_(b.literal(std::int64_t{0}), i, b.literal(std::int64_t{1}));
    const auto part = b.if_(
        b.compare(op::equal, b.binary(op::remainder, loop, b.literal(std::int64_t{2})), b.literal(std::int64_t{1})));
    b.set(v, b.add(b.get(v), loop));
    b.else_(part);
    b.end(part);
    b.end(loop);
    return b.get(v);
  });
  CHECK(odd == std::vector<std::int64_t>{0, 0, 1, 1, 4, 4, 9, 9, 16, 16});

  const auto steps = map<std::int64_t>(7, [](image_builder& b, auto i) {
    const auto one = b.literal(std::int64_t{1});
    const auto two = b.literal(std::int64_t{2});
    const auto n = b.variable(b.add(i, one));
    const auto count = b.variable(b.literal(std::int64_t{0}));
    const auto loop = b.while_();
    b.test(loop, b.compare(op::not_equal, b.get(n), one));
    const auto half =
        b.choose(b.compare(op::equal, b.binary(op::remainder, b.get(n), two), b.literal(std::int64_t{0})));
    b.yield(half, b.binary(op::divide, b.get(n), two));
    b.else_(half);
    b.yield(half, b.add(b.multiply(b.get(n), b.literal(std::int64_t{3})), one));
    b.set(n, b.end(half));
    b.set(count, b.add(b.get(count), one));
    b.end(loop);
    return b.get(count);
  });
  CHECK(steps == std::vector<std::int64_t>{0, 1, 7, 2, 5, 8, 16});
}

TEST_CASE("interpret: folds of every kind, and over nothing") {
  const auto fold = [](ir::fold_kind kind, auto yielded) {
    return [kind, yielded](image_builder& b, auto i) {
      const auto f = b.fold(kind, b.literal(std::int64_t{1}), i);
      b.yield(f, yielded(b, f));
      return b.end(f);
    };
  };
  const auto itself = [](image_builder&, auto k) { return k; };
  CHECK(map<std::int64_t>(5, fold(ir::fold_kind::sum, itself)) == std::vector<std::int64_t>{0, 0, 1, 3, 6});
  CHECK(map<std::int64_t>(5, fold(ir::fold_kind::product, itself)) == std::vector<std::int64_t>{1, 1, 1, 2, 6});
  CHECK(map<std::int64_t>(4, fold(ir::fold_kind::maximum, itself)) ==
        std::vector<std::int64_t>{INT64_MIN, INT64_MIN, 1, 2});
  CHECK(map<std::int64_t>(4, fold(ir::fold_kind::minimum, itself)) ==
        std::vector<std::int64_t>{INT64_MAX, INT64_MAX, 1, 1});
}

TEST_CASE("interpret: boolean folds and memory") {
  image_builder b("k");
  const auto y = b.out(type::boolean);
  const auto x = b.in(type::boolean);
  b.domain_of(y);
  const auto i = b.id();
  const auto any = b.fold(ir::fold_kind::any, b.literal(std::int64_t{0}), i);
  b.yield(any, b.load(x, {any}));
  b.covers(y, b.store(y, {i}, b.end(any)));
  std::vector<unsigned char> in{0, 7, 0, 0};  // any byte but 0 is true
  std::vector<unsigned char> out(4, 9);
  CHECK(run(b, {view_of(out), view_of(in)}, {4, 1, 1}).clean());
  CHECK(out == std::vector<unsigned char>{0, 0, 1, 1});
}

TEST_CASE("interpret: an ordered fold sees what came before") {
  const auto digits = map<std::int64_t>(4, [](image_builder& b, auto i) {
    const auto f =
        b.ordered_fold(b.literal(std::int64_t{1}), b.add(i, b.literal(std::int64_t{1})), b.literal(std::int64_t{7}));
    const auto so_far = b.accumulator(f);
    b.yield(f, b.add(b.multiply(so_far, b.literal(std::int64_t{10})), f));
    return b.end(f);
  });
  CHECK(digits == std::vector<std::int64_t>{7, 71, 712, 7123});
}

TEST_CASE("interpret: an unguarded index outside is a problem, a guarded one a fault") {
  image_builder b("shift");
  const auto y = b.inout(type::float64);
  const auto x = b.in(type::float64);
  b.domain_of(y);
  const auto i = b.id();
  b.line = 12;
  b.store(y, {i}, b.load(x, {b.add(i, b.literal(std::int64_t{1}))}));
  std::vector<double> out{1, 2, 3};
  std::vector<double> in{4, 5, 6};
  const auto r = run(b, {view_of(out), view_of(in)}, {3, 1, 1});
  REQUIRE(r.found);
  CHECK(r.found->kind == problem_kind::outside);
  CHECK(r.found->parameter == 1);
  CHECK(r.found->item == ir::extents{2, 0, 0});
  CHECK(r.found->sentence ==
        "kernel 'shift', argument 1, element [3]: index 3 of dimension 0 is outside extent 3, "
        "work-item (2) at node 5 (line 12)");
  const auto guarded = run(b, {view_of(out), view_of(in)}, {3, 1, 1}, {.guarded = true});
  CHECK(!guarded.found);
  REQUIRE(guarded.faults.size() == 1);
  CHECK(guarded.faults[0].parameter == 1);
  CHECK(guarded.faults[0].index == 3);
  CHECK(guarded.faults[0].extent == 3);
  CHECK(guarded.faults[0].id[0] == 2);
  CHECK(out == std::vector<double>{5, 6, 3});
}

TEST_CASE("interpret: a data-dependent index is always guarded, and its work-item ends") {
  image_builder b("gather");
  const auto y = b.inout(type::int64);
  const auto idx = b.in(type::int64);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.literal(std::int64_t{5}));
  b.store(y, {i}, b.load(y, {b.load(idx, {i})}));
  std::vector<std::int64_t> out{0, 0, 0};
  std::vector<std::int64_t> index{0, -1, 2};
  const auto r = run(b, {view_of(out), view_of(index)}, {3, 1, 1});
  CHECK(!r.found);
  REQUIRE(r.faults.size() == 1);
  CHECK(r.faults[0].index == -1);
  CHECK(out == std::vector<std::int64_t>{5, 5, 5});
}

TEST_CASE("interpret: races of all kinds are found, in every order") {
  const auto kernel = [](auto body) {
    image_builder b("race");
    const auto y = b.inout(type::int64);
    b.domain_of(y);
    body(b, y, b.id());
    return b;
  };
  const auto zero_store = kernel([](image_builder& b, auto y, auto i) { b.store(y, {b.literal(std::int64_t{0})}, i); });
  const auto read_neighbour = kernel([](image_builder& b, auto y, auto i) {
    const auto j = b.binary(op::maximum, b.subtract(i, b.literal(std::int64_t{1})), b.literal(std::int64_t{0}));
    b.store(y, {i}, b.load(y, {j}));
  });
  for (const ir::item_order order : {ir::item_order::forward, ir::item_order::reverse, ir::item_order::shuffled}) {
    std::vector<std::int64_t> out(5);
    const auto a = run(zero_store, {view_of(out)}, {5, 1, 1}, {.order = order});
    REQUIRE(a.found);
    CHECK(a.found->kind == problem_kind::race);
    const auto b = run(read_neighbour, {view_of(out)}, {5, 1, 1}, {.order = order});
    REQUIRE(b.found);
    CHECK(b.found->kind == problem_kind::race);
    CHECK(run(zero_store, {view_of(out)}, {5, 1, 1}, {.races = false, .order = order}).clean());
  }
  const auto r = [&] {
    std::vector<std::int64_t> out(5);
    return run(zero_store, {view_of(out)}, {5, 1, 1});
  }();
  CHECK(contains(r.found->sentence, "data race: an element is written that work-item (0) has touched, work-item (1)"));
}

TEST_CASE("interpret: many may read what nobody writes") {
  image_builder b("k");
  const auto y = b.inout(type::int64);
  const auto z = b.inout(type::int64);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.load(z, {b.literal(std::int64_t{0})}));
  std::vector<std::int64_t> out(3);
  std::vector<std::int64_t> in{9};
  CHECK(run(b, {view_of(out), view_of(in)}, {3, 1, 1}).clean());
  CHECK(out == std::vector<std::int64_t>{9, 9, 9});
}

TEST_CASE("interpret: reading what is not written, writing what is read-only") {
  image_builder b("k");
  const auto y = b.out(type::int64);
  b.domain_of(y);
  b.store(y, {b.id()}, b.load(y, {b.id()}));
  std::vector<std::int64_t> out(3);
  CHECK(run(b, {view_of(out)}, {3, 1, 1}).found.value().kind == problem_kind::unwritten);

  image_builder c("k");
  const auto x = c.in(type::int64);
  c.domain_of(x);
  c.store(x, {c.id()}, c.id());
  CHECK(run(c, {view_of(out)}, {3, 1, 1}).found.value().kind == problem_kind::read_only);

  image_builder d("k");
  const auto z = d.out(type::int64);
  d.domain_of(z);
  d.get(d.variable_of(type::int32));
  CHECK(run(d, {view_of(out)}, {3, 1, 1}).found.value().kind == problem_kind::unassigned_variable);

  image_builder e("k");
  const auto w = e.out(type::int64);
  e.given_domain(1);
  e.store(w, {e.id()}, e.id());
  const auto r = run(e, {view_of(out)}, {2, 1, 1});
  REQUIRE(r.found);
  CHECK(r.found->kind == problem_kind::not_covered);
  CHECK(r.found->sentence == "kernel 'k', argument 0 is out, but its element [2] is never written: declare it inout");
  CHECK(run(e, {view_of(out)}, {0, 1, 1}).clean());
}

TEST_CASE("interpret: a variable declared in a loop is new in every round") {
  image_builder b("k");
  const auto y = b.inout(type::int64);
  b.domain_of(y);
  const auto zero = b.literal(std::int64_t{0});
  const auto one = b.literal(std::int64_t{1});
  const auto loop = b.for_(zero, b.literal(std::int64_t{2}), one);
  const auto v = b.variable_of(type::int64);
  const auto part = b.if_(b.compare(op::equal, loop, zero));
  b.set(v, one);
  b.end(part);
  b.get(v);
  b.end(loop);
  std::vector<std::int64_t> out(1);
  CHECK(run(b, {view_of(out)}, {1, 1, 1}).found.value().kind == problem_kind::unassigned_variable);
}

TEST_CASE("interpret: a loop without end meets the limit, a trace sees all values") {
  image_builder b("k");
  const auto y = b.inout(type::int64);
  b.domain_of(y);
  const auto loop = b.while_();
  b.test(loop, b.literal(true));
  b.end(loop);
  std::vector<std::int64_t> out(1);
  const auto r = run(b, {view_of(out)}, {1, 1, 1}, {.step_limit = 1000});
  REQUIRE(r.found);
  CHECK(r.found->kind == problem_kind::too_many_steps);

  std::vector<double> d{1.0};
  std::vector<double> x{2.0};
  std::vector<std::uint32_t> nodes;
  ir::interpret_options options;
  options.trace = [&](const ir::extents&, std::uint32_t node, std::uint64_t) { nodes.push_back(node); };
  run(daxpy_builder(), {view_of(d), view_of(x), value_of(1.0)}, {1, 1, 1}, options);
  CHECK(nodes == std::vector<std::uint32_t>{0, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("interpret: the number of arguments must agree") {
  const built_image image = daxpy_builder().finish();
  check_error([&] { ir::interpret(image.view(), {}, {1, 1, 1}); }, "kernel 'daxpy' has 3 arguments, not 0");
}

}  // namespace
}  // namespace selvage::test
