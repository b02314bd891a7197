// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overlap and injectivity of strided views, against brute force.
#include "overlap.hpp"

#include <selvage/codegen/recipe.hpp>

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

using namespace selvage;
using detail::layout;

namespace {

/// All bytes of a view, relative to address 0; false if two elements share one.
bool bytes(std::int64_t base, const layout& l, std::multiset<std::int64_t>& all) {
  std::set<std::int64_t> mine;
  bool apart = true;
  const auto e = [&](int k) { return k < l.rank ? l.extents[static_cast<std::size_t>(k)] : 1; };
  for (std::int64_t i = 0; i < e(0); ++i)
    for (std::int64_t j = 0; j < e(1); ++j)
      for (std::int64_t k = 0; k < e(2); ++k) {
        const std::int64_t at = base + (i * l.strides[0] + j * l.strides[1] + k * l.strides[2]) * l.element_bytes;
        for (std::int64_t b = 0; b < l.element_bytes; ++b) apart = mine.insert(at + b).second && apart;
      }
  all.insert(mine.begin(), mine.end());
  return apart;
}

bool share(std::int64_t a, const layout& la, std::int64_t b, const layout& lb) {
  std::multiset<std::int64_t> all;
  bytes(a, la, all);
  bytes(b, lb, all);
  return std::set<std::int64_t>(all.begin(), all.end()).size() != all.size();
}

layout random_layout(std::mt19937& r) {
  const auto pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(r); };
  layout l;
  l.rank = pick(0, 3);
  l.element_bytes = 1 << pick(0, 3);
  l.strides = {};
  for (int k = 0; k < l.rank; ++k) {
    l.extents[static_cast<std::size_t>(k)] = pick(0, 8) == 0 ? 0 : pick(1, 5);
    l.strides[static_cast<std::size_t>(k)] = pick(0, 2) == 0 ? pick(-20, 20) : pick(1, 12);
  }
  return l;
}

}  // namespace

TEST_CASE("overlap and injectivity agree with brute force on random views") {
  std::mt19937 r(20);
  int overlapping = 0;
  int injective = 0;
  for (int n = 0; n < 20000; ++n) {
    const layout a = random_layout(r);
    const layout b = random_layout(r);
    const std::int64_t at_a = 100000;
    const std::int64_t at_b = at_a + std::uniform_int_distribution<int>(-60, 60)(r) * 8;
    const bool expected = share(at_a, a, at_b, b);
    REQUIRE(detail::overlap(static_cast<std::uintptr_t>(at_a), a, static_cast<std::uintptr_t>(at_b), b) == expected);
    std::multiset<std::int64_t> all;
    const bool apart = bytes(0, a, all);
    REQUIRE(detail::injective(a) == apart);
    overlapping += expected;
    injective += apart;
  }
  CHECK(overlapping > 1000);
  CHECK(overlapping < 19000);
  CHECK(injective > 1000);
  CHECK(injective < 19000);
}

TEST_CASE("views of one large matrix: halves, interleaved rows and columns are apart, neighbours that touch are not") {
  const std::int64_t n = 1 << 20;
  const std::uintptr_t base = 1 << 12;
  const layout left{2, 8, {n, n / 2, 1}, {n, 1, 0}};
  CHECK_FALSE(detail::overlap(base, left, base + static_cast<std::uintptr_t>(n / 2) * 8, left));
  CHECK(detail::overlap(base, left, base + static_cast<std::uintptr_t>(n / 2 - 1) * 8, left));
  const layout even_rows{2, 8, {n / 2, n, 1}, {2 * n, 1, 0}};
  CHECK_FALSE(detail::overlap(base, even_rows, base + static_cast<std::uintptr_t>(n) * 8, even_rows));
  const layout even_columns{2, 8, {n, n / 2, 1}, {n, 2, 0}};
  CHECK_FALSE(detail::overlap(base, even_columns, base + 8, even_columns));
  const layout transposed{2, 8, {n / 2, n, 1}, {2, n, 0}};
  CHECK_FALSE(detail::overlap(base, even_columns, base + 8, transposed));
  CHECK(detail::overlap(base, even_columns, base, transposed));
}

TEST_CASE("views that 32 bits address") {
  constexpr std::int64_t limit = codegen::variant::greatest_narrow;
  CHECK(detail::narrow({1, 8, {limit, 1, 1}, {1, 0, 0}}));
  CHECK_FALSE(detail::narrow({1, 8, {limit + 1, 1, 1}, {1, 0, 0}}));
  CHECK(detail::narrow({2, 1, {2, 2, 1}, {-(limit - 1), -1, 0}}));
  CHECK_FALSE(detail::narrow({2, 1, {2, 2, 1}, {-limit, 1, 0}}));
  CHECK_FALSE(detail::narrow({2, 1, {3, limit, 1}, {limit, 1, 0}}));
  CHECK(detail::narrow({2, 1, {0, limit, 1}, {0, 1, 0}}));
  CHECK_FALSE(detail::narrow({2, 1, {0, limit + 1, 1}, {0, 1, 0}}));  // a kernel may read the extent
  CHECK(detail::narrow({0, 8, {1, 1, 1}, {}}));
}

TEST_CASE("contiguous views, empty ones, and those that reach beyond the address space") {
  CHECK(detail::contiguous({2, 8, {3, 4, 1}, {4, 1, 0}}));
  CHECK(detail::contiguous({2, 8, {1, 4, 1}, {99, 1, 0}}));
  CHECK_FALSE(detail::contiguous({2, 8, {3, 4, 1}, {5, 1, 0}}));
  CHECK(detail::contiguous({2, 8, {0, 4, 1}, {5, 7, 0}}));
  CHECK(detail::empty({1, 8, {0, 1, 1}, {1, 0, 0}}));
  CHECK_FALSE(detail::bytes_of({1, 8, {std::int64_t{1} << 62, 1, 1}, {8, 0, 0}}).has_value());
  const auto range = detail::bytes_of({1, 8, {4, 1, 1}, {-2, 0, 0}});
  REQUIRE(range.has_value());
  CHECK(range->first == -48);
  CHECK(range->last == 8);
}
