// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that is a template over an element type and a constant: each instance is a kernel of its own.
#include "support/timer.hpp"

#include <fmt/core.h>
#include <selvage/selvage.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

namespace sv = selvage;

// 1 + x + x^2/2! + ... up to x^Order/Order!, by Horner's rule. An ordinary C++ loop in a kernel runs while the kernel
// is recorded, so it is unrolled: `sum` names one expression after the other.
template <class T, int Order>
inline constexpr auto exponential = sv::kernel<"exponential">([](sv::out<T> y, sv::in<T> x) {
  auto i = sv::global_id(y);
  auto sum = x(i) / T{Order} + T{1};
  for (int k = Order - 1; k > 0; --k) sum = sum * x(i) / static_cast<T>(k) + T{1};
  y(i) = sum;
});

template <class T, int Order>
bool run(sv::device& device, const char* type, double tolerance) {
  constexpr std::int64_t n = 1'000'000;
  sv::buffer<T> x(n), y(n);
  for (std::int64_t i = 0; T& v : x.write()) v = static_cast<T>(i++) / static_cast<T>(n) - T{0.5};
  exponential<T, Order>.on(device)(y, x).wait();
  const double ms = samples::milliseconds([&] { exponential<T, Order>.on(device)(y, x).wait(); });

  double error = 0;
  const auto in = x.read();
  const auto out = y.read();
  for (std::size_t i = 0; i < in.size(); ++i)
    error = std::max(error, std::abs(static_cast<double>(out[i]) - std::exp(static_cast<double>(in[i]))));
  const bool right = error < tolerance;
  fmt::print("exponential<{}, {}> on {}: error {:.1e}: {}, {:.3f} ms\n", type, Order, device.describe().name, error,
             right ? "right" : "WRONG", ms);
  return right;
}

int main() try {
  sv::device device;
  // The remainder of the series is below 1.01 x^(Order+1) / (Order+1)!; the rest is rounding.
  bool right = run<float, 4>(device, "float", 3e-4);
  right = run<float, 8>(device, "float", 3e-7) && right;
  right = run<double, 8>(device, "double", 6e-9) && right;
  right = run<double, 14>(device, "double", 2e-15) && right;
  return right ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "template_kernel: {}\n", error.what());
  return 1;
}
