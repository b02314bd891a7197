// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards: what a failed access records, and that it, and what comes after it in its work-item, does not happen.
#include "compiled.hpp"

#include <doctest/doctest.h>

namespace {

using namespace selvage;
using test::host_kernel;
using test::image_builder;
using test::view_of;
using type = ir::type;

constexpr codegen::variant unguarded{.guarded = false, .contiguous = true, .wide_grid = false, .contract = false};

struct gather {
  image_builder b{"gather"};
  std::uint32_t y = b.inout(type::int32), x = b.in(type::int32), column = b.in(type::int64);
  std::uint32_t load = 0;
  gather() {
    b.domain_of(y);
    const auto i = b.id();
    const auto at = b.load(column, {i});
    load = b.load(x, {at});
    b.store(y, {i}, load);
  }
};

TEST_CASE("guard: a gather with a bad column records it, skips it, and does the rest") {
  const gather g;
  for (const codegen::variant& v : test::host_variants()) {
    const host_kernel kernel(g.b.finish(), v);
    for (const std::int64_t bad : {std::int64_t{4}, std::int64_t{-1}, std::int64_t{1} << 62, std::int64_t{1} << 63}) {
      std::vector<std::int32_t> y(100, -7), x{10, 11, 12, 13};
      std::vector<std::int64_t> column(100, 3);
      column[0] = 0;
      column[57] = bad;
      const ir::fault_record fault = kernel({view_of(y), view_of(x), view_of(column)}, {100}, 3);
      CHECK(fault.claimed == 1);
      CHECK(fault.node == g.load);
      CHECK(fault.parameter == g.x);
      CHECK(fault.dimension == 0);
      CHECK(fault.index == bad);
      CHECK(fault.extent == 4);
      CHECK(fault.id[0] == 57);
      CHECK(fault.id[1] == 0);
      for (std::size_t k = 0; k < 100; ++k) CHECK(y[k] == (k == 57 ? -7 : k == 0 ? 10 : 13));
    }
  }
}

TEST_CASE("guard: no fault, no record") {
  const gather g;
  std::vector<std::int32_t> y(5), x{10, 11};
  std::vector<std::int64_t> column{1, 0, 1, 0, 1};
  CHECK(host_kernel(g.b.finish())({view_of(y), view_of(x), view_of(column)}, {5}).claimed == 0);
  CHECK(y == std::vector<std::int32_t>{11, 10, 11, 10, 11});
}

TEST_CASE("guard: of many failures on many threads one is recorded, whole") {
  const gather g;
  const host_kernel kernel(g.b.finish(), unguarded);
  constexpr std::int64_t n = 1000;
  std::vector<std::int32_t> y(n, -7), x{10};
  std::vector<std::int64_t> column(n);
  for (std::int64_t k = 0; k < n; ++k) column[static_cast<std::size_t>(k)] = 100 + k;
  // One record for all threads, as in a launch.
  const ir::fault_record fault = kernel.on_threads({view_of(y), view_of(x), view_of(column)}, n, 4);
  CHECK(fault.claimed == 1);
  CHECK(fault.index == 100 + fault.id[0]);
  CHECK(y == std::vector<std::int32_t>(n, -7));
}

TEST_CASE("guard: a launch-decidable access is guarded in the guarded variant, coordinate by coordinate") {
  // r(i, j) = x(i + 1, j - 1)
  image_builder b("shift");
  const auto r = b.inout(type::float64, 2), x = b.in(type::float64, 2);
  b.domain_of(r);
  const auto i = b.id(0), j = b.id(1), one = b.literal<std::int64_t>(1);
  const auto load = b.load(x, {b.add(i, one), b.subtract(j, one)});
  b.store(r, {i, j}, load);
  const host_kernel kernel(b.finish(), {.guarded = true, .contiguous = true});
  std::vector<double> data(12, -1), source(12);
  for (std::size_t k = 0; k < 12; ++k) source[k] = double(k);
  const ir::fault_record fault = kernel({view_of(data, {3, 4}), view_of(source, {3, 4})}, {3, 4});
  CHECK(fault.claimed == 1);
  CHECK(fault.node == load);
  CHECK(fault.parameter == x);
  // the first in order is (0, 0): its row 1 is inside, its column -1 is not; a flat index would have been inside
  CHECK(fault.dimension == 1);
  CHECK(fault.index == -1);
  CHECK(fault.extent == 4);
  CHECK(fault.id[0] == 0);
  CHECK(fault.id[1] == 0);
  CHECK(data == std::vector<double>{-1, 4, 5, 6, -1, 8, 9, 10, -1, -1, -1, -1});
}

TEST_CASE("guard: the first coordinate outside is the one recorded") {
  image_builder b("corner");
  const auto r = b.inout(type::float64, 1), x = b.in(type::float64, 3);
  b.domain_of(r);
  const auto i = b.id(0);
  const auto at = [&](std::int64_t k) { return b.add(i, b.literal(k)); };
  b.store(r, {i}, b.load(x, {at(0), at(7), at(9)}));
  std::vector<double> data(1, -1), source(8);
  const ir::fault_record fault = host_kernel(b.finish())({view_of(data), view_of(source, {2, 2, 2})}, {1});
  CHECK(fault.dimension == 1);
  CHECK(fault.index == 7);
}

TEST_CASE("guard: a failure inside loops leaves them, and nothing after it happens") {
  // for k < 10: y(i) += x(c(k)); then z(i) = 1
  image_builder b("nested");
  const auto y = b.inout(type::int32), z = b.inout(type::int32), x = b.in(type::int32), c = b.in(type::int64);
  b.domain_of(y);
  const auto i = b.id();
  const auto zero = b.literal<std::int64_t>(0), ten = b.literal<std::int64_t>(10), one = b.literal<std::int64_t>(1);
  const auto outer = b.for_(zero, b.literal<std::int64_t>(3), one);
  const auto k = b.for_(zero, ten, one);
  b.store(y, {i}, b.add(b.load(y, {i}), b.load(x, {b.add(b.load(c, {k}), i)})));
  b.end(k);
  b.end(outer);
  b.store(z, {i}, b.literal<std::int32_t>(1));
  for (const codegen::variant& v : test::host_variants()) {
    std::vector<std::int32_t> y_data(3), z_data(3), x_data(12, 1);
    std::vector<std::int64_t> c_data{0, 1, 2, 3, 4, 10, 5, 6, 7, 8};
    const ir::fault_record fault =
        host_kernel(b.finish(), v)({view_of(y_data), view_of(z_data), view_of(x_data), view_of(c_data)}, {3});
    CHECK(fault.index == 12);
    CHECK(fault.id[0] == 2);
    CHECK(y_data == std::vector<std::int32_t>{30, 30, 5});
    CHECK(z_data == std::vector<std::int32_t>{1, 1, 0});
  }
}

TEST_CASE("guard: a store through a data-dependent index") {
  image_builder b("scatter");
  const auto y = b.inout(type::boolean), c = b.in(type::int32);
  b.domain_of(c);
  const auto i = b.id();
  const auto store = b.store(y, {b.cast(type::int64, b.load(c, {i}))}, b.literal(true));
  std::vector<char> y_data(4);
  std::vector<std::int32_t> c_data{1, 3, 4};
  const ir::fault_record fault = host_kernel(b.finish(), unguarded)({view_of(y_data), view_of(c_data)}, {3});
  CHECK(fault.claimed == 1);
  CHECK(fault.node == store);
  CHECK(fault.parameter == y);
  CHECK(y_data == std::vector<char>{0, 1, 0, 1});
}

TEST_CASE("guard: a scalar view has nothing to guard") {
  image_builder b("scalar");
  const auto y = b.inout(type::int64), s = b.in(type::int64, 0);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.add(b.load(s, {}), i));
  std::vector<std::int64_t> y_data(3), s_data{40};
  CHECK(host_kernel(b.finish())({view_of(y_data), view_of(s_data, {})}, {3}).claimed == 0);
  CHECK(y_data == std::vector<std::int64_t>{40, 41, 42});
}

}  // namespace
