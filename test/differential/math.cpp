// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments for mathematical functions, and the distance of results from the exact ones.
#include "math.hpp"

#include "random_source.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace selvage::test {
namespace {

using op = ir::operation;

static_assert(std::numeric_limits<long double>::digits >= 64, "the reference needs more digits than float64 has");

constexpr std::size_t random_arguments = 20000;

bool takes_two(op function) {
  return properties(function).arity == 2;
}

long double exact(op function, long double x, long double y) {
  switch (function) {
#define SELVAGE_CALL_1(word) std::word(x)
#define SELVAGE_CALL_2(word) std::word(x, y)
#define SELVAGE_ROW(X, name, word, arity) \
  case op::name: return SELVAGE_CALL_##arity(word);
    SELVAGE_FUNCTIONS(SELVAGE_ROW, )
#undef SELVAGE_ROW
    default: return 1 / std::sqrt(x);
  }
}

/// Distance of `got` from the exact value, in units of T's last place there.
template <class T>
double distance(T got, long double wanted) {
  using limits = std::numeric_limits<T>;
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(wanted) || std::isnan(got)) return std::isnan(wanted) && std::isnan(got) ? 0 : wrong;
  if (std::isinf(wanted)) return static_cast<long double>(got) == wanted ? 0 : wrong;
  if (wanted == 0) return got == 0 && std::signbit(got) == std::signbit(wanted) ? 0 : wrong;
  const int exponent = std::max(std::ilogb(wanted) + 1, limits::min_exponent);
  const long double place = std::ldexp(1.0L, exponent - limits::digits);
  // Beyond the greatest number, infinity counts as the next one.
  const long double value = std::isinf(got) ? std::copysign(std::ldexp(1.0L, limits::max_exponent), got) : got;
  if (std::isinf(got) && std::signbit(got) != std::signbit(wanted)) return wrong;
  if (std::isinf(got) && std::fabs(wanted) > value * (got > 0 ? 1 : -1)) return 0;
  return static_cast<double>(std::fabs(value - wanted) / place);
}

template <class T>
T uniform(random_source& random, double low, double high) {
  return static_cast<T>(low + (high - low) * (static_cast<double>(random.bits() >> 11) * 0x1p-53));
}

template <class T>
T magnitude(random_source& random, double lowest_exponent, double highest_exponent) {
  const double e = uniform<double>(random, lowest_exponent, highest_exponent);
  return static_cast<T>(std::exp2(e));
}

/// The second argument of a function that takes two.
template <class T>
T second_argument_of(random_source& random, op function) {
  const T sign = random.one_in(2) ? T{1} : T{-1};
  switch (function) {
    case op::arc_tangent_2: return sign * magnitude<T>(random, -30, 30);
    case op::hypotenuse: return sign * magnitude<T>(random, -30, 30);
    case op::floating_remainder: return sign * magnitude<T>(random, -5, 20);
    default: return random.one_in(2) ? uniform<T>(random, -30, 30) : std::trunc(uniform<T>(random, -9, 9));
  }
}

/// Arguments where the function does something.
template <class T>
T argument_of(random_source& random, op function) {
  using limits = std::numeric_limits<T>;
  const T sign = random.one_in(2) ? T{1} : T{-1};
  switch (function) {
    case op::exponential:
      return random.one_in(3) ? sign * magnitude<T>(random, -30, 4)
                              : uniform<T>(random, limits::min_exponent * 0.73, limits::max_exponent * 0.7);
    case op::exponential_2:
      return random.one_in(3) ? sign * magnitude<T>(random, -30, 4)
                              : uniform<T>(random, limits::min_exponent * 1.05, limits::max_exponent * 1.01);
    case op::exponential_minus_1: return sign * magnitude<T>(random, -40, limits::digits == 24 ? 6.5 : 9.5);
    case op::logarithm:
    case op::logarithm_2:
    case op::logarithm_10:
      return random.one_in(3) ? uniform<T>(random, 0.5, 2)
                              : magnitude<T>(random, limits::min_exponent, limits::max_exponent - 1);
    case op::logarithm_plus_1:
      return random.one_in(2) ? sign * magnitude<T>(random, -60, -1) : magnitude<T>(random, -2, 100);
    case op::sine:
    case op::cosine:
    case op::tangent: return random.one_in(3) ? sign * magnitude<T>(random, -30, 60) : uniform<T>(random, -100, 100);
    case op::arc_sine:
    case op::arc_cosine:
    case op::area_tangent:
      return random.one_in(2) ? sign * magnitude<T>(random, -40, 0) : uniform<T>(random, -1, 1);
    case op::cube_root: return sign * magnitude<T>(random, limits::min_exponent, limits::max_exponent - 1);
    case op::arc_tangent: return sign * magnitude<T>(random, -40, 60);
    case op::hyperbolic_sine:
    case op::hyperbolic_cosine: return sign * magnitude<T>(random, -40, limits::digits == 24 ? 6.5 : 9.5);
    case op::hyperbolic_tangent: return sign * magnitude<T>(random, -30, 6);
    case op::area_sine: return sign * magnitude<T>(random, -40, 100);
    case op::area_cosine: return random.one_in(2) ? T{1} + magnitude<T>(random, -20, 1) : magnitude<T>(random, 0, 100);
    case op::error_function: return sign * magnitude<T>(random, -40, 3);
    case op::error_complement: return sign * magnitude<T>(random, -30, limits::digits == 24 ? 3.3 : 4.7);
    case op::gamma: return uniform<T>(random, 0, limits::digits == 24 ? 35 : 171);
    // Near 1 and 2, where it is 0, and below 0, where it has more zeros, its relative error is without a bound.
    case op::logarithm_of_gamma: return random.one_in(2) ? uniform<T>(random, 2.5, 100) : magnitude<T>(random, -40, -2);
    case op::power: return random.one_in(3) ? uniform<T>(random, 0.5, 2) : magnitude<T>(random, -20, 20);
    case op::arc_tangent_2: return sign * magnitude<T>(random, -30, 30);
    case op::hypotenuse:
      return sign * magnitude<T>(random, limits::min_exponent, limits::max_exponent - 1);
    case op::floating_remainder: return sign * magnitude<T>(random, -20, 40);
    default: return magnitude<T>(random, limits::min_exponent, limits::max_exponent - 1);
  }
}

template <class T>
std::vector<T> special_values() {
  using limits = std::numeric_limits<T>;
  return {T{0},
          -T{0},
          T{1},
          T{-1},
          T{0.5},
          T{2},
          T{3},
          T{-2},
          T{-3},
          T{-2.5},
          T{10},
          limits::infinity(),
          -limits::infinity(),
          limits::quiet_NaN(),
          limits::max(),
          limits::lowest(),
          limits::min(),
          -limits::min(),
          limits::denorm_min(),
          -limits::denorm_min(),
          limits::min() / 4,
          T{709},
          T{-745},
          T{88},
          T{-103},
          T(1.5707963267948966)};
}

template <class T>
void fill(case_argument& a, const std::vector<T>& values) {
  a.bytes.resize(values.size() * sizeof(T));
  std::memcpy(a.bytes.data(), values.data(), a.bytes.size());
  a.extents[0] = static_cast<std::int64_t>(values.size());
  a.strides[0] = 1;
}

template <class T>
void fill_arguments(launch_case& one, op function) {
  random_source random(1);
  std::vector<T> x;
  std::vector<T> y;
  for (const T first : special_values<T>()) {
    for (const T second : special_values<T>()) {
      x.push_back(first);
      y.push_back(second);
      if (!takes_two(function)) break;
    }
  }
  for (std::size_t k = 0; k < random_arguments; ++k) {
    x.push_back(argument_of<T>(random, function));
    y.push_back(second_argument_of<T>(random, function));
    if (function == op::power && y.back() == std::trunc(y.back()) && random.one_in(3)) x.back() = -x.back();
  }
  fill(one.arguments[0], std::vector<T>(x.size()));
  fill(one.arguments[1], x);
  if (takes_two(function)) fill(one.arguments[2], y);
  one.domain[0] = static_cast<std::int64_t>(x.size());
}

template <class T>
T element(const std::vector<std::byte>& bytes, std::size_t k) {
  T v;
  std::memcpy(&v, bytes.data() + k * sizeof(T), sizeof(T));
  return v;
}

template <class T>
math_result compare_all(const launch_case& one, op function, const std::vector<std::byte>& got) {
  math_result result;
  for (std::size_t k = 0; k < got.size() / sizeof(T); ++k) {
    const T x = element<T>(one.arguments[1].bytes, k);
    const T y = takes_two(function) ? element<T>(one.arguments[2].bytes, k) : T{0};
    const T z = element<T>(got, k);
    const long double wanted = exact(function, x, y);
    const double ulps = distance(z, wanted);
    if (!(ulps > result.worst)) continue;
    result.worst = ulps;
    result.where = fmt::format("{}({}{}) = {} instead of {}", properties(function).name, x,
                               takes_two(function) ? fmt::format(", {}", y) : "", z, static_cast<double>(wanted));
  }
  return result;
}

}  // namespace

launch_case math_case(ir::operation function, ir::type t) {
  image_builder b("map");
  const auto out = b.out(t);
  const auto in = b.in(t);
  const bool two = takes_two(function);
  const auto second = two ? b.in(t) : in;
  b.domain_of(out);
  const auto i = b.id();
  const auto x = b.load(in, {i});
  const auto y = two ? b.load(second, {i}) : x;
  b.covers(out, b.store(out, {i}, two ? b.binary(function, x, y) : b.unary(function, x)));
  launch_case one{0, b.finish(), {}, {1, 1, 1}};
  for (const ir::parameter& p : one.image.view().parameters) {
    one.arguments.emplace_back();
    one.arguments.back().about = p;
  }
  if (t == ir::type::float32) fill_arguments<float>(one, function);
  else fill_arguments<double>(one, function);
  return one;
}

math_result measure(ir::operation function, ir::type t, const executor& run) {
  const launch_case one = math_case(function, t);
  const codegen::variant v{.guarded = false, .contiguous = true, .wide_grid = false, .contract = false};
  const outcome o = run(one, v);
  return t == ir::type::float32 ? compare_all<float>(one, function, o.memory[0])
                                : compare_all<double>(one, function, o.memory[0]);
}

}  // namespace selvage::test
