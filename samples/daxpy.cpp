// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y += a x: a kernel, its buffers and its launch.
#include "support/timer.hpp"

#include <fmt/core.h>
#include <selvage/selvage.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>

namespace sv = selvage;

// The domain is y's extent; each work-item owns y(i).
inline constexpr auto daxpy = sv::kernel<"daxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});

int main() try {
  constexpr std::int64_t n = 10'000'000;
  sv::device device;  // the best one here; SELVAGE_DEVICE overrides
  sv::buffer<double> x(n), y(n);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 3.0);

  daxpy.on(device)(y, x, 2.0).wait();  // the first launch compiles the kernel and moves x and y over
  const double ms = samples::milliseconds([&] { daxpy.on(device)(y, x, 2.0).wait(); });

  const bool right = std::ranges::all_of(y.read(), [](double v) { return v == 7.0; });  // y comes back here, once
  fmt::print("daxpy of {} elements on {}: {}, {:.3f} ms, {:.1f} GB/s\n", n, device.describe().name,
             right ? "right" : "WRONG", ms, 24e-6 * static_cast<double>(n) / ms);
  return right ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "daxpy: {}\n", error.what());
  return 1;
}
