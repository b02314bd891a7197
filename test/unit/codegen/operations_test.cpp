// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation on every type, on values at the corners, against ir/meaning.hpp bit for bit; functions in ulps.
#include "compiled.hpp"

#include <selvage/ir/meaning.hpp>
#include <selvage/ir/structure.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace {

using namespace selvage;
using test::host_kernel;
using test::image_builder;
using test::view_of;
using op = ir::operation;
using type = ir::type;
namespace meaning = ir::meaning;

constexpr codegen::variant exact{.guarded = false, .contiguous = true, .wide_grid = false, .contract = false};

const std::vector<type> all_types{type::boolean, type::int8,   type::uint8, type::int16, type::uint16, type::int32, type::uint32,
                                  type::int64,   type::uint64, type::float32, type::float64};

template <class T>
std::vector<T> corners() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_integral_v<T>) {
    std::vector<T> v{0, 1, 2, 3, 7, 31, 63, 64, 100, limits::max(), limits::max() - 1, limits::max() / 2};
    if constexpr (std::is_signed_v<T>)
      v.insert(v.end(), {-1, -2, -7, -63, -100, limits::min(), limits::min() + 1});
    else
      v.insert(v.end(), {static_cast<T>(limits::max() / 2 + 1), static_cast<T>(limits::max() - 63)});
    return v;
  } else {
    std::vector<T> v;
    for (const double x : {0.0,
                           0.25,
                           0.5,
                           0.75,
                           1.0,
                           1.5,
                           2.5,
                           3.0,
                           126.5,
                           127.5,
                           128.0,
                           255.5,
                           256.0,
                           8388609.0,
                           2147483520.0,
                           2147483647.0,
                           2147483648.0,
                           4294967295.0,
                           4294967296.0,
                           4503599627370497.0,
                           9223372036854774784.0,
                           9223372036854775808.0,
                           18446744073709549568.0,
                           18446744073709551616.0,
                           1e30}) {
      v.push_back(static_cast<T>(x));
      v.push_back(static_cast<T>(-x));
    }
    v.push_back(std::nextafter(T(0.5), T(0)));
    v.push_back(-std::nextafter(T(0.5), T(0)));
    for (const T x : {limits::infinity(), limits::max(), limits::min(), limits::denorm_min(), limits::epsilon()}) {
      v.push_back(x);
      v.push_back(-x);
    }
    v.push_back(limits::quiet_NaN());
    return v;
  }
}

/// One operation of a kernel of many: what it is, and what it must give.
struct column {
  op code;
  type result;
  std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t)> expected;
};

template <class T, class F>
auto on(F f) {
  return [f](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return ir::to_bits(f(ir::from_bits<T>(a), ir::from_bits<T>(b), ir::from_bits<T>(c)));
  };
}

template <class T>
std::vector<column> unary_columns() {
  constexpr type t = ir::type_of<T>();
  std::vector<column> all;
  const auto put = [&](op o, type result, auto f) { all.push_back({o, result, on<T>(f)}); };
  if constexpr (std::is_same_v<T, bool>) {
    put(op::logical_not, t, [](T a, T, T) { return !a; });
  } else {
    put(op::negate, t, [](T a, T, T) { return meaning::negate(a); });
    put(op::absolute, t, [](T a, T, T) { return meaning::absolute(a); });
    if constexpr (std::is_integral_v<T>) {
      put(op::bit_not, t, [](T a, T, T) { return static_cast<T>(~a); });
    } else {
      put(op::square_root, t, [](T a, T, T) { return std::sqrt(a); });
      put(op::reciprocal_square_root, t, [](T a, T, T) { return T(1) / std::sqrt(a); });
      put(op::round_down, t, [](T a, T, T) { return std::floor(a); });
      put(op::round_up, t, [](T a, T, T) { return std::ceil(a); });
      put(op::round_nearest, t, [](T a, T, T) { return std::round(a); });
      put(op::round_even, t, [](T a, T, T) { return std::nearbyint(a); });
      put(op::round_to_zero, t, [](T a, T, T) { return std::trunc(a); });
    }
  }
  for (const type to : all_types)
    ir::with_type(to, [&]<class To>() { put(op::cast, to, [](T a, T, T) { return meaning::cast<To>(a); }); });
  return all;
}

template <class T>
std::vector<column> binary_columns() {
  constexpr type t = ir::type_of<T>();
  std::vector<column> all;
  const auto put = [&](op o, type result, auto f) { all.push_back({o, result, on<T>(f)}); };
  put(op::equal, type::boolean, [](T a, T b, T) { return a == b; });
  put(op::not_equal, type::boolean, [](T a, T b, T) { return a != b; });
  if constexpr (std::is_same_v<T, bool>) {
    put(op::logical_and, t, [](T a, T b, T) { return a && b; });
    put(op::logical_or, t, [](T a, T b, T) { return a || b; });
  } else {
    put(op::less, type::boolean, [](T a, T b, T) { return a < b; });
    put(op::less_equal, type::boolean, [](T a, T b, T) { return a <= b; });
    put(op::add, t, [](T a, T b, T) { return meaning::add(a, b); });
    put(op::subtract, t, [](T a, T b, T) { return meaning::subtract(a, b); });
    put(op::multiply, t, [](T a, T b, T) { return meaning::multiply(a, b); });
    put(op::divide, t, [](T a, T b, T) { return meaning::divide(a, b); });
    put(op::minimum, t, [](T a, T b, T) { return meaning::minimum(a, b); });
    put(op::maximum, t, [](T a, T b, T) { return meaning::maximum(a, b); });
    if constexpr (std::is_floating_point_v<T>) put(op::copy_sign, t, [](T a, T b, T) { return std::copysign(a, b); });
  }
  if constexpr (std::is_integral_v<T>) {
    put(op::bit_and, t, [](T a, T b, T) { return static_cast<T>(a & b); });
    put(op::bit_or, t, [](T a, T b, T) { return static_cast<T>(a | b); });
    put(op::bit_xor, t, [](T a, T b, T) { return static_cast<T>(a ^ b); });
    if constexpr (!std::is_same_v<T, bool>) {
      put(op::remainder, t, [](T a, T b, T) { return meaning::remainder(a, b); });
      put(op::shift_left, t, [](T a, T b, T) { return meaning::shift_left(a, b); });
      put(op::shift_right, t, [](T a, T b, T) { return meaning::shift_right(a, b); });
    }
  }
  return all;
}

/// Do two values count as the same? Bit for bit, but that a NaN is a NaN.
bool same(type t, std::uint64_t a, std::uint64_t b) {
  if (t == type::float32 && std::isnan(ir::from_bits<float>(a))) return std::isnan(ir::from_bits<float>(b));
  if (t == type::float64 && std::isnan(ir::from_bits<double>(a))) return std::isnan(ir::from_bits<double>(b));
  return a == b;
}

std::uint64_t element(const std::vector<std::uint64_t>& data, type t, std::size_t k) {
  std::uint64_t bits = 0;
  const auto bytes = static_cast<std::size_t>(properties(t).bytes);
  std::memcpy(&bits, reinterpret_cast<const char*>(data.data()) + k * bytes, bytes);
  return ir::with_type(t, [&]<class T>() { return ir::to_bits(ir::from_bits<T>(bits)); });
}

/// Runs all columns over all combinations of `arity` values, operands from memory, and compares.
template <class T>
void compare(const std::vector<column>& columns, std::uint32_t arity, const std::string& target) {
  constexpr type t = ir::type_of<T>();
  const std::vector<T> values = corners<T>();
  std::vector<std::vector<T>> operands(arity);
  std::size_t n = 1;
  for (std::uint32_t k = 0; k < arity; ++k) n *= values.size();
  image_builder b(arity == 1 ? "unary" : arity == 2 ? "binary" : "ternary");
  std::vector<std::uint32_t> inputs, outputs;
  for (std::uint32_t k = 0; k < arity; ++k) inputs.push_back(b.in(t));
  for (const column& c : columns) outputs.push_back(b.inout(c.result));
  b.domain_of(inputs[0]);
  const auto i = b.id();
  std::vector<std::uint32_t> loads;
  for (const auto input : inputs) loads.push_back(b.load(input, {i}));
  for (std::size_t k = 0; k < columns.size(); ++k)
    b.store(outputs[k], {i}, b.node(columns[k].code, columns[k].result, loads));

  // std::vector<bool> has no bytes, so all data are kept in words.
  std::vector<std::vector<std::uint64_t>> data(arity + columns.size(), std::vector<std::uint64_t>(n + 1));
  std::size_t period = 1;
  for (std::uint32_t k = 0; k < arity; ++k) {
    for (std::size_t e = 0; e < n; ++e) {
      const T v = values[e / period % values.size()];
      std::memcpy(reinterpret_cast<char*>(data[k].data()) + e * sizeof(T), &v, sizeof(T));
    }
    period *= values.size();
  }
  std::vector<test::argument> arguments;
  for (auto& d : data) {
    arguments.push_back(view_of(d));
    arguments.back().extents[0] = static_cast<std::int64_t>(n);
  }
  const host_kernel kernel(b.finish(), exact, target);
  kernel(arguments, {static_cast<std::int64_t>(n)}, 3);

  for (std::size_t k = 0; k < columns.size(); ++k) {
    const column& c = columns[k];
    for (std::size_t e = 0; e < n; ++e) {
      std::uint64_t x[3]{};
      for (std::uint32_t o = 0; o < arity; ++o) x[o] = element(data[o], t, e);
      const std::uint64_t expected = c.expected(x[0], x[1], x[2]);
      const std::uint64_t found = element(data[arity + k], c.result, e);
      if (same(c.result, expected, found)) continue;
      INFO(properties(t).name, " ", properties(c.code).name, " to ", properties(c.result).name, ": ", x[0], ", ", x[1],
           ", ", x[2], " on ", target);
      REQUIRE(found == expected);
    }
  }
}

const std::vector<std::string> targets{"host",
                                       "x86-64"};  // with and without fused multiply-add and rounding instructions

TEST_CASE("operations: unary ones and casts, all types") {
  for (const auto& target : targets)
    for (const type t : all_types) ir::with_type(t, [&]<class T>() { compare<T>(unary_columns<T>(), 1, target); });
}

TEST_CASE("operations: binary ones and comparisons, all types") {
  for (const auto& target : targets)
    for (const type t : all_types) ir::with_type(t, [&]<class T>() { compare<T>(binary_columns<T>(), 2, target); });
}

TEST_CASE("operations: fused multiply-add") {
  const auto columns_of = []<class T>(T) {
    return std::vector<column>{
        {op::fused_multiply_add, ir::type_of<T>(), on<T>([](T a, T b, T c) { return std::fma(a, b, c); })}};
  };
  for (const auto& target : targets) {
    compare<float>(columns_of(0.0F), 3, target);
    compare<double>(columns_of(0.0), 3, target);
  }
}

TEST_CASE("operations: select, all types") {
  for (const type t : all_types) {
    ir::with_type(t, [&]<class T>() {
      image_builder b("select");
      const auto r = b.inout(t), x = b.in(t), y = b.in(t);
      const auto c = b.in(type::boolean);
      b.domain_of(r);
      const auto i = b.id();
      b.store(r, {i}, b.select(b.load(c, {i}), b.load(x, {i}), b.load(y, {i})));
      T xs[4] = {T(1), T(0), T(1), T(0)}, ys[4] = {T(0), T(1), T(0), T(1)}, rs[4] = {};
      unsigned char cs[4] = {1, 1, 0, 2};  // a load tests != 0
      const auto four = [](void* p) { return test::argument{p, {4}, {1}, 0}; };
      host_kernel(b.finish(), exact)({four(rs), four(xs), four(ys), four(cs)}, {4});
      CHECK(rs[0] == T(1));
      CHECK(rs[1] == T(0));
      CHECK(rs[2] == T(0));
      CHECK(rs[3] == T(0));
    });
  }
}

TEST_CASE("operations: division, remainder and shifts by literals") {
  for (const type t : {type::int8, type::uint8, type::int16, type::uint16, type::int32, type::uint32, type::int64, type::uint64}) {
    ir::with_type(t, [&]<class T>() {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        const std::vector<T> values = corners<T>();
        image_builder b("by_literal");
        const auto x = b.in(t), r = b.inout(t, 3);
        b.domain_of(x);
        const auto i = b.id();
        const auto v = b.load(x, {i});
        const op codes[] = {op::divide, op::remainder, op::shift_left, op::shift_right};
        for (std::int64_t o = 0; o < 4; ++o)
          for (std::size_t k = 0; k < values.size(); ++k)
            b.store(r, {b.literal(o), b.literal(static_cast<std::int64_t>(k)), i},
                    b.binary(codes[o], v, b.literal(values[k])));
        const std::size_t n = values.size();
        std::vector<T> in = values, out(4 * n * n);
        const auto m = static_cast<std::int64_t>(n);
        host_kernel(b.finish(), exact)({view_of(in), view_of(out, {4, m, m})}, {m});
        for (std::size_t k = 0; k < n; ++k) {
          for (std::size_t e = 0; e < n; ++e) {
            REQUIRE(out[(0 * n + k) * n + e] == meaning::divide(values[e], values[k]));
            REQUIRE(out[(1 * n + k) * n + e] == meaning::remainder(values[e], values[k]));
            REQUIRE(out[(2 * n + k) * n + e] == meaning::shift_left(values[e], values[k]));
            REQUIRE(out[(3 * n + k) * n + e] == meaning::shift_right(values[e], values[k]));
          }
        }
      }
    });
  }
}

TEST_CASE("operations: contraction rounds once where it is allowed, and only there") {
  image_builder b("contract");
  const auto r = b.inout(type::float64), x = b.in(type::float64), y = b.in(type::float64), z = b.in(type::float64);
  b.domain_of(r);
  const auto i = b.id();
  b.store(r, {i}, b.add(b.multiply(b.load(x, {i}), b.load(y, {i})), b.load(z, {i})));
  const double e = std::ldexp(1.0, -30);
  std::vector<double> xs(9, 1 + e), ys(9, 1 - e), zs(9, -1), rs(9);
  const std::vector<test::argument> arguments{view_of(rs), view_of(xs), view_of(ys), view_of(zs)};
  host_kernel(b.finish(), exact, "host")(arguments, {9});
  CHECK(rs == std::vector<double>(9, 0.0));
  host_kernel(b.finish(), {.guarded = false, .contiguous = true, .wide_grid = false, .contract = true})(arguments, {9});
  const std::string assembly = test::generator().emit(b.finish().view(), "host", {}, codegen::emission::assembly);
  const bool fused_here = assembly.find("vfm") != std::string::npos;  // if this processor can
  CHECK(rs == std::vector<double>(9, fused_here ? -e * e : 0.0));
}

/// Distance in units in the last place of the exact result.
template <class T>
double ulps(T found, long double expected) {
  if (std::isnan(expected)) return std::isnan(found) ? 0 : 1e9;
  const T rounded = static_cast<T>(expected);
  if (std::isinf(rounded) || std::isinf(found)) return found == rounded ? 0 : 1e9;
  const int exponent = std::max(std::ilogb(expected == 0 ? std::numeric_limits<T>::min() : static_cast<T>(expected)),
                                std::numeric_limits<T>::min_exponent - 1);
  return static_cast<double>(std::abs(static_cast<long double>(found) - expected) /
                             std::ldexp(1.0L, exponent - (std::numeric_limits<T>::digits - 1)));
}

template <class T>
void functions(const std::string& target) {
  constexpr type t = ir::type_of<T>();
  using function = long double (*)(long double, long double);
  const std::pair<op, function> rows[] = {
      {op::exponential, [](long double a, long double) { return std::exp(a); }},
      {op::logarithm, [](long double a, long double) { return std::log(a); }},
      {op::sine, [](long double a, long double) { return std::sin(a); }},
      {op::cosine, [](long double a, long double) { return std::cos(a); }},
      {op::tangent, [](long double a, long double) { return std::tan(a); }},
      {op::hyperbolic_tangent, [](long double a, long double) { return std::tanh(a); }},
      // glibc's powl is wrong for an infinite base and an exponent of -2^63
      {op::power, [](long double a, long double b) {
         return std::isinf(a) ? std::pow(static_cast<double>(a), static_cast<double>(b)) : std::pow(a, b);
       }}};
  std::vector<T> xs, ys;
  const std::vector<T> special = corners<T>();
  for (const T a : special)
    for (const T b : special) xs.push_back(a), ys.push_back(b);
  for (int k = 0; k < 20000; ++k) {
    const T angle = static_cast<T>(k) * T(0.00137);
    xs.push_back(k % 2 == 0 ? angle : -angle);
    ys.push_back(static_cast<T>(k % 41) * T(0.31) - T(6));
  }
  const auto n = static_cast<std::int64_t>(xs.size());
  for (const auto& row : rows) {
    const op code = row.first;
    image_builder b("function");
    const auto r = b.inout(t), x = b.in(t), y = b.in(t);
    b.domain_of(r);
    const auto i = b.id();
    const auto first = b.load(x, {i});
    b.store(r, {i}, code == op::power ? b.binary(code, first, b.load(y, {i})) : b.unary(code, first));
    std::vector<T> rs(xs.size());
    host_kernel(b.finish(), exact, target)({view_of(rs), view_of(xs), view_of(ys)}, {n});
    double worst = 0;
    std::size_t where = 0;
    for (std::size_t k = 0; k < xs.size(); ++k) {
      const double off = ulps(rs[k], row.second(xs[k], ys[k]));
      if (off > worst) worst = off, where = k;
    }
    INFO(properties(code).name, " ", properties(t).name, " at ", xs[where], ", ", ys[where], " gave ", rs[where],
         " on ", target);
    CHECK(worst <= 4.5);
  }
}

TEST_CASE("operations: functions are within 4 ulp") {
  for (const auto& target : targets) {
    functions<float>(target);
    functions<double>(target);
  }
}

}  // namespace
