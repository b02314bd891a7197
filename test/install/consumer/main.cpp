// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's program, built against the installed tree alone: records, compiles and launches one kernel on the CPU.
#include <selvage/selvage.hpp>
#include <selvage/version.hpp>

#include <algorithm>
#include <cstdio>

namespace sv = selvage;
static_assert(SELVAGE_VERSION >= 100);

inline constexpr auto daxpy = sv::kernel<"daxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});

int main() {
  sv::device device("host");
  sv::buffer<double> x(1000), y(1000);
  std::ranges::fill(x.write(), 2.0);
  std::ranges::fill(y.write(), 1.0);
  daxpy.on(device)(y, x, 3.0);
  const auto result = y.read();
  const bool right = std::ranges::all_of(result, [](double v) { return v == 7.0; });
  std::printf("daxpy: %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
