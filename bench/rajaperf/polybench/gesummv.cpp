// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GESUMMV: y = alpha A x + beta B x.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto gesummv = sv::kernel<"gesummv">([](sv::out<double> y, sv::in<double, 2> a, sv::in<double, 2> b,
                                                  sv::in<double> x, sv::value<double> alpha, sv::value<double> beta) {
  auto i = sv::global_id(y);
  y(i) = alpha * sv::sum(a.extent(1), [=](auto j) { return a(i, j) * x(j); }) +
         beta * sv::sum(b.extent(1), [=](auto j) { return b(i, j) * x(j); });
});

void reference(host<double> y, host<double, 2> a, host<double, 2> b, host<double> x, double alpha, double beta) {
  for (std::int64_t i = 0; i < y.extent(0); ++i) {
    double ax = 0.0, bx = 0.0;
    for (std::int64_t j = 0; j < a.extent(1); ++j) {
      ax += a(i, j) * x(j);
      bx += b(i, j) * x(j);
    }
    y(i) = alpha * ax + beta * bx;
  }
}

const registration registered("Polybench_GESUMMV", [](trial& t) {
  const auto n = t.square();
  auto x = t.array(n);
  auto y = t.constant(0.0, n);
  auto a = t.array(n, n);
  auto b = t.array(n, n);
  const double alpha = 0.62, beta = 1.002;
  t.work(16 * n * n + 16 * n, (4 * n + 3) * n);
  t.repeat([&] { gesummv.on(t.device)(y, a, b, x, alpha, beta); },
           [&] { reference(host(y), host(a), host(b), host(x), alpha, beta); });
  t.checksum(y);
});

}  // namespace
}  // namespace rajaperf
