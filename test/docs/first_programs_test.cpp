// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs that show how Selvage should read, as they were written down before it existed, on the best device here.
#include <selvage/selvage.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace sv = selvage;

namespace {

// clang-format off: these stand as they were written down
// y += a x : the domain is y's extent; each work-item owns y(i)
inline constexpr auto daxpy = sv::kernel<"daxpy">(
    [](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
      auto i = sv::global_id(y);
      y(i) += a * x(i);
    });

// C = A B, as in the formula
inline constexpr auto matmul = sv::kernel<"matmul">(
    [](sv::out<double, 2> c, sv::in<double, 2> a, sv::in<double, 2> b) {
      auto [i, j] = sv::global_id(c);
      c(i, j) = sv::sum(a.extent(1), [=](auto k) { return a(i, k) * b(k, j); });
    });

// variables and control flow: a scope parameter gives what belongs to the work-item (variables, groups, barriers)
inline constexpr auto mandelbrot = sv::kernel<"mandelbrot">(
    [](sv::scope k, sv::out<int, 2> image, sv::value<float> scale, sv::value<int> limit) {
      auto [row, column] = sv::global_id(image);
      auto x = k.var(0.0f);
      auto y = k.var(0.0f);
      auto n = k.var(0);
      k.while_([&] { return x * x + y * y < 4.0f && n < limit; },
               [&] { auto t = x * x - y * y + scale * sv::cast<float>(column); y = 2.0f * x * y + scale * sv::cast<float>(row); x = t; n += 1; });
      image(row, column) = n;
    });

// clang-format on

/// The same in plain C++. With a scale of 2^-5 and three steps nothing is rounded where it decides, so that contraction
/// into fused operations, which devices may do, changes nothing.
int steps(float re, float im, int limit) {
  float x = 0, y = 0;
  int n = 0;
  while (x * x + y * y < 4.0f && n < limit) {
    const float t = x * x - y * y + re;
    y = 2.0f * x * y + im;
    x = t;
    ++n;
  }
  return n;
}

}  // namespace

TEST_CASE("first programs: daxpy, data move by access mode") {
  const std::int64_t n = 1000;
  sv::device device;                  // the best one here; SELVAGE_DEVICE overrides
  sv::buffer<double> x(n), y(n);      // host and device copies, kept coherent by access mode
  std::ranges::fill(x.write(), 1.0);  // a std::span on the host copy
  std::ranges::fill(y.write(), 3.0);
  daxpy.on(device)(y, x, 2.0);  // asynchronous; x and y go over, nothing comes back yet
  CHECK(y.read()[0] == 5.0);    // waits, brings y back, once
  CHECK(std::ranges::all_of(y.read(), [](double v) { return v == 5.0; }));
}

TEST_CASE("first programs: matmul, every element of 1000 x 1000 is 2000") {
  const std::int64_t n = 1000;
  sv::device device;
  sv::buffer<double, 2> a(n, n), b(n, n), c(n, n);
  std::ranges::fill(a.write(), 1.0);
  std::ranges::fill(b.write(), 2.0);
  matmul.on(device)(c, a, b);
  CHECK(std::ranges::all_of(c.read(), [](double v) { return v == 2000.0; }));
}

TEST_CASE("first programs: mandelbrot, on a queue of one's own") {
  const std::int64_t n = 64;
  const int limit = 3;
  sv::queue queue;
  sv::buffer<int, 2> image(n, n);
  const sv::event done = mandelbrot.on(queue)(image, 0.03125f, limit);
  done.wait();
  std::vector<int> expected;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column)
      expected.push_back(steps(0.03125f * static_cast<float>(column), 0.03125f * static_cast<float>(row), limit));
  CHECK(std::ranges::equal(image.read(), expected));
}
