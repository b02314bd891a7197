// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MVT: x1 += A y1; x2(i) += sum of A(j, i) y2(i) over j.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto forward = sv::kernel<"mvt_forward">([](sv::inout<double> x1, sv::in<double, 2> a, sv::in<double> y1) {
  auto i = sv::global_id(x1);
  x1(i) += sv::sum(a.extent(1), [=](auto j) { return a(i, j) * y1(j); });
});

constexpr auto transposed =
    sv::kernel<"mvt_transposed">([](sv::inout<double> x2, sv::in<double, 2> a, sv::in<double> y2) {
      auto i = sv::global_id(x2);
      x2(i) += sv::sum(a.extent(0), [=](auto j) { return a(j, i) * y2(i); });
    });

void reference(host<double> x1, host<double> x2, host<double, 2> a, host<double> y1, host<double> y2) {
  const std::int64_t n = x1.extent(0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) x1(i) += a(i, j) * y1(j);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) x2(i) += a(j, i) * y2(i);
}

const registration registered("Polybench_MVT", [](trial& t) {
  const auto n = t.square();
  auto y1 = t.array(n), y2 = t.array(n);
  auto a = t.array(n, n);
  auto x1 = t.constant(0.0, n), x2 = t.constant(0.0, n);
  t.work(16 * n * n + 48 * n, 4 * n * n);
  t.repeat(
      [&] {
        forward.on(t.device)(x1, a, y1);
        transposed.on(t.device)(x2, a, y2);
      },
      [&] { reference(host(x1), host(x2), host(a), host(y1), host(y2)); });
  t.checksum(x1, scale(1.0, 1'000'000, n * n));
  t.checksum(x2, scale(1.0, 1'000'000, n * n));
});

}  // namespace
}  // namespace rajaperf
