// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations: what is left when all work-items are through does not depend on their order.
#include <selvage/selvage.hpp>

#include <device_fixture.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

namespace sv = selvage;

namespace {

constexpr auto histogram = sv::kernel<"histogram">([](sv::inout<std::uint64_t> counts, sv::in<std::int64_t> bins) {
  auto i = sv::global_id(bins);
  sv::atomic_add(counts(bins(i)), 1);
});

/// Every operation on one element each, many work-items an element.
template <class T>
constexpr auto every = sv::kernel<"every">([](sv::inout<T, 2> y, sv::in<T> x) {
  auto i = sv::global_id(x);
  auto j = i % y.extent(1);
  sv::atomic_add(y(0, j), x(i));
  sv::atomic_min(y(1, j), x(i));
  sv::atomic_max(y(2, j), x(i));
  if constexpr (std::is_integral_v<T>) {
    sv::atomic_and(y(3, j), x(i));
    sv::atomic_or(y(4, j), x(i));
    sv::atomic_xor(y(5, j), x(i));
  }
});

template <class T>
T combined(int row, T a, T b) {
  switch (row) {
    case 0:
      if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
      else
        return a + b;
    case 1:
      return a < b || std::isnan(static_cast<double>(b)) ? a : b;
    case 2:
      return a > b || std::isnan(static_cast<double>(b)) ? a : b;
    default:
      if constexpr (std::is_integral_v<T>)
        return row == 3 ? static_cast<T>(a & b) : row == 4 ? static_cast<T>(a | b) : static_cast<T>(a ^ b);
      else
        return a;
  }
}

template <class T>
void check_every(const sv::device& device) {
  constexpr std::int64_t n = 20000, columns = 7;
  std::mt19937_64 random(3);
  sv::buffer<T> x(n);
  sv::buffer<T, 2> y(6, columns);
  for (T& v : x.write()) {
    if constexpr (std::is_integral_v<T>)
      v = static_cast<T>(random());
    else  // sums of these are exact in every order
      v = static_cast<T>(static_cast<int>(random() % 2001) - 1000) / 8;
  }
  if constexpr (std::is_floating_point_v<T>)
    for (int k = 0; k < 100; ++k) x.read_write()[static_cast<std::size_t>(k * 100)] = static_cast<T>(-125 - k);
  std::ranges::fill(y.write(), T{0});
  for (std::int64_t j = 0; j < columns; ++j) y.read_write()[static_cast<std::size_t>(3 * columns + j)] = static_cast<T>(-1);
  std::vector<T> expected(y.read().begin(), y.read().end());
  const auto values = x.read();
  for (std::int64_t i = 0; i < n; ++i)
    for (int row = 0; row < 6; ++row) {
      T& e = expected[static_cast<std::size_t>(row * columns + i % columns)];
      e = combined(row, e, values[static_cast<std::size_t>(i)]);
    }
  every<T>.on(device)(y, x);
  CHECK(std::ranges::equal(y.read(), expected));
}

constexpr auto tickets = sv::kernel<"tickets">([](sv::inout<int> next, sv::inout<int> mine) {
  auto i = sv::global_id(mine);
  mine(i) = sv::atomic_add(next(0), 1);
});

constexpr auto chain = sv::kernel<"chain">([](sv::inout<std::uint32_t> last, sv::inout<std::uint32_t> before) {
  auto i = sv::global_id(before);
  before(i) = sv::atomic_exchange(last(0), sv::cast<std::uint32_t>(i) + 1u);
});

/// The greatest product with a factor, by compare-exchange: what a program does for an operation that is not there.
constexpr auto scaled = sv::kernel<"scaled">([](sv::inout<double> y, sv::in<double> x, sv::scope k) {
  auto i = sv::global_id(x);
  auto seen = k.var(0.0);
  auto done = k.var(false);
  k.while_([&] { return !done; },
           [&] {
             auto found = sv::atomic_compare_exchange(y(0), seen, seen + x(i));
             done = found == seen;
             seen = found;
           });
});

constexpr auto extremes = sv::kernel<"extremes">([](sv::inout<float> y, sv::in<float> x) {
  auto i = sv::global_id(x);
  sv::atomic_min(y(0), x(i));
  sv::atomic_max(y(1), x(i));
});

constexpr auto scatter = sv::kernel<"scatter">([](sv::inout<int> y, sv::in<int> index) {
  auto i = sv::global_id(index);
  sv::atomic_or(y(index(i)), 1);
});

}  // namespace

DEVICE_TEST_CASE("a histogram") {
  for (const std::int64_t n : {0, 1, 31, 257, 100000}) {
    constexpr std::int64_t bins = 10;
    sv::buffer<std::int64_t> x(n);
    sv::buffer<std::uint64_t> counts(bins);
    std::ranges::fill(counts.write(), 5);
    for (std::int64_t k = 0; std::int64_t& v : x.write()) v = k++ * 7919 % bins;
    std::vector<std::uint64_t> expected(bins, 5);
    for (const std::int64_t v : x.read()) ++expected[static_cast<std::size_t>(v)];
    histogram.on(device)(counts, x);
    CHECK(std::ranges::equal(counts.read(), expected));
  }
}

DEVICE_TEST_CASE("every atomic operation on every type that has it") {
  check_every<std::int32_t>(device);
  check_every<std::uint32_t>(device);
  check_every<std::int64_t>(device);
  check_every<std::uint64_t>(device);
  check_every<float>(device);
  check_every<double>(device);
}

DEVICE_TEST_CASE("what was there before: every number is given out once") {
  constexpr int n = 10000;
  sv::buffer<int> next(1), mine(n);
  next.write()[0] = 0;
  std::ranges::fill(mine.write(), -1);
  tickets.on(device)(next, mine);
  CHECK(next.read()[0] == n);
  std::vector<int> sorted(mine.read().begin(), mine.read().end());
  std::ranges::sort(sorted);
  std::vector<int> expected(n);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(sorted == expected);
}

DEVICE_TEST_CASE("exchanges make one chain") {
  constexpr std::uint32_t n = 5000;
  sv::buffer<std::uint32_t> last(1), before(n);
  last.write()[0] = 0;
  std::ranges::fill(before.write(), 0);
  chain.on(device)(last, before);
  const auto link = before.read();
  std::uint32_t at = last.read()[0];
  std::uint32_t length = 0;
  for (; at != 0 && length <= n; ++length) at = link[at - 1];
  CHECK(length == n);
}

DEVICE_TEST_CASE("a loop of compare-exchanges") {
  constexpr std::int64_t n = 500;
  sv::buffer<double> y(1), x(n);
  y.write()[0] = 0.25;
  std::iota(x.write().begin(), x.write().end(), 1.0);
  scaled.on(device)(y, x);
  CHECK(y.read()[0] == 0.25 + n * (n + 1) / 2);
}

DEVICE_TEST_CASE("atomic minimum and maximum: NaN loses, and -0 is less than +0") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto check = [&](std::vector<float> values, float least, float greatest) {
    sv::buffer x(values);
    sv::buffer<float> y(2);
    y.write()[0] = nan;
    y.read_write()[1] = nan;
    extremes.on(device)(y, x);
    CHECK(std::bit_cast<std::uint32_t>(y.read()[0]) == std::bit_cast<std::uint32_t>(least));
    CHECK(std::bit_cast<std::uint32_t>(y.read()[1]) == std::bit_cast<std::uint32_t>(greatest));
  };
  check({nan, 1.0F, nan, -2.0F}, -2.0F, 1.0F);
  check({0.0F, -0.0F}, -0.0F, 0.0F);
  check({-0.0F, 0.0F}, -0.0F, 0.0F);
  check({infinity, nan, -infinity}, -infinity, infinity);
}

DEVICE_TEST_CASE("an atomic operation outside its array is a fault with its place") {
  sv::buffer<int> y(4), index(6);
  std::ranges::fill(y.write(), 0);
  for (int k = 0; int& v : index.write()) v = k++ == 3 ? 4 : 0;
  try {
    scatter.on(device)(y, index).wait();
    FAIL_CHECK("no error");
  } catch (const sv::error& e) {
    CHECK(e.code() == sv::error_code::out_of_bounds);
    const std::string text = e.what();
    for (const char* part : {"kernel 'scatter'", "argument 0", "index 4", "extent 4", "work-item (3)"})
      CHECK_MESSAGE(text.find(part) != std::string::npos, part << " is not in: " << text);
  }
}
