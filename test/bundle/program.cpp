// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose kernels are linked into it. Run where there is no code generator: `program DEVICE` computes there
// with kernels that need every variant of a bundle; `program DEVICE jit` launches one that no bundle has.
#include <selvage/selvage.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace sv = selvage;

inline constexpr auto daxpy = sv::kernel<"daxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});

// Guarded where the launch cannot prove 2 * i.
inline constexpr auto every_second =
    sv::kernel<"every_second">([](sv::inout<int> y, sv::in<int> x, sv::value<int> last) {
      auto i = sv::global_id(y);
      y(i) = sv::select(i < last, x(i * 2), -1);
    });

inline constexpr auto transpose = sv::kernel<"transpose">([](sv::out<float, 2> y, sv::in<float, 2> x) {
  auto [i, j] = sv::global_id(y);
  y(i, j) = sv::exp(x(j, i));
});

#ifdef SELVAGE_TEST_UNBUNDLED
inline constexpr auto unbundled = sv::kernel<"unbundled">([](sv::inout<int> y) {
  auto i = sv::global_id(y);
  y(i) = y(i) + 41;
});
#endif

namespace {

int failures = 0;
void check(bool good, const char* what) {
  std::printf("%s: %s\n", what, good ? "right" : "WRONG");
  failures += good ? 0 : 1;
}

void compute(sv::device& device) {
  constexpr std::int64_t n = 1000;
  sv::buffer<double> x(n), y(n);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 3.0);
  daxpy.on(device)(y, x, 2.0);
  check(std::ranges::all_of(y.read(), [](double v) { return v == 5.0; }), "daxpy");

  std::vector<double> wide(2 * n, 1.0);
  std::vector<double> result(n, 0.0);
  if (device.describe().name.find("NVIDIA") == std::string::npos) {  // host memory of our own, with gaps
    daxpy.on(device)(sv::view<double>::from_device(result.data(), {n}),
                     sv::view<double>::from_device(wide.data(), {n}, {2}), 3.0);
    device.synchronise();
    check(std::ranges::all_of(result, [](double v) { return v == 3.0; }), "daxpy with gaps");
  }

  sv::buffer<int> from(n), to(n);
  std::iota(from.write().begin(), from.write().end(), 0);
  std::ranges::fill(to.write(), 0);
  every_second.on(device)(to, from, 500);
  check(to.read()[499] == 998 && to.read()[500] == -1, "every second");

  sv::buffer<float, 2> a(30, 20), b(20, 30);
  std::ranges::fill(a.write(), 0.0f);
  a.read_write()[1] = 1.0f;
  transpose.on(device)(b, a);
  check(b.read()[0] == 1.0f && b.read()[30] > 2.718f && b.read()[30] < 2.719f, "transpose");
}

/// The device, or no device at all where there is no such hardware.
std::optional<sv::device> device_named(const char* name) try { return sv::device(name); } catch (const sv::error& e) {
  if (e.code() != sv::error_code::no_device) throw;
  std::printf("skipped: no device (%s)\n", e.what());
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) try {
  std::optional<sv::device> found = device_named(argc > 1 ? argv[1] : "host");
  if (!found) return 0;
  sv::device& device = *found;
#ifdef SELVAGE_TEST_UNBUNDLED
  if (argc > 2) {
    sv::buffer<int> y(3);
    std::ranges::fill(y.write(), 1);
    unbundled.on(device)(y);
    check(y.read()[2] == 42, "unbundled");
  }
#endif
  compute(device);
  std::printf("on %s\n", device.describe().name.c_str());
  return failures;
} catch (const std::exception& e) {
  std::printf("refused: %s\n", e.what());
  return 3;
}
