// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers by themselves: construction, host access, borrowing.
#include "check.hpp"
#include "images.hpp"
#include "test_device.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace selvage;
using namespace selvage::test;

TEST_CASE("a buffer's extents, size and host copy") {
  buffer<float, 2> b(3, 4u);
  CHECK(b.extents() == std::array<std::int64_t, 2>{3, 4});
  CHECK(b.extent(1) == 4);
  CHECK(b.size() == 12);
  const std::span<float> w = b.write();
  CHECK(w.size() == 12);
  CHECK(reinterpret_cast<std::uintptr_t>(w.data()) % 64 == 0);
  std::iota(w.begin(), w.end(), 1.0f);
  CHECK(b.read()[11] == 12.0f);
  b.read_write()[0] = 5;
  CHECK(b.read()[0] == 5.0f);
  CHECK(b.read()[1] == 2.0f);
  const buffer<int, 0> scalar;
  CHECK(scalar.size() == 1);
}

TEST_CASE("reading a buffer that nobody wrote is an error; an empty one has nothing to write") {
  buffer<double> b(5);
  check_throws(error_code::invalid_argument, {"nobody has written", "write()"}, [&] { (void)b.read(); });
  check_throws(error_code::invalid_argument, {"nobody has written"}, [&] { (void)b.read_write(); });
  std::ranges::fill(b.write(), 1.0);
  CHECK(b.read()[4] == 1.0);
  buffer<double> none(0);
  CHECK(none.read().empty());
  CHECK(none.write().empty());
}

TEST_CASE("impossible extents are refused") {
  check_throws(error_code::invalid_argument, {"extent 1 of a buffer is -2"}, [] { buffer<double, 2> b(3, -2); });
  check_throws(error_code::invalid_argument, {"does not fit"}, [] { buffer<double> b(~std::uint64_t{0}); });
  check_throws(error_code::out_of_memory, {"larger than any memory"},
               [] { buffer<double, 2> b(1LL << 40, 1LL << 40); });
  buffer<char> huge(std::int64_t{1} << 59);  // nothing is allocated before it is needed
  check_throws(error_code::out_of_memory, {"576460752303423488", "the host"}, [&] { (void)huge.write(); });
}

TEST_CASE("a borrowing buffer works on the caller's memory") {
  std::vector<double> v{1, 2, 3};
  {
    buffer b(v, 3);
    static_assert(std::is_same_v<decltype(b), buffer<double, 1>>);
    CHECK(b.read().data() == v.data());
    b.write()[1] = 7;
  }
  CHECK(v[1] == 7);
  buffer<double, 2> two(v, 1, 3);
  CHECK(two.extent(1) == 3);
  check_throws(error_code::invalid_argument, {"[2, 2]", "3 elements", "needs 4"},
               [&] { buffer<double, 2> b(v, 2, 2); });
  const std::vector<double> fixed{1, 2};
  buffer read_only(fixed);
  CHECK(read_only.read()[1] == 2);
  check_throws(error_code::invalid_argument, {"read-only"}, [&] { (void)read_only.write(); });
  const auto fake = std::make_shared<test_device>();
  test_kernel fill(fill_image());
  check_throws(error_code::invalid_argument, {"argument 0 of kernel 'fill'", "read-only memory"},
               [&] { fill(device::own(fake, "test"), read_only, 1.0); });
}

TEST_CASE("assigning over a borrowing buffer brings its data home first") {
  const device d = device::own(std::make_shared<test_device>(), "test");
  test_kernel fill(fill_image());
  std::vector<double> v(4, 0.0);
  buffer<double> b(v);
  fill(d, b, 3.0);
  b = buffer<double>(2);
  CHECK(v == std::vector<double>(4, 3.0));
}
