// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JACOBI_1D: steps of a 3-point mean from A to B and back.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto step = sv::kernel<"jacobi_1d">([](sv::inout<double> to, sv::in<double> from) {
  auto i = sv::global_id(to.extent(0) - 2) + 1;
  to(i) = 0.33333 * (from(i - 1) + from(i) + from(i + 1));
});

void reference(host<double> to, host<double> from) {
  for (std::int64_t i = 1; i < to.extent(0) - 1; ++i) to(i) = 0.33333 * (from(i - 1) + from(i) + from(i + 1));
}

const registration registered("Polybench_JACOBI_1D", [](trial& t) {
  const auto n = t.size;
  const int steps = 16;
  auto a = t.array(n + 2);
  auto b = t.array(n + 2);
  t.work(32 * (n + 1) * steps, 6 * n * steps);
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
  t.checksum(a, scale(1e-4, 1'000'000, n));
  t.checksum(b, scale(1e-4, 1'000'000, n));
});

}  // namespace
}  // namespace rajaperf
