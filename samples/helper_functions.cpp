// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ordinary functions in kernels: `auto` functions serve kernel values and C++ numbers alike.
#include "support/timer.hpp"

#include <fmt/core.h>
#include <selvage/selvage.hpp>

#include <cmath>
#include <cstdio>
#include <exception>

namespace sv = selvage;

constexpr auto square(auto x) {
  return x * x;
}
constexpr auto mix(auto a, auto b, auto t) {
  return a + t * (b - a);
}

// Numbers and kernel values have different square roots: an overload each, and one formula for both.
double root(double x) {
  return std::sqrt(x);
}
constexpr auto root(sv::term auto x) {
  return sv::sqrt(x);
}
constexpr auto distance(auto x0, auto y0, auto x1, auto y1) {
  return root(square(x1 - x0) + square(y1 - y0));
}

// A struct of kernel values is as good as a struct of numbers.
template <class Re, class Im>
struct complex {
  Re re;
  Im im;
};
template <class Re, class Im>
complex(Re, Im) -> complex<Re, Im>;
constexpr auto multiply(auto a, auto b) {
  return complex{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// How far (x, y) goes when it is blended with its square, as a complex number, by the share t.
constexpr auto travel(auto x, auto y, auto t) {
  auto z = complex{x, y};
  auto squared = multiply(z, z);
  return distance(x, y, mix(x, squared.re, t), mix(y, squared.im, t));
}

inline constexpr auto travelled =
    sv::kernel<"travelled">([](sv::out<double> d, sv::in<double> x, sv::in<double> y, sv::value<double> t) {
      auto i = sv::global_id(d);
      d(i) = travel(sv::let(x(i)), sv::let(y(i)), sv::let(t));
    });

int main() try {
  constexpr std::int64_t n = 1'000'000;
  sv::device device;
  sv::buffer<double> x(n), y(n), d(n);
  for (std::int64_t i = 0; double& v : x.write()) v = std::cos(static_cast<double>(i++));
  for (std::int64_t i = 0; double& v : y.write()) v = std::sin(static_cast<double>(i++) * 0.7);
  travelled.on(device)(d, x, y, 0.25).wait();
  const double ms = samples::milliseconds([&] { travelled.on(device)(d, x, y, 0.25).wait(); });

  // The same functions on numbers are the reference.
  double error = 0;
  const auto xs = x.read(), ys = y.read(), ds = d.read();
  for (std::size_t i = 0; i < ds.size(); ++i) error = std::max(error, std::abs(ds[i] - travel(xs[i], ys[i], 0.25)));
  const bool right = error < 1e-15;
  fmt::print("helper functions on {}: difference from the same functions on numbers {:.1e}: {}, {:.3f} ms\n",
             device.describe().name, error, right ? "right" : "WRONG", ms);
  return right ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "helper_functions: {}\n", error.what());
  return 1;
}
