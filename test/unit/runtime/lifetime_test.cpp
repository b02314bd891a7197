// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Destroying buffers, queues, events and devices in any order, with work in flight. The sanitizers look on.
#include "check.hpp"
#include "images.hpp"
#include "test_device.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <thread>
#include <vector>

using namespace selvage;
using namespace selvage::test;

namespace {
constexpr std::int64_t n = 2000;
}

TEST_CASE("buffers may be destroyed while kernels use them") {
  const auto fake = std::make_shared<test_device>();
  test_kernel daxpy(daxpy_image());
  for (const device& d : {device("host"), device::own(fake, "test")}) {
    buffer<double> y(n);
    std::ranges::fill(y.write(), 0.0);
    fake->hold();
    for (int k = 0; k < 50; ++k) {
      buffer<double> x(n);
      std::ranges::fill(x.write(), 1.0);
      daxpy(d, y, x, 1.0);
    }
    fake->release();
    CHECK(std::ranges::all_of(y.read(), [](double v) { return v == 50.0; }));
  }
}

TEST_CASE("memory that was in flight is freed when the work is over") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel fill(fill_image());
  fake->hold();
  for (int k = 0; k < 10; ++k) {
    buffer<double> x(n);
    fill(d, x, 1.0);
  }
  CHECK(d.statistics().bytes_in_use == 10 * n * 8);
  fake->release();
  d.synchronise();
  CHECK(d.statistics().bytes_in_use == 0);
}

TEST_CASE("a borrowing buffer's destructor waits") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel fill(fill_image());
  std::vector<double> v(n, 0.0);
  std::thread opener;
  {
    buffer<double> y(v);
    fake->hold();
    fill(d, y, 4.0);
    opener = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      fake->release();
    });
  }
  CHECK(v == std::vector<double>(n, 4.0));
  opener.join();
  // On the host the kernel works on the borrowed memory itself.
  for (int k = 0; k < 20; ++k) {
    std::vector<double> local(n, 0.0);
    {
      buffer<double> y(local);
      fill(device("host"), y, 1.0);
    }
    CHECK(local[n - 1] == 1.0);
  }
}

TEST_CASE("handles of everything dropped in random order, with work in flight") {
  test_kernel daxpy(daxpy_image());
  test_kernel gather(gather_image());
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    auto fake = std::make_shared<test_device>();
    std::optional<device> d = round % 3 == 0 ? device("host") : device::own(fake, "test");
    std::vector<std::optional<queue>> queues;
    std::vector<std::optional<buffer<double>>> buffers;
    std::optional<buffer<std::int64_t>> index(std::in_place, n);
    std::vector<event> events;
    std::ranges::fill(index->write(), 1);
    for (int k = 0; k < 3; ++k) queues.emplace_back(std::in_place, *d);
    for (int k = 0; k < 4; ++k) {
      buffers.emplace_back(std::in_place, n);
      std::ranges::fill(buffers.back()->write(), 1.0);
    }
    const auto pick = [&](std::size_t below) {
      return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
    };
    for (int k = 0; k < 20; ++k) {
      const std::size_t a = pick(4);
      const std::size_t b = (a + 1 + pick(3)) % 4;
      const queue& q = *queues[pick(3)];
      events.push_back(k % 4 == 0 ? gather(q, *buffers[a], *buffers[b], *index)
                                  : daxpy(q, *buffers[a], *buffers[b], 0.25));
    }
    std::vector<int> what{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    std::ranges::shuffle(what, random);
    for (const int w : what) {
      if (w < 3)
        queues[static_cast<std::size_t>(w)].reset();
      else if (w < 7)
        buffers[static_cast<std::size_t>(w - 3)].reset();
      else if (w == 7)
        d.reset();
      else if (w == 8)
        index.reset();
      else
        events.clear();
    }
  }
}

TEST_CASE("a moved-from buffer is empty-handed; a launch keeps what it got") {
  const device d("host");
  test_kernel fill(fill_image());
  buffer<double> a(n);
  fill(d, a, 2.0);
  buffer<double> b = std::move(a);
  CHECK(b.read()[0] == 2.0);
  check_throws(error_code::invalid_argument, {"moved from"}, [&] { (void)a.read(); });
  check_throws(error_code::invalid_argument, {"moved from"}, [&] { (void)a.write(); });
  check_throws(error_code::invalid_argument, {"moved from"}, [&] { a.prefetch(d); });
  check_throws(error_code::invalid_argument, {"kernel 'fill'", "argument 0", "moved from"}, [&] { fill(d, a, 3.0); });
  a = std::move(b);
  CHECK(a.read()[1] == 2.0);
}
