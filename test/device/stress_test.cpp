// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many threads, many buffers, everything destroyed with work in flight.
#include "programs.hpp"

#include <device_fixture.hpp>

#include <algorithm>
#include <atomic>
#include <optional>
#include <random>
#include <thread>
#include <vector>

namespace sv = selvage;
using namespace programs;

DEVICE_TEST_CASE("eight threads launch on one device, reading one buffer") {
  const std::int64_t n = 20000;
  sv::buffer<double> x(n);
  std::ranges::fill(x.write(), 1.0);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      try {
        const sv::queue q = t % 2 == 0 ? device.default_queue() : sv::queue(device);
        sv::buffer<double> y(n);
        fill.on(q)(y, 0.0);
        for (int k = 0; k < 100; ++k) daxpy.on(q)(y, x, 1.0);
        wrong += !std::ranges::all_of(y.read(), [](double v) { return v == 100.0; });
      } catch (const std::exception&) {
        ++wrong;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}

DEVICE_TEST_CASE("temporary buffers in a loop without any wait") {
  const std::int64_t n = 100000;
  sv::buffer<double> y(n);
  fill.on(device)(y, 0.0);
  for (int k = 0; k < 200; ++k) {
    sv::buffer<double> x(n);
    fill.on(device)(x, 1.0);
    daxpy.on(device)(y, x, 1.0);
  }
  CHECK(std::ranges::all_of(y.read(), [](double v) { return v == 200.0; }));
  device.synchronise();
}

DEVICE_TEST_CASE("queues, buffers and events dropped in random order with work in flight") {
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::optional<sv::queue>> queues;
    std::vector<std::optional<sv::buffer<double>>> buffers;
    std::vector<sv::event> events;
    for (int k = 0; k < 3; ++k) queues.emplace_back(std::in_place, device);
    for (int k = 0; k < 4; ++k) {
      buffers.emplace_back(std::in_place, 50000);
      fill.on (*queues[0])(*buffers.back(), 1.0);
    }
    const auto pick = [&](std::size_t below) {
      return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
    };
    for (int k = 0; k < 20; ++k) {
      const std::size_t a = pick(4);
      events.push_back(daxpy.on(*queues[pick(3)])(*buffers[a], *buffers[(a + 1 + pick(3)) % 4], 0.25));
    }
    std::vector<int> what{0, 1, 2, 3, 4, 5, 6, 7};
    std::ranges::shuffle(what, random);
    for (const int w : what) {
      if (w < 3)
        queues[static_cast<std::size_t>(w)].reset();
      else if (w < 7)
        buffers[static_cast<std::size_t>(w - 3)].reset();
      else
        events.clear();
    }
  }
  device.synchronise();
}
