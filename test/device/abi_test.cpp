// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments as they arrive in kernels: every element type, as value and as element, in orders that need padding; views
// of rank 0 to 3 with strides; kernels without arguments or statements, and with as many arguments as there may be.
#include <selvage/selvage.hpp>

#include <device_fixture.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace sv = selvage;

namespace {

/// A value that uses all bits of its type.
template <class T>
constexpr T odd_value(int k) {
  if constexpr (std::is_same_v<T, bool>)
    return k % 2 == 0;
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(k) / T(3) - T(7);
  else
    return static_cast<T>(std::numeric_limits<T>::max() / static_cast<T>(3) * static_cast<T>(2) - static_cast<T>(k));
}

// Small and large ones by turns, so that each needs its own alignment.
template <class A, class B>
constexpr auto mixed = sv::kernel<"mixed">([](sv::value<A> a, sv::out<B> from_value, sv::value<bool> flag,
                                              sv::value<B> b, sv::out<A> from_elements, sv::in<A, 0> one,
                                              sv::value<std::int8_t> small, sv::in<A, 2> x) {
  auto i = sv::global_id(from_elements);
  from_value(i) = sv::select(flag, b, sv::cast<B>(small));
  from_elements(i) = sv::select(i % 3 == 0, a, sv::select(i % 3 == 1, one(), x(i % 2, i / 2)));
});

template <class A, class B>
void check_mixed(const sv::device& device) {
  constexpr std::int64_t n = 20;
  sv::buffer<B> values(n);
  sv::buffer<A> elements(n);
  sv::buffer<A, 0> one;
  sv::buffer<A, 2> x(2, n);
  one.write()[0] = odd_value<A>(2);
  const auto all = x.write();
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = odd_value<A>(static_cast<int>(k));
  for (const bool flag : {true, false}) {
    mixed<A, B>.on(device)(odd_value<A>(1), values, flag, odd_value<B>(5), elements, one, std::int8_t{1}, x);
    CHECK(std::ranges::all_of(values.read(), [&](B v) { return v == (flag ? odd_value<B>(5) : static_cast<B>(1)); }));
    const auto result = elements.read();
    for (std::int64_t i = 0; i < n; ++i)
      CHECK(result[static_cast<std::size_t>(i)] == (i % 3 == 0   ? odd_value<A>(1)
                                                    : i % 3 == 1 ? odd_value<A>(2)
                                                                 : odd_value<A>(static_cast<int>(i % 2 * n + i / 2))));
  }
}

constexpr auto ranks = sv::kernel<"ranks">([](sv::inout<std::int64_t, 3> y, sv::in<std::int8_t, 0> a, sv::in<int, 1> b,
                                              sv::in<std::uint8_t, 2> c, sv::in<int, 3> d) {
  auto [i, j, k] = sv::global_id(y);
  y(i, j, k) = sv::cast<std::int64_t>(a()) + b(k) * 10 + c(j, k) * 1000 + d(i, j, k) * 100000 + y.extent(1) * 10000000;
});

constexpr auto nothing = sv::kernel<"nothing">([](sv::scope k) { [[maybe_unused]] auto i = sv::global_id<1>(k); });
constexpr auto no_statement =
    sv::kernel<"no_statement">([](sv::in<double> x) { [[maybe_unused]] auto i = sv::global_id(x); });

}  // namespace

DEVICE_TEST_CASE("values and elements of every type, in orders that need padding") {
  check_mixed<bool, double>(device);
  check_mixed<std::int8_t, std::int64_t>(device);
  check_mixed<std::uint8_t, float>(device);
  check_mixed<std::int16_t, std::uint32_t>(device);
  check_mixed<std::uint16_t, std::int16_t>(device);
  check_mixed<std::int32_t, bool>(device);
  check_mixed<std::uint32_t, double>(device);
  check_mixed<std::int64_t, std::int8_t>(device);
  check_mixed<std::uint64_t, std::uint32_t>(device);
  check_mixed<float, std::uint64_t>(device);
  check_mixed<double, std::uint8_t>(device);
}

DEVICE_TEST_CASE("views of rank 0 to 3 in one kernel") {
  constexpr std::int64_t l = 3, m = 4, n = 5;
  sv::buffer<std::int64_t, 3> y(l, m, n);
  sv::buffer<std::int8_t, 0> a;
  sv::buffer<int> b(n);
  sv::buffer<std::uint8_t, 2> c(m, n);
  sv::buffer<int, 3> d(l, m, n);
  a.write()[0] = -1;
  std::ranges::fill(y.write(), 0);
  for (int k = 0; int& v : b.write()) v = k++;
  for (int k = 0; std::uint8_t & v : c.write()) v = static_cast<std::uint8_t>(k++);
  for (int k = 0; int& v : d.write()) v = k++;
  ranks.on(device)(y, a, b, c, d);
  for (std::int64_t at = 0; const std::int64_t v : y.read()) {
    CHECK(v == -1 + at % n * 10 + at % (m * n) * 1000 + at * 100000 + m * 10000000);
    ++at;
  }
}

DEVICE_TEST_CASE("kernels without arguments or statements") {
  nothing.on(device).over(1000)().wait();
  sv::buffer<double> x(100);
  std::ranges::fill(x.write(), 1.0);
  no_statement.on(device)(x).wait();
  CHECK(x.read()[99] == 1.0);
}
