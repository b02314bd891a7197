// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More than 2^32 elements, and memory that the program's own CUDA code allocated.
#include "programs.hpp"

#include <device_fixture.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace sv = selvage;
using namespace programs;

namespace {

inline constexpr auto pattern = sv::kernel<"pattern">([](sv::out<std::uint8_t> y) {
  auto i = sv::global_id(y);
  y(i) = sv::cast<std::uint8_t>(i % 251);
});

/// The elements at the places asked for, so that not all of a large array need come home.
inline constexpr auto pick =
    sv::kernel<"pick">([](sv::out<std::uint8_t> y, sv::in<std::uint8_t> x, sv::in<std::int64_t> where) {
      auto i = sv::global_id(y);
      y(i) = x(where(i));
    });

inline constexpr auto plane =
    sv::kernel<"plane">([](sv::out<std::uint8_t, 2> y, sv::value<std::int64_t> a, sv::value<std::int64_t> b) {
      auto [i, j] = sv::global_id(y);
      y(i, j) = sv::cast<std::uint8_t>((i * a + j * b) % 251);
    });

inline constexpr auto pick_of_plane =
    sv::kernel<"pick_of_plane">([](sv::out<std::uint8_t> y, sv::in<std::uint8_t, 2> x, sv::in<std::int64_t> where) {
      auto i = sv::global_id(y);
      y(i) = x(where(i) / x.extent(1), where(i) % x.extent(1));
    });

/// Every row from its last element to its first, so that distances from the first element are large and shifted.
inline constexpr auto mirrored = sv::kernel<"mirrored">([](sv::inout<std::uint8_t, 2> y, sv::in<std::uint8_t, 2> x) {
  auto [i, j] = sv::global_id(x.extent(0) - 1, x.extent(1) - 1);
  y(i + 1, j + 1) = x(x.extent(0) - 1 - i, x.extent(1) - 1 - j);
});

/// Whether the device gives so much memory in one piece; if not, its reason is printed.
bool gives(const sv::device& device, std::int64_t bytes) {
  try {
    sv::buffer<std::uint8_t> y(bytes);
    pattern.on(device)(y).wait();
    return true;
  } catch (const sv::error& e) {
    if (e.code() != sv::error_code::out_of_memory) throw;
    std::printf("skipped: not enough memory (%s)\n", e.what());
    return false;
  }
}

/// Device memory from CUDA itself, as a program with CUDA code of its own has it.
class cuda_memory {
 public:
  explicit cuda_memory(std::size_t bytes) : library_(dlopen("libcuda.so.1", RTLD_NOW)) {
    if (library_ == nullptr) return;
    void* context = nullptr;
    if (call<int (*)(unsigned)>("cuInit")(0) != 0) return;
    if (call<int (*)(void**, int)>("cuDevicePrimaryCtxRetain")(&context, 0) != 0) return;
    if (call<int (*)(void*)>("cuCtxSetCurrent")(context) != 0) return;
    if (call<int (*)(std::uint64_t*, std::size_t)>("cuMemAlloc_v2")(&address_, bytes) != 0) address_ = 0;
  }
  ~cuda_memory() {
    if (address_ != 0) call<int (*)(std::uint64_t)>("cuMemFree_v2")(address_);
  }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(address_);
  }

 private:
  template <class F>
  F call(const char* name) const {
    return reinterpret_cast<F>(dlsym(library_, name));
  }
  void* library_;
  std::uint64_t address_ = 0;
};

}  // namespace

GPU_TEST_CASE("views around the limit of addresses of 32 bits are indexed rightly") {
  constexpr std::int64_t limit = (std::int64_t{1} << 31) - 8192;  // codegen::variant::greatest_narrow
  for (const std::int64_t rows : {limit / 65536, limit / 65536 + 1, std::int64_t{65536}}) {
    if (!gives(device, rows * 65536)) continue;
    sv::buffer<std::uint8_t, 2> x(rows, 65536), y(rows, 65536);
    const std::int64_t n = rows * 65536;
    plane.on(device)(x, 7, 1);
    plane.on(device)(y, 0, 0);
    mirrored.on(device)(y, x);
    sv::buffer<std::int64_t> where(4);
    sv::buffer<std::uint8_t> found(4);
    std::ranges::copy(std::vector<std::int64_t>{0, 65536 + 1, n - 65536 + 1, n - 1}, where.write().begin());
    pick_of_plane.on(device)(found, y, where);
    const auto result = found.read();
    const auto at = [&](std::int64_t i, std::int64_t j) { return static_cast<std::uint8_t>((i * 7 + j) % 251); };
    CHECK(result[0] == 0);
    CHECK(result[1] == at(rows - 1, 65535));
    CHECK(result[2] == at(1, 65535));
    CHECK(result[3] == at(1, 1));
  }
}

GPU_TEST_CASE("a buffer of more than 2^32 elements is indexed rightly") {
  const std::int64_t n = (std::int64_t{1} << 32) + 12345;
  if (!gives(device, n)) return;
  sv::buffer<std::uint8_t> y(n);
  pattern.on(device)(y);
  sv::buffer<std::int64_t> where(6);
  sv::buffer<std::uint8_t> found(6);
  const std::vector<std::int64_t> places{
      0, 250, std::int64_t{1} << 31, (std::int64_t{1} << 32) - 1, std::int64_t{1} << 32, n - 1};
  std::ranges::copy(places, where.write().begin());
  pick.on(device)(found, y, where);
  const auto result = found.read();
  for (std::size_t k = 0; k < places.size(); ++k) CHECK(int{result[k]} == places[k] % 251);
}

GPU_TEST_CASE("views of memory from CUDA: contiguous, strided, and overlapping ones refused") {
  // cuda_memory is of the first GPU.
  if (device.name() != "cuda" && (device.name() != "offload" || !device.describe().architecture.starts_with("sm_")))
    return;
  const cuda_memory memory(2000 * sizeof(double));
  auto* const p = memory.as<double>();
  REQUIRE(p != nullptr);
  const auto all = sv::view<double>::from_device(p, {2000});
  const auto even = sv::view<double>::from_device(p, {1000}, {2});
  const auto odd = sv::view<const double>::from_device(p + 1, {1000}, {2});
  fill.on(device)(all, 1.0);
  daxpy.on(device)(even, odd, 2.0);
  sv::buffer<double> home(2000);
  copy.on(device)(home, sv::view<const double>::from_device(p, {2000}));
  CHECK(home.read()[0] == 3.0);
  CHECK(home.read()[1] == 1.0);
  CHECK_THROWS_AS(daxpy.on(device)(all, odd, 1.0), sv::error);
}
