// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GEMVER: A += u1 v1^T + u2 v2^T; x += beta A^T y; x += z; w += alpha A x.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

using vector = host<double>;

constexpr auto update = sv::kernel<"gemver_update">(
    [](sv::inout<double, 2> a, sv::in<double> u1, sv::in<double> v1, sv::in<double> u2, sv::in<double> v2) {
      auto [i, j] = sv::global_id(a);
      a(i, j) += u1(i) * v1(j) + u2(i) * v2(j);
    });

constexpr auto transposed = sv::kernel<"gemver_transposed">(
    [](sv::inout<double> x, sv::in<double, 2> a, sv::in<double> y, sv::value<double> beta) {
      auto i = sv::global_id(x);
      x(i) += sv::sum(a.extent(0), [=](auto j) { return beta * a(j, i) * y(j); });
    });

constexpr auto add = sv::kernel<"gemver_add">([](sv::inout<double> x, sv::in<double> z) {
  auto i = sv::global_id(x);
  x(i) += z(i);
});

constexpr auto forward = sv::kernel<"gemver_forward">(
    [](sv::inout<double> w, sv::in<double, 2> a, sv::in<double> x, sv::value<double> alpha) {
      auto i = sv::global_id(w);
      w(i) += sv::sum(a.extent(1), [=](auto j) { return alpha * a(i, j) * x(j); });
    });

void reference(host<double, 2> a, vector u1, vector v1, vector u2, vector v2, vector w, vector x, vector y, vector z,
               double alpha, double beta) {
  const std::int64_t n = x.extent(0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) a(i, j) += u1(i) * v1(j) + u2(i) * v2(j);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) x(i) += beta * a(j, i) * y(j);
  for (std::int64_t i = 0; i < n; ++i) x(i) += z(i);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) w(i) += alpha * a(i, j) * x(j);
}

const registration registered("Polybench_GEMVER", [](trial& t) {
  const auto n = t.square();
  auto a = t.array(n, n);
  auto u1 = t.array(n), v1 = t.array(n), u2 = t.array(n), v2 = t.array(n);
  auto w = t.constant(0.0, n);
  auto x = t.array(n), y = t.array(n), z = t.array(n);
  const double alpha = 1.5, beta = 1.2;
  t.work(32 * n * n + 104 * n, 10 * n * n + n);
  t.repeat(
      [&] {
        update.on(t.device)(a, u1, v1, u2, v2);
        transposed.on(t.device)(x, a, y, beta);
        add.on(t.device)(x, z);
        forward.on(t.device)(w, a, x, alpha);
      },
      [&] {
        reference(host(a), host(u1), host(v1), host(u2), host(v2), host(w), host(x), host(y), host(z), alpha, beta);
      });
  t.checksum(w, scale(1e-3, 1'000'000, n * n));
});

}  // namespace
}  // namespace rajaperf
