// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PI_ATOMIC: pi as the integral of 4 / (1 + x^2) from 0 to 1, every term added to one cell.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto pi_atomic =
    sv::kernel<"pi_atomic">([](sv::inout<double, 0> pi, sv::value<double> dx, sv::value<std::int64_t> n) {
      auto x = (sv::cast<double>(sv::global_id(n)) + 0.5) * dx;
      sv::atomic_add(pi(), dx / (1.0 + x * x));
    });

void reference(host<double, 0> pi, double dx, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const double x = (static_cast<double>(i) + 0.5) * dx;
    pi() += dx / (1.0 + x * x);
  }
}

const registration registered(
    "Basic_PI_ATOMIC",
    [](trial& t) {
      const auto n = t.size;
      sv::buffer<double, 0> pi;
      pi.write()[0] = 0;
      const double dx = n == 0 ? 0.0 : 1.0 / static_cast<double>(n);
      t.work(8, 6 * n + 1);
      t.repeat(
          [&] {
            pi.write()[0] = 0;
            pi_atomic.on(t.device)(pi, dx, n);
          },
          [&] {
            pi.write()[0] = 0;
            reference(host(pi), dx, n);
          });
      t.number(4.0 * pi.read()[0]);
    },
    free_order);

}  // namespace
}  // namespace rajaperf
