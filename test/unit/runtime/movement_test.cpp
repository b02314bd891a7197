// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No byte is moved that need not be: the counts of copies, by access mode.
#include "check.hpp"
#include "images.hpp"
#include "test_device.hpp"

#include <algorithm>
#include <vector>

using namespace selvage;
using namespace selvage::test;

namespace {

constexpr std::int64_t n = 1000;
constexpr std::uint64_t bytes = n * 8;

/// Copies since the last call: to the device, to the host.
class copies {
 public:
  explicit copies(device d) : device_(std::move(d)) {}
  bool are(std::uint64_t up, std::uint64_t down) {
    const device_statistics now = device_.statistics();
    const device_statistics before = std::exchange(last_, now);
    const std::uint64_t to = now.copies_to_device - before.copies_to_device;
    const std::uint64_t from = now.copies_to_host - before.copies_to_host;
    INFO("copies to the device and back: " << to << ", " << from);
    CHECK(now.bytes_to_device - before.bytes_to_device == to * bytes);
    CHECK(now.bytes_to_host - before.bytes_to_host == from * bytes);
    CHECK(to == up);
    CHECK(from == down);
    return to == up && from == down;
  }

 private:
  device device_;
  device_statistics last_{};
};

}  // namespace

TEST_CASE("movement by access mode, on a device with memory of its own") {
  const device d = device::own(std::make_shared<test_device>(), "test");
  copies moved(d);
  test_kernel daxpy(daxpy_image());
  test_kernel fill(fill_image());
  test_kernel copy(copy_image());
  buffer<double> x(n), y(n), z(n);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 1.0);
  REQUIRE(moved.are(0, 0));

  daxpy(d, y, x, 1.0);  // both are read
  REQUIRE(moved.are(2, 0));
  daxpy(d, y, x, 1.0);  // both are there
  REQUIRE(moved.are(0, 0));
  fill(d, z, 5.0);  // wholly written: nothing goes over
  REQUIRE(moved.are(0, 0));
  copy(d, z, y);
  REQUIRE(moved.are(0, 0));
  CHECK(z.read()[0] == 3.0);  // home once
  CHECK(z.read()[1] == 3.0);
  REQUIRE(moved.are(0, 1));
  daxpy(d, y, z, 1.0);  // reading at home does not make the device's copy stale
  REQUIRE(moved.are(0, 0));
  CHECK(x.read()[0] == 1.0);  // never written by the device
  REQUIRE(moved.are(0, 0));
  x.read_write()[0] = 7.0;
  y.write()[0] = 2.0;  // given up: nothing comes home
  REQUIRE(moved.are(0, 0));
  daxpy(d, y, x, 1.0);
  REQUIRE(moved.are(2, 0));
  CHECK(y.read()[0] == 9.0);
  REQUIRE(moved.are(0, 1));
  y.read_write()[0] = 1.0;  // home is up to date
  REQUIRE(moved.are(0, 0));
}

TEST_CASE("prefetch copies ahead, once") {
  const device d = device::own(std::make_shared<test_device>(), "test");
  copies moved(d);
  test_kernel daxpy(daxpy_image());
  buffer<double> x(n), y(n);
  check_throws(error_code::invalid_argument, {"prefetched", "nobody has written"}, [&] { x.prefetch(d); });
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 1.0);
  x.prefetch(d);
  x.prefetch(d);
  REQUIRE(moved.are(1, 0));
  daxpy(d, y, x, 1.0);
  REQUIRE(moved.are(1, 0));
}

TEST_CASE("the host computes on the host's copy: nothing is ever copied") {
  const device d("host");
  const device_statistics before = d.statistics();
  test_kernel daxpy(daxpy_image());
  std::vector<double> v(n, 1.0);
  {
    buffer<double> x(n), y(v);
    std::ranges::fill(x.write(), 1.0);
    daxpy(d, y, x, 1.0);
    CHECK(y.read().data() == v.data());
    CHECK(y.read()[0] == 2.0);
  }
  CHECK(d.statistics().copies_to_device == before.copies_to_device);
  CHECK(d.statistics().copies_to_host == before.copies_to_host);
  CHECK(d.statistics().bytes_in_use == before.bytes_in_use);
}

TEST_CASE("between devices the contents go by way of the host, and each keeps its copy") {
  const device a = device::own(std::make_shared<test_device>(), "a");
  const device b = device::own(std::make_shared<test_device>(), "b");
  const device host("host");
  copies moved_a(a), moved_b(b);
  test_kernel daxpy(daxpy_image());
  test_kernel fill(fill_image());
  buffer<double> x(n), y(n);
  fill(a, x, 2.0);
  fill(b, y, 1.0);
  daxpy(b, y, x, 1.0);
  REQUIRE(moved_a.are(0, 1));
  REQUIRE(moved_b.are(1, 0));
  daxpy(host, y, x, 1.0);  // x is at home already
  REQUIRE(moved_a.are(0, 0));
  REQUIRE(moved_b.are(0, 1));
  CHECK(y.read()[n - 1] == 5.0);
  daxpy(a, y, x, 1.0);  // x is on a still, y is not
  REQUIRE(moved_a.are(1, 0));
  CHECK(y.read()[n - 1] == 7.0);
  REQUIRE(moved_a.are(0, 1));
  REQUIRE(moved_b.are(0, 0));
}

TEST_CASE("a borrowing buffer goes home when it is destroyed, if the device wrote it, and only then") {
  const device d = device::own(std::make_shared<test_device>(), "test");
  copies moved(d);
  test_kernel daxpy(daxpy_image());
  std::vector<double> u(n, 1.0), v(n, 1.0);
  {
    buffer<double> x(std::as_const(u));
    buffer<double> y(v);
    daxpy(d, y, x, 1.0);
  }
  REQUIRE(moved.are(2, 1));
  CHECK(v == std::vector<double>(n, 2.0));
}

TEST_CASE("the null device counts as a real one does, and computes nothing") {
  const device d("null");
  const device_statistics before = d.statistics();
  test_kernel daxpy(daxpy_image());
  buffer<double> x(n), y(n);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 1.0);
  daxpy(d, y, x, 1.0);
  CHECK(y.read()[0] == 1.0);
  const device_statistics after = d.statistics();
  CHECK(after.launches == before.launches + 1);
  CHECK(after.bytes_to_device == before.bytes_to_device + 2 * bytes);
  CHECK(after.bytes_to_host == before.bytes_to_host + bytes);
  CHECK(after.bytes_in_use == before.bytes_in_use + 2 * bytes);
}
