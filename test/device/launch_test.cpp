// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that are right: their values, and what they move.
#include "programs.hpp"

#include <device_fixture.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace sv = selvage;
using namespace programs;

namespace {

void randomise(std::span<double> values, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (double& v : values) v = any(random);
}

}  // namespace

DEVICE_TEST_CASE("daxpy over sizes at and around the groups' borders") {
  for (const std::int64_t n : {1, 2, 31, 32, 33, 255, 256, 257, 1000, 65537}) {
    sv::buffer<double> x(n), y(n);
    std::iota(x.write().begin(), x.write().end(), 0.0);
    std::ranges::fill(y.write(), 1.0);
    daxpy.on(device)(y, x, 2.0);
    const auto result = y.read();
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < n; ++i)
      wrong += result[static_cast<std::size_t>(i)] != 1.0 + 2.0 * static_cast<double>(i);
    CHECK(wrong == 0);
  }
}

DEVICE_TEST_CASE("an empty domain") {
  sv::buffer<double> x(0), y(0);
  const auto before = device.statistics().launches;
  daxpy.on(device)(y, x, 2.0).wait();
  CHECK(device.statistics().launches == before);
}

DEVICE_TEST_CASE("matmul against a plain loop, on shapes that are no multiple of anything") {
  const std::int64_t rows = 37, columns = 53, depth = 41;
  sv::buffer<double, 2> a(rows, depth), b(depth, columns), c(rows, columns);
  randomise(a.write(), 1);
  randomise(b.write(), 2);
  matmul.on(device)(c, a, b);
  const auto ra = a.read(), rb = b.read(), rc = c.read();
  double worst = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < depth; ++k)
        sum += ra[static_cast<std::size_t>(i * depth + k)] * rb[static_cast<std::size_t>(k * columns + j)];
      worst = std::max(worst, std::abs(sum - rc[static_cast<std::size_t>(i * columns + j)]));
    }
  CHECK(worst < 1e-13);
}

DEVICE_TEST_CASE("matmul of the paper: every element 2000") {
  sv::buffer<double, 2> a(1000, 1000), b(1000, 1000), c(1000, 1000);
  std::ranges::fill(a.write(), 1.0);
  std::ranges::fill(b.write(), 2.0);
  matmul.on(device)(c, a, b);
  CHECK(std::ranges::all_of(c.read(), [](double v) { return v == 2000.0; }));
}

DEVICE_TEST_CASE("mandelbrot: variables and a loop, against the same in C++") {
  const std::int64_t n = 60;
  const float scale = 2.5f / static_cast<float>(n);
  sv::buffer<int, 2> image(n, n);
  mandelbrot.on(device)(image, scale, 50);
  const auto counts = image.read();
  std::int64_t unequal = 0;
  for (std::int64_t row = 0; row < n; ++row)
    for (std::int64_t column = 0; column < n; ++column) {
      float x = 0, y = 0;
      const float re = scale * static_cast<float>(column) - 2.0f, im = scale * static_cast<float>(row) - 1.25f;
      int k = 0;
      for (; x * x + y * y < 4.0f && k < 50; ++k) {
        const float t = x * x - y * y + re;
        y = 2.0f * x * y + im;
        x = t;
      }
      unequal += counts[static_cast<std::size_t>(row * n + column)] != k;
    }
  CHECK(unequal <= n * n / 100);  // where rounding decides
}

DEVICE_TEST_CASE("heat: three dimensions, many steps that alternate between two buffers, one copy each way") {
  const std::int64_t n = 40;
  sv::buffer<double, 3> a(n, n, n), b(n, n, n);
  randomise(a.write(), 3);
  const std::vector<double> begin(a.read().begin(), a.read().end());
  std::ranges::copy(begin, b.write().begin());
  const auto before = device.statistics();
  for (int step = 0; step < 5; ++step) {
    heat.on(device)(b, a);
    heat.on(device)(a, b);
  }
  const auto result = a.read();
  const auto after = device.statistics();
  const bool shares = device.describe().shares_host_memory;
  CHECK(after.copies_to_device - before.copies_to_device == (shares ? 0 : 2));
  CHECK(after.copies_to_host - before.copies_to_host == (shares ? 0 : 1));

  std::vector<double> u = begin, v = begin;
  const auto at = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    return static_cast<std::size_t>((i * n + j) * n + k);
  };
  for (int step = 0; step < 10; ++step, std::swap(u, v))
    for (std::int64_t i = 1; i < n - 1; ++i)
      for (std::int64_t j = 1; j < n - 1; ++j)
        for (std::int64_t k = 1; k < n - 1; ++k)
          v[at(i, j, k)] = u[at(i, j, k)] +
                           0.1 * (u[at(i - 1, j, k)] + u[at(i + 1, j, k)] + u[at(i, j - 1, k)] + u[at(i, j + 1, k)] +
                                  u[at(i, j, k - 1)] + u[at(i, j, k + 1)] - 6.0 * u[at(i, j, k)]);
  double worst = 0;
  for (std::size_t i = 0; i < u.size(); ++i) worst = std::max(worst, std::abs(u[i] - result[i]));
  CHECK(worst < 1e-13);
}

DEVICE_TEST_CASE("a domain given at the launch") {
  sv::buffer<std::int64_t> y(100);
  std::ranges::fill(y.write(), -1);
  square.on(device)(y).over(60);
  CHECK(y.read()[59] == 59 * 59);
  CHECK(y.read()[60] == -1);
}

DEVICE_TEST_CASE("a long and thin domain: more rows than a grid has groups in one axis") {
  sv::buffer<double, 2> a(600000, 3), b(3, 2), c(600000, 2);
  std::ranges::fill(a.write(), 1.0);
  std::ranges::fill(b.write(), 2.0);
  matmul.on(device)(c, a, b);
  CHECK(std::ranges::all_of(c.read(), [](double v) { return v == 6.0; }));
}

DEVICE_TEST_CASE("borrowed memory comes home by itself") {
  std::vector<double> v(1000, 1.0);
  const std::vector<double> w(1000, 3.0);
  {
    sv::buffer y(v);
    const sv::buffer x(w);
    daxpy.on(device)(y, x, 2.0);
  }
  CHECK(v == std::vector<double>(1000, 7.0));
}

DEVICE_TEST_CASE("queues of one device, ordered by what they share") {
  const sv::queue a(device), b(device);
  sv::buffer<double> x(10000), y(10000), z(10000);
  for (int round = 0; round < 20; ++round) {
    fill.on(a)(x, 1.0);
    copy.on(b)(y, x);
    fill.on(a)(x, 2.0);
    daxpy.on(b)(x, y, 10.0);
    copy.on(a)(z, x);
    CHECK(z.read()[9999] == 12.0);
  }
}

TEST_CASE("all devices together, through one buffer") {
  sv::buffer<double> x(5000), y(5000);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 0.0);
  double expected = 0;
  for (int round = 0; round < 4; ++round)
    for (const sv::device& d : sv::test::all_devices()) daxpy.on(d)(y, x, 1.0), expected += 1;
  CHECK(std::ranges::all_of(y.read(), [&](double v) { return v == expected; }));
}
