// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GEMM: C = alpha A B.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto gemm =
    sv::kernel<"gemm">([](sv::out<double, 2> c, sv::in<double, 2> a, sv::in<double, 2> b, sv::value<double> alpha) {
      auto [i, j] = sv::global_id(c);
      c(i, j) = sv::sum(a.extent(1), [=](auto k) { return alpha * a(i, k) * b(k, j); });
    });

void reference(host<double, 2> c, host<double, 2> a, host<double, 2> b, double alpha) {
  for (std::int64_t i = 0; i < c.extent(0); ++i)
    for (std::int64_t j = 0; j < c.extent(1); ++j) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < a.extent(1); ++k) sum += alpha * a(i, k) * b(k, j);
      c(i, j) = sum;
    }
}

const registration registered("Polybench_GEMM", [](trial& t) {
  const auto n = t.square();
  const auto nk = scaled(n, 1200, 1000);
  auto a = t.array(n, nk);
  auto b = t.array(nk, n);
  auto c = t.constant(0.0, n, n);
  const double alpha = 0.62;
  t.work(8 * (2 * n * nk + n * n), (1 + 3 * nk) * n * n);
  t.repeat([&] { gemm.on(t.device)(c, a, b, alpha); }, [&] { reference(host(c), host(a), host(b), alpha); });
  t.checksum(c, scale(1e-3, 1'000'000, n * n));
});

}  // namespace
}  // namespace rajaperf
