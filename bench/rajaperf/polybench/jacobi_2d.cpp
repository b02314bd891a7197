// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JACOBI_2D: steps of a 5-point mean from A to B and back.
#include "suite/interior.hpp"
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto step = sv::kernel<"jacobi_2d">([](sv::inout<double, 2> to, sv::in<double, 2> from) {
  auto [i, j] = interior(to);
  to(i, j) = 0.2 * (from(i, j) + from(i, j - 1) + from(i, j + 1) + from(i + 1, j) + from(i - 1, j));
});

void reference(host<double, 2> to, host<double, 2> from) {
  for (std::int64_t i = 1; i < to.extent(0) - 1; ++i)
    for (std::int64_t j = 1; j < to.extent(1) - 1; ++j)
      to(i, j) = 0.2 * (from(i, j) + from(i, j - 1) + from(i, j + 1) + from(i + 1, j) + from(i - 1, j));
}

const registration registered("Polybench_JACOBI_2D", [](trial& t) {
  const auto interior = t.square(), n = interior + 2, cells = interior * interior;
  const int steps = 40;
  auto a = t.array(n, n);
  auto b = t.array(n, n);
  t.work(16 * (2 * cells + 4 * interior) * steps, 10 * cells * steps);
  t.repeat(
      [&] {
        for (int s = 0; s < steps; ++s) {
          step.on(t.device)(b, a);
          step.on(t.device)(a, b);
        }
      },
      [&] {
        for (int s = 0; s < steps; ++s) {
          reference(host(b), host(a));
          reference(host(a), host(b));
        }
      });
  t.checksum(a, scale(1e-4, 1'000'000, cells));
  t.checksum(b, scale(1e-4, 1'000'000, cells));
});

}  // namespace
}  // namespace rajaperf
