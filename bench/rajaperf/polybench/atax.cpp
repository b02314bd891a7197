// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ATAX: y = A^T (A x).
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto forward = sv::kernel<"atax_forward">([](sv::out<double> tmp, sv::in<double, 2> a, sv::in<double> x) {
  auto i = sv::global_id(tmp);
  tmp(i) = sv::sum(a.extent(1), [=](auto j) { return a(i, j) * x(j); });
});

constexpr auto transposed =
    sv::kernel<"atax_transposed">([](sv::out<double> y, sv::in<double, 2> a, sv::in<double> tmp) {
      auto j = sv::global_id(y);
      y(j) = sv::sum(a.extent(0), [=](auto i) { return a(i, j) * tmp(i); });
    });

void reference(host<double> y, host<double> tmp, host<double, 2> a, host<double> x) {
  const std::int64_t n = y.extent(0);
  for (std::int64_t i = 0; i < n; ++i) {
    tmp(i) = 0.0;
    for (std::int64_t j = 0; j < n; ++j) tmp(i) += a(i, j) * x(j);
  }
  for (std::int64_t j = 0; j < n; ++j) {
    y(j) = 0.0;
    for (std::int64_t i = 0; i < n; ++i) y(j) += a(i, j) * tmp(i);
  }
}

const registration registered("Polybench_ATAX", [](trial& t) {
  const auto n = t.square();
  auto tmp = t.array(n);
  auto x = t.array(n);
  auto a = t.array(n, n);
  auto y = t.constant(0.0, n);
  t.work(16 * n * n + 40 * n, 4 * n * n);
  t.repeat(
      [&] {
        forward.on(t.device)(tmp, a, x);
        transposed.on(t.device)(y, a, tmp);
      },
      [&] { reference(host(y), host(tmp), host(a), host(x)); });
  t.checksum(y, scale(1e-3, 1'000'000, n * n));
});

}  // namespace
}  // namespace rajaperf
