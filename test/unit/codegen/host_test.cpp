// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole kernels, compiled for the host and run: accesses, folds, loops, guards, strides.
#include "compiled.hpp"

#include <selvage/error.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <numeric>

namespace {

using namespace selvage;
using test::argument;
using test::host_kernel;
using test::image_builder;
using test::value_of;
using test::view_of;
using op = ir::operation;
using ir::fold_kind;
using type = ir::type;

__extension__ using wide = __int128;
constexpr std::int64_t zero = 0;
constexpr std::int64_t one = 1;

test::built_image daxpy() {
  image_builder b("daxpy");
  const auto y = b.inout(type::float64);
  const auto x = b.in(type::float64);
  const auto a = b.value(type::float64);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.add(b.load(y, {i}), b.multiply(b.argument(a), b.load(x, {i}))));
  return b.finish();
}

std::vector<double> counting(std::size_t n) {
  std::vector<double> v(n);
  std::iota(v.begin(), v.end(), 1.0);
  return v;
}

TEST_CASE("host: daxpy in every variant, in boxes of every size") {
  for (const codegen::variant& v : test::host_variants()) {
    const host_kernel kernel(daxpy(), v);
    for (const std::int64_t n : {1, 2, 7, 64, 1001}) {
      for (const std::int64_t parts : {std::int64_t{1}, std::int64_t{3}, n}) {
        auto y = counting(static_cast<std::size_t>(n));
        auto x = counting(static_cast<std::size_t>(n));
        const auto fault = kernel({view_of(y), view_of(x), value_of(2.0)}, {n}, parts);
        CHECK(fault.claimed == 0);
        for (std::int64_t i = 0; i < n; ++i) REQUIRE(y[static_cast<std::size_t>(i)] == 3.0 * double(i + 1));
      }
    }
  }
}

TEST_CASE("host: an empty domain touches nothing") {
  const host_kernel kernel(daxpy(), {.guarded = false, .contiguous = true});
  const auto fault = kernel({argument{}, argument{}, value_of(2.0)}, {0});
  CHECK(fault.claimed == 0);
}

test::built_image product() {
  image_builder b("matmul");
  const auto c = b.out(type::float64, 2);
  const auto a = b.in(type::float64, 2);
  const auto x = b.in(type::float64, 2);
  b.domain_of(c);
  const auto i = b.id(0);
  const auto j = b.id(1);
  const auto k = b.fold(fold_kind::sum, b.literal(zero), b.extent(a, 1));
  b.yield(k, b.multiply(b.load(a, {i, k}), b.load(x, {k, j})));
  b.covers(c, b.store(c, {i, j}, b.end(k)));
  return b.finish();
}

TEST_CASE("host: matrix product, exact, in every variant") {
  constexpr std::int64_t rows = 5, columns = 19, inner = 11;
  std::vector<double> a(rows * inner), x(inner * columns);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = double(k % 7) - 3;
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = double(k % 5) - 2;
  for (const codegen::variant& v : test::host_variants()) {
    std::vector<double> c(rows * columns, -1);
    const host_kernel kernel(product(), v);
    CHECK(kernel.recipe().steps[0].grid[0].rows[0].a == 1);  // x is the last axis
    kernel({view_of(c, {rows, columns}), view_of(a, {rows, inner}), view_of(x, {inner, columns})}, {rows, columns}, 4);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < inner; ++k)
          sum += a[static_cast<std::size_t>(i * inner + k)] * x[static_cast<std::size_t>(k * columns + j)];
        REQUIRE(c[static_cast<std::size_t>(i * columns + j)] == sum);
      }
    }
  }
}

TEST_CASE("host: strides are obeyed, also negative ones and those of a transposed view") {
  // y reversed, x every other element
  std::vector<double> y(10, 100.0), x = counting(20);
  argument reversed = view_of(y);
  reversed.pointer = &y[9];
  reversed.strides[0] = -1;
  argument every_other = view_of(x);
  every_other.extents[0] = 10;
  every_other.strides[0] = 2;
  const host_kernel kernel(daxpy(), {.guarded = true, .contiguous = false});
  kernel({reversed, every_other, value_of(1.0)}, {10});
  for (std::size_t i = 0; i < 10; ++i) CHECK(y[9 - i] == 100.0 + x[2 * i]);

  std::vector<double> c(6), a = counting(6), identity{1, 0, 0, 1};
  argument transposed = view_of(a, {3, 2});
  transposed.extents = {2, 3, 0};
  transposed.strides = {1, 2, 0};
  const host_kernel product_kernel(product(), {.guarded = false, .contiguous = false});
  argument result = view_of(c, {2, 3});
  product_kernel({result, view_of(identity, {2, 2}), transposed}, {2, 3});
  CHECK(c == std::vector<double>{1, 3, 5, 2, 4, 6});
}

TEST_CASE("host: three axes, the last one fastest") {
  image_builder b("ids");
  const auto r = b.out(type::int64, 3);
  b.domain_of(r);
  const auto i = b.id(0), j = b.id(1), k = b.id(2);
  const auto ten = b.literal<std::int64_t>(10);
  b.covers(r, b.store(r, {i, j, k}, b.add(b.multiply(b.add(b.multiply(i, ten), j), ten), k)));
  const host_kernel kernel(b.finish());
  std::vector<std::int64_t> data(2 * 3 * 4, -1);
  kernel({view_of(data, {2, 3, 4})}, {2, 3, 4}, 2);
  std::size_t at = 0;
  for (std::int64_t x = 0; x < 2; ++x)
    for (std::int64_t y = 0; y < 3; ++y)
      for (std::int64_t z = 0; z < 4; ++z) REQUIRE(data[at++] == 100 * x + 10 * y + z);
}

TEST_CASE("host: a while loop with variables and a condition inside") {
  // steps of the Collatz sequence until 1
  image_builder b("collatz");
  const auto steps = b.out(type::int32);
  const auto start = b.in(type::int64);
  b.domain_of(steps);
  const auto i = b.id();
  const auto n = b.variable(b.load(start, {i}));
  const auto count = b.variable(b.literal<std::int32_t>(0));
  const auto l1 = b.literal(one), l2 = b.literal<std::int64_t>(2), l3 = b.literal<std::int64_t>(3);
  const auto loop = b.while_();
  b.test(loop, b.less(l1, b.get(n)));
  const auto odd = b.if_(b.compare(op::equal, b.binary(op::remainder, b.get(n), l2), l1));
  b.set(n, b.add(b.multiply(b.get(n), l3), l1));
  b.else_(odd);
  b.set(n, b.binary(op::divide, b.get(n), l2));
  b.end(odd);
  b.set(count, b.add(b.get(count), b.literal<std::int32_t>(1)));
  b.end(loop);
  b.covers(steps, b.store(steps, {i}, b.get(count)));
  for (const codegen::variant& v : test::host_variants()) {
    std::vector<std::int64_t> from{1, 2, 3, 6, 7, 9, 27, 97};
    std::vector<std::int32_t> result(from.size());
    host_kernel(b.finish(), v)({view_of(result), view_of(from)}, {8});
    CHECK(result == std::vector<std::int32_t>{0, 1, 7, 8, 16, 19, 111, 118});
  }
}

TEST_CASE("host: a variable without a first value does not see another work-item's") {
  image_builder b("leak");
  const auto r = b.out(type::int32);
  b.domain_of(r);
  const auto i = b.id();
  const auto v = b.variable_of(type::int32);
  b.covers(r, b.store(r, {i}, b.get(v)));
  b.set(v, b.literal<std::int32_t>(7));
  std::vector<std::int32_t> data(9, -1);
  host_kernel(b.finish())({view_of(data)}, {9});
  CHECK(data == std::vector<std::int32_t>(9, 0));
}

/// Counts, with a for_, how often and where it is; sums the visited values by position.
std::pair<std::int64_t, std::int64_t> visits(std::int64_t begin, std::int64_t end, std::int64_t step,
                                             bool literal_step) {
  image_builder b("visits");
  const auto r = b.out(type::int64);
  const auto from = b.value(type::int64), to = b.value(type::int64), by = b.value(type::int64);
  const auto two = b.literal<std::int64_t>(2);
  b.domain({two});
  const auto i = b.id();
  const auto count = b.variable(b.literal(zero)), hash = b.variable(b.literal(zero));
  const auto s = literal_step ? b.literal(step) : b.argument(by);
  const auto loop = b.for_(b.argument(from), b.argument(to), s);
  b.set(count, b.add(b.get(count), b.literal(one)));
  b.set(hash, b.add(b.multiply(b.get(hash), b.literal<std::int64_t>(31)), loop));
  b.end(loop);
  b.store(r, {i}, b.select(b.compare(op::equal, i, b.literal(zero)), b.get(count), b.get(hash)));
  std::vector<std::int64_t> data(2);
  host_kernel(b.finish())({view_of(data), value_of(begin), value_of(end), value_of(step)}, {2});
  return {data[0], data[1]};
}

TEST_CASE("host: for_ visits what meaning.hpp says, at the ends of the range too") {
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  struct range {
    std::int64_t begin, end, step;
  };
  for (const range& r : std::vector<range>{{0, 5, 1},
                                           {0, 0, 1},
                                           {3, -3, 1},
                                           {-2, 7, 3},
                                           {0, 9, 3},
                                           {0, 10, 3},
                                           {5, 6, 100},
                                           {0, 5, 0},
                                           {0, 5, -1},
                                           {greatest - 5, greatest, 1},
                                           {greatest - 5, greatest, 4},
                                           {lowest, lowest + 3, 1},
                                           {lowest, greatest, greatest},
                                           {lowest, greatest, std::int64_t{1} << 61},
                                           {greatest - 1, greatest, greatest}}) {
    std::int64_t count = 0;
    std::uint64_t hash = 0;
    if (r.step > 0) {
      for (wide k = r.begin; k < r.end; k += r.step) {
        ++count;
        hash = hash * 31 + static_cast<std::uint64_t>(k);
      }
    }
    for (const bool literal : {true, false}) {
      INFO("from ", r.begin, " to ", r.end, " by ", r.step, ", literal: ", literal);
      CHECK(visits(r.begin, r.end, r.step, literal) == std::pair(count, static_cast<std::int64_t>(hash)));
    }
  }
}

TEST_CASE("host: choose evaluates one side, and gives its value") {
  // x(i) if i < extent of x, else -1: the load of the side not taken would be out of bounds
  image_builder b("padded");
  const auto r = b.out(type::float32);
  const auto x = b.in(type::float32);
  b.domain_of(r);
  const auto i = b.id();
  const auto c = b.choose(b.less(i, b.extent(x)));
  b.yield(c, b.load(x, {i}));
  b.else_(c);
  b.yield(c, b.literal(-1.0F));
  b.covers(r, b.store(r, {i}, b.end(c)));
  for (const codegen::variant& v : test::host_variants()) {
    std::vector<float> x_data{1, 2, 3}, r_data(40);
    const auto fault = host_kernel(b.finish(), v)({view_of(r_data), view_of(x_data)}, {40});
    CHECK(fault.claimed == 0);
    for (std::size_t k = 0; k < r_data.size(); ++k) CHECK(r_data[k] == (k < 3 ? x_data[k] : -1.0F));
  }
}

TEST_CASE("host: kernels named like functions of the C library, and oddly, run") {
  for (const char* name : {"exp", "memcpy", "main", "__x", "a b<float>", "7", "mov"}) {
    image_builder b(name);
    const auto y = b.inout(type::float64);
    b.domain_of(y);
    const auto i = b.id();
    b.store(y, {i}, b.unary(op::exponential, b.load(y, {i})));
    std::vector<double> data(3);
    host_kernel(b.finish())({view_of(data)}, {3});
    CHECK(data == std::vector<double>(3, 1.0));
  }
}

}  // namespace
