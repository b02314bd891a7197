// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may be used from several threads at once is: devices, queues, kernels, and buffers that are only read.
#include "check.hpp"
#include "images.hpp"
#include "test_device.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

using namespace selvage;
using namespace selvage::test;

namespace {

constexpr std::int64_t n = 3000;

template <class F>
void in_threads(int count, F&& f) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([&f, t] { f(t); });
  for (std::thread& t : threads) t.join();
}

std::vector<device> devices() {
  return {device("host"), device("null"), device::own(std::make_shared<test_device>(), "test")};
}

}  // namespace

TEST_CASE("threads launch one kernel on one device, on one queue and on their own, with one buffer that all read") {
  for (const device& d : devices()) {
    test_kernel daxpy(daxpy_image());
    buffer<double> x(n);
    std::ranges::fill(x.write(), 1.0);
    std::atomic<int> wrong{0};
    in_threads(4, [&](int t) {
      const queue q = t % 2 == 0 ? d.default_queue() : queue(d);
      buffer<double> y(n);
      std::ranges::fill(y.write(), 0.0);
      for (int k = 0; k < 50; ++k) daxpy(q, y, x, 1.0);
      const double expected = d.name() == "null" ? 0.0 : 50.0;
      wrong += !std::ranges::all_of(y.read(), [&](double v) { return v == expected; });
      wrong += x.read()[0] != 1.0;
    });
    CHECK(wrong == 0);
    CHECK(d.statistics().kernels_loaded >= 1);
  }
}

TEST_CASE("threads that write one buffer through launches are put in some order") {
  for (const device& d : devices()) {
    if (d.name() == "null") continue;
    test_kernel daxpy(daxpy_image());
    buffer<double> x(n), y(n);
    std::ranges::fill(x.write(), 1.0);
    std::ranges::fill(y.write(), 0.0);
    in_threads(4, [&](int) {
      const queue q(d);
      for (int k = 0; k < 25; ++k) {
        const event e = daxpy(q, y, x, 1.0);
        if (k % 5 == 0) e.wait();
        if (k % 7 == 0) (void)e.done();
      }
    });
    CHECK(std::ranges::all_of(y.read(), [](double v) { return v == 100.0; }));
  }
}

TEST_CASE("threads read one buffer that a device wrote: it comes home once") {
  const device d = device::own(std::make_shared<test_device>(), "test");
  test_kernel fill(fill_image());
  for (int round = 0; round < 10; ++round) {
    buffer<double> y(n);
    fill(d, y, 6.0);
    std::atomic<int> wrong{0};
    in_threads(4, [&](int) { wrong += y.read()[n - 1] != 6.0; });
    CHECK(wrong == 0);
  }
  CHECK(d.statistics().copies_to_host == 10);
}

TEST_CASE("threads synchronise, make queues and drop them while others launch; faults reach somebody") {
  const device d = device::own(std::make_shared<test_device>(), "test");
  test_kernel gather(gather_image());
  buffer<double> x(n);
  std::ranges::fill(x.write(), 1.0);
  std::atomic<int> told{0};
  in_threads(4, [&](int t) {
    buffer<double> y(n);
    buffer<std::int64_t> index(n);
    std::ranges::fill(index.write(), t == 0 ? n : 0);
    for (int k = 0; k < 20; ++k) {
      const queue q = k % 2 == 0 ? queue(d) : d.default_queue();
      gather(q, y, x, index);
      try {
        if (k % 3 == 0)
          d.synchronise();
        else
          q.synchronise();
      } catch (const error&) {
        ++told;
      }
    }
  });
  CHECK(told > 0);
}
