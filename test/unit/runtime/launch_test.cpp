// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches: what they compute, and what is refused before anything happens.
#include "check.hpp"
#include "images.hpp"
#include "test_device.hpp"

#include <algorithm>
#include <vector>

using namespace selvage;
using namespace selvage::test;

namespace {

std::vector<double> contents(const buffer<double>& b) {
  return {b.read().begin(), b.read().end()};
}

struct two_devices {
  std::shared_ptr<test_device> fake = std::make_shared<test_device>();
  std::vector<device> all{device("host"), device::own(fake, "test")};
};

}  // namespace

TEST_CASE("daxpy computes on the host and on a device with memory of its own") {
  two_devices devices;
  test_kernel daxpy(daxpy_image());
  for (const device& d : devices.all) {
    for (const std::int64_t n : {1, 5, 1000, 100000}) {
      buffer<double> x(n), y(n);
      std::ranges::fill(x.write(), 2.0);
      std::ranges::fill(y.write(), 1.0);
      daxpy(d, y, x, 3.0);
      daxpy(d, y, x, 0.5);
      const auto result = y.read();
      CHECK(std::ranges::all_of(result, [](double v) { return v == 8.0; }));
    }
  }
}

TEST_CASE("two dimensions, the last axis fastest; views with strides") {
  two_devices devices;
  test_kernel add_one(add_one_image());
  for (const device& d : devices.all) {
    buffer<double, 2> m(30, 70);
    std::ranges::fill(m.write(), 1.0);
    add_one(d, m);
    CHECK(std::ranges::all_of(m.read(), [](double v) { return v == 2.0; }));
  }
  std::vector<double> memory(100, 0.0);
  const auto every_other = view<double, 2>::from_device(memory.data(), {5, 5}, {20, 2});
  add_one(device("host"), every_other).wait();
  CHECK(memory[2] == 1.0);
  CHECK(memory[1] == 0.0);
  CHECK(memory[20] == 1.0);
  CHECK(memory[10] == 0.0);
  CHECK(std::ranges::count(memory, 1.0) == 25);
}

TEST_CASE("the domain given at the launch") {
  test_kernel iota(iota_image());
  const device d("host");
  buffer<double> y(10);
  std::ranges::fill(y.write(), -1.0);
  const argument list[] = {make_argument(y)};
  launch(iota.image.view(), iota.slot, d.default_queue(), list, ir::extents{7, 1, 1});
  CHECK(contents(y) == std::vector<double>{0, 1, 2, 3, 4, 5, 6, -1, -1, -1});
  check_throws(error_code::invalid_argument, {"iota"},
               [&] { launch(iota.image.view(), iota.slot, d.default_queue(), list); });
  check_throws(error_code::out_of_bounds, {"iota", "argument 0"},
               [&] { launch(iota.image.view(), iota.slot, d.default_queue(), list, ir::extents{11, 1, 1}); });
}

TEST_CASE("an empty domain launches nothing") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel daxpy(daxpy_image());
  buffer<double> x(0), y(0);
  CHECK(daxpy(d, y, x, 1.0).done());
  CHECK(daxpy(d, y, x, 1.0).done());
  CHECK(d.statistics().launches == 0);
  CHECK(d.statistics().kernels_loaded == 0);
}

TEST_CASE("arguments of a wrong number, type, rank or kind are refused") {
  const device d("null");
  test_kernel daxpy(daxpy_image());
  buffer<double> x(4), y(4);
  buffer<float> f(4);
  buffer<double, 2> m(2, 2);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 1.0);
  std::ranges::fill(f.write(), 1.0f);
  const auto refused = [&](std::initializer_list<const char*> parts, auto&&... a) {
    check_throws(error_code::invalid_argument, parts, [&] { daxpy(d, a...); });
  };
  refused({"kernel 'daxpy' takes 3 arguments; 2 were given"}, y, x);
  refused({"argument 1 of kernel 'daxpy' is in<double>", "buffer<float>"}, y, f, 1.0);
  refused({"argument 0 of kernel 'daxpy' is inout<double>", "buffer<double, 2>"}, m, x, 1.0);
  refused({"argument 2 of kernel 'daxpy' is value<double>", "value of type float"}, y, x, 1.0f);
  refused({"argument 2 of kernel 'daxpy' is value<double>", "buffer<double>"}, y, x, x);
  refused({"argument 1 of kernel 'daxpy' is in<double>", "value of type double"}, y, 2.0, 1.0);
  double memory[8] = {};
  refused({"argument 0", "const elements"}, view<const double>::from_device(memory, {4}), x, 1.0);
  refused({"argument 0", "several indices for the same memory", "strides [0]"},
          view<double>::from_device(memory, {4}, {0}), x, 1.0);
  refused({"argument 0", "null pointer"}, view<double>::from_device(nullptr, {4}), x, 1.0);
  refused({"argument 1", "extent 0 of the view is -4"}, y, view<double>::from_device(memory, {-4}), 1.0);
  refused({"argument 1", "not a multiple of the 8 bytes"}, y,
          view<double>::from_device(reinterpret_cast<double*>(reinterpret_cast<char*>(memory) + 4), {4}), 1.0);
  CHECK(d.statistics().launches == 0);
}

TEST_CASE("contents that nobody wrote are not read by a kernel, but may be written") {
  two_devices devices;
  test_kernel daxpy(daxpy_image());
  test_kernel fill(fill_image());
  for (const device& d : devices.all) {
    buffer<double> x(4), y(4);
    std::ranges::fill(x.write(), 1.0);
    check_throws(error_code::invalid_argument, {"argument 0 of kernel 'daxpy' is 'inout'", "nobody has written"},
                 [&] { daxpy(d, y, x, 1.0); });
    fill(d, y, 4.0);
    daxpy(d, y, x, 1.0);
    CHECK(contents(y) == std::vector<double>(4, 5.0));
  }
}

TEST_CASE("overlapping arguments are refused if one is written") {
  two_devices devices;
  test_kernel daxpy(daxpy_image());
  test_kernel copy(copy_image());
  for (const device& d : devices.all) {
    buffer<double> x(4);
    std::ranges::fill(x.write(), 1.0);
    check_throws(error_code::overlap,
                 {"kernel 'daxpy': arguments 0 and 1 overlap, and argument 0 is written", "same buffer"},
                 [&] { daxpy(d, x, x, 2.0); });
    std::vector<double> v(10, 1.0);
    buffer<double> low{std::span(v).subspan(0, 5)};
    buffer<double> high{std::span(v).subspan(4, 5)};
    check_throws(error_code::overlap, {"arguments 0 and 1 overlap", "host bytes [0x"},
                 [&] { daxpy(d, low, high, 2.0); });
    buffer<double> apart{std::span(v).subspan(5, 5)};
    daxpy(d, low, apart, 2.0);
    CHECK(contents(low) == std::vector<double>(5, 3.0));
  }
  const device host("host");
  std::vector<double> v(20, 1.0);
  const auto even = view<double>::from_device(v.data(), {10}, {2});
  const auto odd = view<double>::from_device(v.data() + 1, {10}, {2});
  daxpy(host, even, odd, 2.0).wait();
  CHECK(v[0] == 3.0);
  CHECK(v[1] == 1.0);
  const auto shifted = view<double>::from_device(v.data() + 2, {9}, {2});
  check_throws(error_code::overlap, {"arguments 0 and 1 overlap", "device bytes"},
               [&] { copy(host, view<double>::from_device(v.data(), {9}, {2}), shifted); });
  // Two arguments that are only read may be one.
  test_kernel gather(gather_image());
  buffer<double> y(10);
  buffer<std::int64_t> index(10);
  std::ranges::fill(index.write(), 3);
  gather(host, y, view<const double>::from_device(v.data(), {20}), index);
  CHECK(contents(y) == std::vector<double>(10, 1.0));
}

TEST_CASE("bounds are decided before the launch") {
  const device d("null");
  test_kernel daxpy(daxpy_image());
  buffer<double> x(3), y(4);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 1.0);
  check_throws(error_code::out_of_bounds, {"kernel 'daxpy', argument 1", "[0, 3]", "extent 3", "line 7"},
               [&] { daxpy(d, y, x, 1.0); });
}

TEST_CASE("after a refused launch nothing has changed") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel daxpy(daxpy_image());
  buffer<double> x(3), y(4);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 1.0);
  CHECK_THROWS_AS(daxpy(d, y, x, 1.0), error);
  CHECK_THROWS_AS(daxpy(d, y, y, 1.0), error);
  CHECK_THROWS_AS(daxpy(d, y, x), error);
  const device_statistics s = d.statistics();
  CHECK(s.launches == 0);
  CHECK(s.copies_to_device == 0);
  CHECK(s.allocations == 0);
  CHECK(s.kernels_loaded == 0);
  CHECK(contents(y) == std::vector<double>(4, 1.0));
  CHECK(d.statistics().copies_to_host == 0);
}

TEST_CASE("a launch after a failed one works; what was written in part is not valid") {
  const auto fake = std::make_shared<test_device>();
  const device d = device::own(fake, "test");
  test_kernel daxpy(daxpy_image());
  buffer<double> x(4), y(4);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 1.0);
  fake->fail_next_launch = true;
  check_throws(error_code::device_failure, {"told to fail"}, [&] { daxpy(d, y, x, 1.0); });
  daxpy(d, y, x, 1.0);
  CHECK(contents(y) == std::vector<double>(4, 2.0));
}

TEST_CASE("out of device memory: what for, how much, how much is in use; then it goes on") {
  const auto fake = std::make_shared<test_device>(1 << 20);
  const device d = device::own(fake, "test");
  test_kernel fill(fill_image());
  buffer<double> small(1000);
  fill(d, small, 1.0);
  {
    buffer<double> large(200000);
    check_throws(error_code::out_of_memory,
                 {"device 'test' (device for tests)", "no 1600000 bytes", "for argument 0 of kernel 'fill'",
                  "8000 of its 1048576 bytes"},
                 [&] { fill(d, large, 1.0); });
    check_throws(error_code::invalid_argument, {"nobody has written"}, [&] { (void)large.read(); });
  }
  fill(d, small, 2.0);
  CHECK(contents(small) == std::vector<double>(1000, 2.0));
  // Memory that was given up while in flight is waited for when there is none left.
  for (int k = 0; k < 10; ++k) {
    buffer<double> big(100000);
    fill(d, big, 1.0);
  }
  CHECK(d.statistics().bytes_in_use <= 1 << 20);
}
