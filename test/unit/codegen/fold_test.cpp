// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds of every kind on every type they take, empty ones, nested ones, ordered ones.
#include "compiled.hpp"

#include <selvage/ir/meaning.hpp>
#include <selvage/ir/structure.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>

namespace {

using namespace selvage;
using ir::fold_kind;
using test::host_kernel;
using test::image_builder;
using test::view_of;
using op = ir::operation;
using type = ir::type;

/// r(i) = fold over k in [0, x.extent(1)) of x(i, k)
test::built_image rows(fold_kind kind, type t) {
  image_builder b("rows");
  const auto r = b.inout(t), x = b.in(t, 2);
  b.domain_of(r);
  const auto i = b.id();
  const auto k = b.fold(kind, b.literal<std::int64_t>(0), b.extent(x, 1));
  b.yield(k, b.load(x, {i, k}));
  b.store(r, {i}, b.end(k));
  return b.finish();
}

template <class T>
T combined(fold_kind kind, T a, T b) {
  namespace meaning = ir::meaning;
  if constexpr (std::is_same_v<T, bool>) {
    return kind == fold_kind::any ? a || b : a && b;
  } else {
    switch (kind) {
      case fold_kind::sum:
        return meaning::add(a, b);
      case fold_kind::product:
        return meaning::multiply(a, b);
      case fold_kind::minimum:
        return meaning::minimum(a, b);
      default:
        return meaning::maximum(a, b);
    }
  }
}

TEST_CASE("fold: every kind and type, of lengths around those of vectors, exactly") {
  for (const fold_kind kind :
       {fold_kind::sum, fold_kind::product, fold_kind::minimum, fold_kind::maximum, fold_kind::any, fold_kind::all}) {
    for (int code = 1; code < ir::type_count; ++code) {
      const auto t = static_cast<type>(code);
      if (!ir::accepts(kind, t)) continue;
      const auto image = rows(kind, t);
      for (const codegen::variant& v : test::host_variants()) {
        const host_kernel kernel(image, v);
        for (const std::int64_t length : {0, 1, 5, 64, 133}) {
          ir::with_type(t, [&]<class T>() {
            constexpr std::int64_t n = 3;
            struct storage {
              T data[n * 133];
            };
            auto x = std::make_unique<storage>();
            T r[n];
            for (std::int64_t e = 0; e < n * length; ++e) {
              // sums and products exact in floating point: small integers, products of powers of 2
              const std::int64_t small = (e * 7 + 3) % 11 - 5;
              if constexpr (std::is_same_v<T, bool>)
                x->data[e] = kind == fold_kind::any ? e == 70 : e != 70;
              else if (kind != fold_kind::product)
                x->data[e] = static_cast<T>(small);
              else if (ir::is_float(t))
                x->data[e] = static_cast<T>(std::ldexp(e % 3 == 0 ? -1.0 : 1.0, static_cast<int>(small)));
              else
                x->data[e] = static_cast<T>(e % 5 == 0 ? 3 : e % 3 == 1 ? -1 : 1);
            }
            kernel({{r, {n}, {1}, 0}, {x->data, {n, length}, {length, 1}, 0}}, {n});
            for (std::int64_t i = 0; i < n; ++i) {
              T expected = ir::meaning::identity<T>(kind);
              for (std::int64_t k = 0; k < length; ++k) expected = combined(kind, expected, x->data[i * length + k]);
              INFO(name(kind), " of ", properties(t).name, ", length ", length, ", row ", i);
              REQUIRE(r[i] == expected);
            }
          });
        }
      }
    }
  }
}

TEST_CASE("fold: minimum and maximum pass over NaN and tell -0 from +0") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const fold_kind kind : {fold_kind::minimum, fold_kind::maximum}) {
    const host_kernel kernel(rows(kind, type::float64));
    for (const std::int64_t length : {3, 70}) {
      std::vector<double> r(1), x(static_cast<std::size_t>(length), 0.0);
      x[1] = nan;
      x[2] = -0.0;
      kernel({view_of(r), view_of(x, {1, length})}, {1});
      CHECK(r[0] == 0.0);
      CHECK(std::signbit(r[0]) == (kind == fold_kind::minimum));
    }
  }
}

TEST_CASE("fold: the range may be of negative numbers, and empty") {
  image_builder b("range");
  const auto r = b.inout(type::int64);
  const auto from = b.value(type::int64), to = b.value(type::int64);
  b.domain_of(r);
  const auto i = b.id();
  const auto k = b.fold(fold_kind::sum, b.argument(from), b.argument(to));
  b.yield(k, k);
  b.store(r, {i}, b.end(k));
  const host_kernel kernel(b.finish());
  const auto sum = [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> data(1, 99);
    kernel({view_of(data), test::value_of(begin), test::value_of(end)}, {1});
    return data[0];
  };
  CHECK(sum(-3, 5) == 4);
  CHECK(sum(5, -3) == 0);
  CHECK(sum(0, 0) == 0);
  CHECK(sum(std::numeric_limits<std::int64_t>::max() - 2, std::numeric_limits<std::int64_t>::max()) == -5);
}

TEST_CASE("fold: ordered, with its accumulator, and a fold and a condition inside it") {
  // Horner: acc = acc * z + (k even ? sum_{m < k} c(m) : c(k))
  image_builder b("horner");
  const auto r = b.inout(type::float64), c = b.in(type::float64);
  const auto z = b.value(type::float64);
  b.domain_of(r);
  const auto i = b.id();
  const auto zero = b.literal<std::int64_t>(0);
  const auto k = b.ordered_fold(zero, b.extent(c), b.load(r, {i}));
  const auto even = b.compare(op::equal, b.binary(op::remainder, k, b.literal<std::int64_t>(2)), zero);
  const auto choose = b.choose(even);
  const auto inner = b.fold(fold_kind::sum, zero, k);
  b.yield(inner, b.load(c, {inner}));
  b.yield(choose, b.end(inner));
  b.else_(choose);
  b.yield(choose, b.load(c, {k}));
  const auto term = b.end(choose);
  b.yield(k, b.add(b.multiply(b.accumulator(k), b.argument(z)), term));
  b.store(r, {i}, b.end(k));
  for (const codegen::variant& v : test::host_variants()) {
    std::vector<double> data{1, -2}, coefficients{3, 1, 4, 1, 5, 9, 2};
    host_kernel(b.finish(), v)({view_of(data), view_of(coefficients), test::value_of(2.0)}, {2});
    for (std::size_t e = 0; e < 2; ++e) {
      double expected = e == 0 ? 1 : -2;
      for (std::size_t m = 0; m < coefficients.size(); ++m) {
        double t = 0;
        if (m % 2 == 0)
          for (std::size_t s = 0; s < m; ++s) t += coefficients[s];
        else
          t = coefficients[m];
        expected = expected * 2 + t;
      }
      CHECK(data[e] == expected);
    }
  }
}

TEST_CASE("fold: an accumulator is read under a condition inside the fold") {
  // the greatest prefix sum that stays below 10
  image_builder b("prefix");
  const auto r = b.inout(type::int32), x = b.in(type::int32);
  b.domain_of(r);
  const auto i = b.id();
  const auto k = b.ordered_fold(b.literal<std::int64_t>(0), b.extent(x), b.literal<std::int32_t>(0));
  const auto item = b.load(x, {k});
  const auto choose = b.choose(b.less(b.add(b.accumulator(k), item), b.literal<std::int32_t>(10)));
  b.yield(choose, b.add(b.accumulator(k), item));
  b.else_(choose);
  b.yield(choose, b.accumulator(k));
  const auto next = b.end(choose);
  b.yield(k, next);
  b.store(r, {i}, b.end(k));
  std::vector<std::int32_t> data(1), items{4, 5, 3, 7, 0};
  host_kernel(b.finish())({view_of(data), view_of(items)}, {1});
  CHECK(data[0] == 9);
}

}  // namespace
