// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order: launches that conflict on a buffer, across queues and devices; events made only when they are needed.
#include "check.hpp"
#include "images.hpp"
#include "test_device.hpp"

#include <algorithm>
#include <thread>
#include <vector>

using namespace selvage;
using namespace selvage::test;

namespace {
constexpr std::int64_t n = 256;
}

TEST_CASE("one queue needs no event; the host waits for the queue itself") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel daxpy(daxpy_image());
  buffer<double> x(n), y(n);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 0.0);
  for (int k = 0; k < 100; ++k) daxpy(d, y, x, 1.0);
  CHECK(fake->events_recorded == 0);
  CHECK(y.read()[0] == 100.0);
  CHECK(fake->events_recorded == 0);
  CHECK(d.statistics().synchronisations == 1);
}

TEST_CASE("conflicting launches on different queues run in the order of the launches") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel daxpy(daxpy_image());
  test_kernel copy(copy_image());
  test_kernel fill(fill_image());
  const queue a(d), b(d), c(d);
  for (int round = 0; round < 20; ++round) {
    buffer<double> x(n), y(n), z(n);
    fake->hold();
    fill(a, x, 1.0);       // write
    copy(b, y, x);         // read after write
    copy(c, z, x);         // read after write, beside the other
    fill(a, x, 2.0);       // write after two reads
    daxpy(b, x, y, 10.0);  // write after write
    fake->release();
    CHECK(x.read()[0] == 12.0);
    CHECK(y.read()[0] == 1.0);
    CHECK(z.read()[0] == 1.0);
  }
  CHECK(fake->waits > 0);
}

TEST_CASE("launches without conflict do not wait for each other") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel copy(copy_image());
  const queue a(d), b(d);
  buffer<double> x(n), y(n), z(n);
  std::ranges::fill(x.write(), 1.0);
  x.prefetch(d);
  d.synchronise();
  copy(a, y, x);
  copy(b, z, x);  // both only read x
  d.synchronise();
  CHECK(fake->waits == 0);
  CHECK(fake->events_recorded == 0);
}

TEST_CASE("a queue waits once for what it already starts after") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel daxpy(daxpy_image());
  test_kernel fill(fill_image());
  const queue a(d), b(d);
  buffer<double> x(n), y(n);
  fake->hold();
  fill(a, x, 1.0);
  fill(a, y, 1.0);
  daxpy(b, y, x, 1.0);
  daxpy(b, y, x, 1.0);
  CHECK(fake->events_recorded == 1);
  CHECK(fake->waits == 1);
  fake->release();
  CHECK(y.read()[0] == 3.0);
}

TEST_CASE("across devices, too") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  const device host("host");
  test_kernel daxpy(daxpy_image());
  test_kernel fill(fill_image());
  buffer<double> x(n), y(n);
  fill(d, x, 1.0);
  fill(host, y, 1.0);
  for (int k = 0; k < 10; ++k) {
    daxpy(d, y, x, 1.0);
    daxpy(host, x, y, 1.0);
  }
  double ex = 1.0, ey = 1.0;
  for (int k = 0; k < 10; ++k) ey += ex, ex += ey;
  CHECK(x.read()[n - 1] == ex);
  CHECK(y.read()[n - 1] == ey);
}

TEST_CASE("the host may write its copy while kernels still use the device's") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel copy(copy_image());
  buffer<double> x(n), y(n);
  std::ranges::fill(x.write(), 1.0);
  x.prefetch(d);
  d.synchronise();
  fake->hold();
  const event e = copy(d, y, x);
  std::ranges::fill(x.write(), 2.0);  // does not wait for the kernel
  CHECK_FALSE(e.done());
  copy(d, y, x);  // brings the new contents, after the first kernel
  fake->release();
  CHECK(y.read()[0] == 2.0);
}

TEST_CASE("the host's write waits for a copy that still reads its memory") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel copy(copy_image());
  buffer<double> x(n), y(n);
  std::ranges::fill(x.write(), 1.0);
  fake->hold();
  copy(d, y, x);
  std::thread writer([&] { std::ranges::fill(x.write(), 2.0); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  fake->release();
  writer.join();
  CHECK(y.read()[0] == 1.0);
}

TEST_CASE("events: done, wait, and waiting for one on another queue") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel fill(fill_image());
  const queue a(d), b(d);
  buffer<double> x(n), y(n);
  CHECK(event().done());
  event().wait();
  fake->hold();
  const event e = fill(a, x, 1.0);
  CHECK_FALSE(e.done());
  CHECK_FALSE(e.done());
  CHECK(fake->events_recorded == 1);
  b.wait(e);
  const event f = fill(b, y, 1.0);
  CHECK_FALSE(f.done());
  fake->release();
  f.wait();
  CHECK(e.done());
  CHECK(f.done());
  const event all = a.record();
  all.wait();
  CHECK(a.device() == d);
}

TEST_CASE("the host's queues: in order each, ordered by conflicts among each other") {
  const device host("host");
  test_kernel daxpy(daxpy_image());
  test_kernel copy(copy_image());
  const queue a(host), b(host);
  buffer<double> x(50000), y(50000);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 0.0);
  for (int k = 0; k < 50; ++k) {
    daxpy(a, y, x, 1.0);
    copy(b, x, y);
    daxpy(b, x, y, -1.0);
    daxpy(a, x, y, 1.0);
  }
  double ex = 1.0, ey = 0.0;
  for (int k = 0; k < 50; ++k) ey += ex, ex = ey, ex -= ey, ex += ey;
  CHECK(std::ranges::all_of(x.read(), [&](double v) { return v == ex; }));
  CHECK(std::ranges::all_of(y.read(), [&](double v) { return v == ey; }));
}
