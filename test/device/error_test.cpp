// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that are wrong: refused before anything happens, or reported at the next synchronisation.
#include "programs.hpp"

#include <device_fixture.hpp>

#include <algorithm>
#include <string>

namespace sv = selvage;
using namespace programs;

namespace {

template <class F>
void check_error(sv::error_code code, const char* part, F&& f) {
  try {
    f();
    FAIL_CHECK("nothing was thrown; expected: " << part);
  } catch (const sv::error& e) {
    const std::string text = e.what();
    INFO(text);
    CHECK(static_cast<int>(e.code()) == static_cast<int>(code));
    CHECK(text.find(part) != std::string::npos);
  }
}

}  // namespace

DEVICE_TEST_CASE("refused launches: overlap, bounds, unwritten contents; nothing was launched or moved") {
  sv::buffer<double> x(10), y(11), empty(11);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 2.0);
  const sv::device_statistics before = device.statistics();
  check_error(sv::error_code::overlap, "arguments 0 and 1 overlap", [&] { daxpy.on(device)(x, x, 2.0); });
  check_error(sv::error_code::out_of_bounds, "kernel 'daxpy', argument 1", [&] { daxpy.on(device)(y, x, 2.0); });
  check_error(sv::error_code::invalid_argument, "nobody has written", [&] { daxpy.on(device)(y, empty, 2.0); });
  check_error(sv::error_code::out_of_bounds, "kernel 'square'", [&] {
    sv::buffer<std::int64_t> s(5);
    std::ranges::fill(s.write(), 0);
    square.on(device)(s).over(6);
  });
  const sv::device_statistics after = device.statistics();
  CHECK(after.launches == before.launches);
  CHECK(after.copies_to_device == before.copies_to_device);
  CHECK(after.allocations == before.allocations);
  CHECK(x.read()[9] == 1.0);
  CHECK(y.read()[10] == 2.0);
}

DEVICE_TEST_CASE("a gather with a bad index is reported with argument, index and work-item, and the device goes on") {
  const std::int64_t n = 100000;
  sv::buffer<double> x(n), y(n);
  sv::buffer<std::int32_t> index(n);
  std::ranges::fill(x.write(), 4.0);
  std::ranges::fill(index.write(), 7);
  gather.on(device)(y, x, index);
  CHECK(y.read()[n - 1] == 4.0);
  index.read_write()[17] = 1048577;
  const sv::event e = gather.on(device)(y, x, index);
  check_error(sv::error_code::out_of_bounds,
              "kernel 'gather', argument 1: index 1048577 of dimension 0 outside extent 100000, work-item (17)",
              [&] { e.wait(); });
  check_error(sv::error_code::out_of_bounds, "work-item (17)", [&] { (void)y.read(); });
  index.read_write()[17] = -1;
  gather.on(device)(y, x, index);
  check_error(sv::error_code::out_of_bounds, "index -1 of dimension 0", [&] { device.synchronise(); });
  index.read_write()[17] = 0;
  gather.on(device)(y, x, index);
  CHECK(y.read()[17] == 4.0);
  CHECK(x.read()[17] == 4.0);
}

DEVICE_TEST_CASE("many bad accesses: one is reported") {
  const std::int64_t n = 100000;
  sv::buffer<double> x(10), y(n);
  sv::buffer<std::int32_t> index(n);
  std::ranges::fill(x.write(), 4.0);
  std::ranges::fill(index.write(), 10);
  gather.on(device)(y, x, index);
  check_error(sv::error_code::out_of_bounds, "index 10 of dimension 0 outside extent 10, work-item (",
              [&] { device.synchronise(); });
  device.synchronise();
}

GPU_TEST_CASE("out of device memory: a clear sentence, and the device goes on") {
  const auto elements = static_cast<std::int64_t>(device.describe().memory_bytes / 8 + 1000000);
  sv::buffer<double> large(elements);
  check_error(sv::error_code::out_of_memory, "bytes left for argument 0 of kernel 'fill'",
              [&] { fill.on(device)(large, 1.0); });
  sv::buffer<double> small(1000);
  fill.on(device)(small, 2.0);
  CHECK(small.read()[999] == 2.0);
}
