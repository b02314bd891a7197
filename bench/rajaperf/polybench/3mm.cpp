// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 3MM: G = (A B) (C D).
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto product = sv::kernel<"3mm">([](sv::out<double, 2> c, sv::in<double, 2> a, sv::in<double, 2> b) {
  auto [i, j] = sv::global_id(c);
  c(i, j) = sv::sum(a.extent(1), [=](auto k) { return a(i, k) * b(k, j); });
});

void reference(host<double, 2> c, host<double, 2> a, host<double, 2> b) {
  for (std::int64_t i = 0; i < c.extent(0); ++i)
    for (std::int64_t j = 0; j < c.extent(1); ++j) {
      c(i, j) = 0.0;
      for (std::int64_t k = 0; k < a.extent(1); ++k) c(i, j) += a(i, k) * b(k, j);
    }
}

const registration registered("Polybench_3MM", [](trial& t) {
  const auto ni = t.square(), nj = ni, nl = ni;
  const auto nk = scaled(ni, 1010, 1000), nm = scaled(ni, 1200, 1000);
  auto a = t.array(ni, nk), b = t.array(nk, nj);
  auto c = t.array(nj, nm), d = t.array(nm, nl);
  auto e = t.constant(0.0, ni, nj), f = t.constant(0.0, nj, nl), g = t.constant(0.0, ni, nl);
  t.work(8 * (ni * nk + nk * nj + nj * nm + nm * nl + 2 * ni * nj + 2 * nj * nl + ni * nl),
         2 * (ni * nj * nk + nj * nl * nm + ni * nj * nl));
  t.repeat(
      [&] {
        product.on(t.device)(e, a, b);
        product.on(t.device)(f, c, d);
        product.on(t.device)(g, e, f);
      },
      [&] {
        reference(host(e), host(a), host(b));
        reference(host(f), host(c), host(d));
        reference(host(g), host(e), host(f));
      });
  t.checksum(g, scale(1e-9, 1'000'000, ni * nl));
});

}  // namespace
}  // namespace rajaperf
