// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MAT_MAT_SHARED: C = A B, square.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto mat_mat =
    sv::kernel<"mat_mat_shared">([](sv::out<double, 2> c, sv::in<double, 2> a, sv::in<double, 2> b) {
      auto [i, j] = sv::global_id(c);
      c(i, j) = sv::sum(a.extent(1), [=](auto k) { return a(i, k) * b(k, j); });
    });

void reference(host<double, 2> c, host<double, 2> a, host<double, 2> b) {
  for (std::int64_t i = 0; i < c.extent(0); ++i)
    for (std::int64_t j = 0; j < c.extent(1); ++j) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
}

const registration registered("Basic_MAT_MAT_SHARED", [](trial& t) {
  const auto n = t.square();
  auto a = t.constant(1.0, n, n);
  auto b = t.constant(1.0, n, n);
  auto c = t.constant(0.0, n, n);
  const std::int64_t tile = 16;
  const auto tiles = (n + tile - 1) / tile;
  t.work(24 * n * n, 2 * tile * tile * tile * tiles * tiles * tiles);
  t.repeat([&] { mat_mat.on(t.device)(c, a, b); }, [&] { reference(host(c), host(a), host(b)); });
  t.checksum(c, scale(1e-6, 1'000'000, n * n));
});

}  // namespace
}  // namespace rajaperf
