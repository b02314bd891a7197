// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What operations mean at the edges: overflow, division, shifts, casts, NaN, signed zeros, empty folds.
#include <selvage/ir/meaning.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace selvage::test {
namespace {

namespace meaning = ir::meaning;
constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();

TEST_CASE("meaning: integers wrap") {
  CHECK(meaning::add(highest, std::int64_t{1}) == lowest);
  CHECK(meaning::subtract(lowest, std::int64_t{1}) == highest);
  CHECK(meaning::multiply(std::uint8_t{200}, std::uint8_t{200}) == std::uint8_t{64});
  CHECK(meaning::multiply(std::int8_t{100}, std::int8_t{3}) == std::int8_t{44});
  CHECK(meaning::negate(lowest) == lowest);
  CHECK(meaning::absolute(std::int8_t{-128}) == std::int8_t{-128});
}

TEST_CASE("meaning: division is defined for every divisor") {
  CHECK(meaning::divide(std::int32_t{7}, std::int32_t{0}) == 0);
  CHECK(meaning::remainder(std::int32_t{7}, std::int32_t{0}) == 7);
  CHECK(meaning::divide(lowest, std::int64_t{-1}) == lowest);
  CHECK(meaning::remainder(lowest, std::int64_t{-1}) == 0);
  CHECK(meaning::divide(std::int32_t{-7}, std::int32_t{2}) == -3);
  CHECK(meaning::remainder(std::int32_t{-7}, std::int32_t{2}) == -1);
}

TEST_CASE("meaning: shifts go modulo the width") {
  CHECK(meaning::shift_left(std::int32_t{1}, std::int32_t{33}) == 2);
  CHECK(meaning::shift_left(std::uint8_t{1}, std::uint8_t{9}) == 2);
  CHECK(meaning::shift_left(std::int8_t{1}, std::int8_t{-1}) == std::int8_t{-128});
  CHECK(meaning::shift_right(std::int8_t{-128}, std::int8_t{7}) == std::int8_t{-1});
  CHECK(meaning::shift_right(std::uint64_t{1} << 63, std::uint64_t{63}) == 1);
}

TEST_CASE("meaning: casts truncate, saturate and wrap") {
  CHECK(meaning::cast<std::int32_t>(1e300) == std::numeric_limits<std::int32_t>::max());
  CHECK(meaning::cast<std::int64_t>(-1e300) == lowest);
  CHECK(meaning::cast<std::uint8_t>(-0.9) == 0);
  CHECK(meaning::cast<std::uint8_t>(-5.0) == 0);
  CHECK(meaning::cast<std::uint8_t>(255.9f) == 255);
  CHECK(meaning::cast<std::int64_t>(std::nan("")) == 0);
  CHECK(meaning::cast<std::uint64_t>(18446744073709551615.0) == std::numeric_limits<std::uint64_t>::max());
  CHECK(meaning::cast<std::int8_t>(std::int32_t{300}) == 44);
  CHECK(meaning::cast<bool>(std::nan("")) == true);
  CHECK(meaning::cast<bool>(-0.0) == false);
  CHECK(meaning::cast<float>(std::int64_t{16777217}) == 16777216.0f);
}

TEST_CASE("meaning: minimum and maximum prefer numbers, and tell the zeros apart") {
  const double nan = std::nan("");
  CHECK(meaning::minimum(nan, 1.0) == 1.0);
  CHECK(meaning::maximum(1.0, nan) == 1.0);
  CHECK(std::isnan(meaning::minimum(nan, nan)));
  CHECK(std::signbit(meaning::minimum(0.0, -0.0)));
  CHECK(!std::signbit(meaning::maximum(-0.0, 0.0)));
}

TEST_CASE("meaning: trip counts at the edges") {
  CHECK(meaning::trip_count(lowest, highest, 1) == std::numeric_limits<std::uint64_t>::max());
  CHECK(meaning::trip_count(0, 10, 3) == 4);
  CHECK(meaning::trip_count(0, 10, 0) == 0);
  CHECK(meaning::trip_count(0, 10, -1) == 0);
  CHECK(meaning::trip_count(5, 5, 1) == 0);
  CHECK(meaning::trip_count(0, highest, highest) == 1);
}

TEST_CASE("meaning: folds over nothing") {
  CHECK(meaning::identity<double>(ir::fold_kind::minimum) == std::numeric_limits<double>::infinity());
  CHECK(meaning::identity<std::uint8_t>(ir::fold_kind::maximum) == 0);
  CHECK(meaning::identity<std::int32_t>(ir::fold_kind::product) == 1);
  CHECK(meaning::identity<bool>(ir::fold_kind::all) == true);
  CHECK(meaning::identity<bool>(ir::fold_kind::any) == false);
}

}  // namespace
}  // namespace selvage::test
