// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEAT_3D: steps of a 7-point stencil from A to B and back.
#include "suite/interior.hpp"
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto step = sv::kernel<"heat_3d">([](sv::inout<double, 3> to, sv::in<double, 3> from) {
  auto [i, j, k] = interior(to);
  to(i, j, k) = 0.125 * (from(i + 1, j, k) - 2.0 * from(i, j, k) + from(i - 1, j, k)) +
                0.125 * (from(i, j + 1, k) - 2.0 * from(i, j, k) + from(i, j - 1, k)) +
                0.125 * (from(i, j, k + 1) - 2.0 * from(i, j, k) + from(i, j, k - 1)) + from(i, j, k);
});

void reference(host<double, 3> to, host<double, 3> from) {
  const std::int64_t n = to.extent(0);
  for (std::int64_t i = 1; i < n - 1; ++i)
    for (std::int64_t j = 1; j < n - 1; ++j)
      for (std::int64_t k = 1; k < n - 1; ++k)
        to(i, j, k) = 0.125 * (from(i + 1, j, k) - 2.0 * from(i, j, k) + from(i - 1, j, k)) +
                      0.125 * (from(i, j + 1, k) - 2.0 * from(i, j, k) + from(i, j - 1, k)) +
                      0.125 * (from(i, j, k + 1) - 2.0 * from(i, j, k) + from(i, j, k - 1)) + from(i, j, k);
}

const registration registered("Polybench_HEAT_3D", [](trial& t) {
  const auto interior = t.cube(), n = interior + 2, cells = interior * interior * interior;
  const int steps = 20;
  auto a = t.array(n, n, n);
  auto b = t.array(n, n, n);
  t.work(16 * (2 * cells + 6 * interior * interior) * steps, 30 * cells * steps);
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
