// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel does wrong while it runs: reported at the next synchronisation, and what it wrote is not valid.
#include "check.hpp"
#include "images.hpp"
#include "test_device.hpp"

#include <algorithm>
#include <vector>

using namespace selvage;
using namespace selvage::test;

namespace {

constexpr std::int64_t n = 100;

struct world {
  std::shared_ptr<test_device> fake = std::make_shared<test_device>();
  std::vector<device> devices{device("host"), device::own(fake, "test")};
  test_kernel gather{gather_image()};
  test_kernel daxpy{daxpy_image()};
  test_kernel fill{fill_image()};
  buffer<double> x{n}, y{n};
  buffer<std::int64_t> good{n}, bad{n};

  world() {
    std::ranges::fill(x.write(), 3.0);
    std::ranges::fill(good.write(), 5);
    std::ranges::fill(bad.write(), 5);
    bad.read_write()[17] = 1048577;
  }
  static constexpr std::initializer_list<const char*> sentence = {
      "kernel 'gather', argument 1: index 1048577 of dimension 0 outside extent 100, work-item (17)"};
};

}  // namespace

TEST_CASE("a fault is thrown by waiting for the launch, once, and by reading what it wrote, always") {
  world w;
  for (const device& d : w.devices) {
    const event e = w.gather(d, w.y, w.x, w.bad);  // returns: nothing is known yet
    check_throws(error_code::out_of_bounds, world::sentence, [&] { e.wait(); });
    e.wait();
    check_throws(error_code::out_of_bounds, world::sentence, [&] { (void)w.y.read(); });
    check_throws(error_code::out_of_bounds, {"not valid until it is written anew"}, [&] { (void)w.y.read(); });
    check_throws(error_code::out_of_bounds, {"argument 1 of kernel 'daxpy' has no valid contents", "work-item (17)"},
                 [&] { w.daxpy(d, w.x, w.y, 1.0); });
    CHECK(w.x.read()[0] == 3.0);
    // Rewritten, it is valid.
    w.gather(d, w.y, w.x, w.good);
    CHECK(w.y.read()[17] == 3.0);
  }
}

TEST_CASE("a fault is thrown by reading, by synchronising the queue and by synchronising the device") {
  world w;
  for (const device& d : w.devices) {
    w.gather(d, w.y, w.x, w.bad);
    check_throws(error_code::out_of_bounds, world::sentence, [&] { (void)w.y.read(); });
    d.default_queue().synchronise();
    w.gather(d, w.y, w.x, w.bad);
    check_throws(error_code::out_of_bounds, world::sentence, [&] { d.default_queue().synchronise(); });
    const queue q(d);
    w.gather(q, w.y, w.x, w.bad);
    check_throws(error_code::out_of_bounds, world::sentence, [&] { d.synchronise(); });
    d.synchronise();
  }
}

TEST_CASE("what is launched after a fault, before anybody knows, does not make the contents valid") {
  world w;
  for (const device& d : w.devices) {
    const queue other(d);
    std::ranges::fill(w.y.write(), 0.0);
    w.gather(d, w.y, w.x, w.bad);
    w.daxpy(other, w.y, w.x, 1.0);  // changes part of what is already lost
    check_throws(error_code::out_of_bounds, world::sentence, [&] { (void)w.y.read(); });
    w.fill(d, w.y, 1.0);  // writes it wholly
    CHECK(w.y.read()[0] == 1.0);
  }
}

TEST_CASE("a fault that was overwritten before anybody looked is reported, and what replaced it is valid") {
  world w;
  for (const device& d : w.devices) {
    w.gather(d, w.y, w.x, w.bad);
    w.fill(d, w.y, 2.0);
    check_throws(error_code::out_of_bounds, world::sentence, [&] { d.synchronise(); });
    CHECK(w.y.read()[0] == 2.0);
  }
}

TEST_CASE("borrowed memory keeps its old contents when the launch that wrote it failed") {
  world w;
  for (const device& d : w.devices) {
    if (d.describe().shares_host_memory) continue;
    std::vector<double> v(n, 7.0);
    {
      buffer<double> y(v);
      w.gather(d, y, w.x, w.bad);
    }
    CHECK(v == std::vector<double>(n, 7.0));
    // The destructor threw nothing; the queue still tells.
    check_throws(error_code::out_of_bounds, world::sentence, [&] { d.synchronise(); });
  }
}

TEST_CASE("many launches that may fault, never waited for, need bounded memory and lose no fault") {
  world w;
  for (const device& d : w.devices) {
    const queue q(d);
    for (int k = 0; k < 3000; ++k) w.gather(q, w.y, w.x, w.good);
    w.gather(q, w.y, w.x, w.bad);
    buffer<double> z(n);
    for (int k = 0; k < 3000; ++k) w.gather(q, z, w.x, w.good);
    check_throws(error_code::out_of_bounds, world::sentence, [&] { q.synchronise(); });
    CHECK(z.read()[0] == 3.0);
    check_throws(error_code::out_of_bounds, world::sentence, [&] { (void)w.y.read(); });
  }
}
