// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 2MM: D = beta + (alpha A B) C.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto first = sv::kernel<"2mm_first">(
    [](sv::out<double, 2> tmp, sv::in<double, 2> a, sv::in<double, 2> b, sv::value<double> alpha) {
      auto [i, j] = sv::global_id(tmp);
      tmp(i, j) = sv::sum(a.extent(1), [=](auto k) { return alpha * a(i, k) * b(k, j); });
    });

constexpr auto second = sv::kernel<"2mm_second">(
    [](sv::out<double, 2> d, sv::in<double, 2> tmp, sv::in<double, 2> c, sv::value<double> beta) {
      auto [i, l] = sv::global_id(d);
      d(i, l) = beta + sv::sum(c.extent(0), [=](auto j) { return tmp(i, j) * c(j, l); });
    });

void reference(host<double, 2> tmp, host<double, 2> a, host<double, 2> b, host<double, 2> c, host<double, 2> d,
               double alpha, double beta) {
  for (std::int64_t i = 0; i < tmp.extent(0); ++i)
    for (std::int64_t j = 0; j < tmp.extent(1); ++j) {
      tmp(i, j) = 0.0;
      for (std::int64_t k = 0; k < a.extent(1); ++k) tmp(i, j) += alpha * a(i, k) * b(k, j);
    }
  for (std::int64_t i = 0; i < d.extent(0); ++i)
    for (std::int64_t l = 0; l < d.extent(1); ++l) {
      d(i, l) = beta;
      for (std::int64_t j = 0; j < c.extent(0); ++j) d(i, l) += tmp(i, j) * c(j, l);
    }
}

const registration registered("Polybench_2MM", [](trial& t) {
  const auto ni = t.square(), nj = ni, nl = ni;
  const auto nk = scaled(ni, 1120, 1000);
  auto tmp = t.array(ni, nj);
  auto a = t.array(ni, nk);
  auto b = t.array(nk, nj);
  auto c = t.array(nj, nl);
  auto d = t.constant(0.0, ni, nl);
  const double alpha = 1.5, beta = 1.2;
  t.work(8 * (ni * nk + nk * nj + 2 * ni * nj + nj * nl + ni * nl), 3 * ni * nj * nk + 2 * ni * nj * nl);
  t.repeat(
      [&] {
        first.on(t.device)(tmp, a, b, alpha);
        second.on(t.device)(d, tmp, c, beta);
      },
      [&] { reference(host(tmp), host(a), host(b), host(c), host(d), alpha, beta); });
  t.checksum(d, scale(1e-6, 1'000'000, ni * nl));
});

}  // namespace
}  // namespace rajaperf
