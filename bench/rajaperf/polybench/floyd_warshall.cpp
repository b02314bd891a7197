// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLOYD_WARSHALL: shortest paths through one vertex after the other; only pout is written, as in the suite.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto through =
    sv::kernel<"floyd_warshall">([](sv::out<double, 2> pout, sv::in<double, 2> pin, sv::value<std::int64_t> k) {
      auto [i, j] = sv::global_id(pout);
      pout(i, j) = sv::min(pin(i, j), pin(i, k) + pin(k, j));
    });

void reference(host<double, 2> pout, host<double, 2> pin) {
  const std::int64_t n = pout.extent(0);
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) pout(i, j) = std::min(pin(i, j), pin(i, k) + pin(k, j));
}

const registration registered("Polybench_FLOYD_WARSHALL", [](trial& t) {
  const auto n = t.square();
  auto pin = t.signed_array(n, n);
  auto pout = t.constant(0.0, n, n);
  t.work(16 * n * n, n * n * n);
  t.repeat(
      [&] {
        for (std::int64_t k = 0; k < n; ++k) through.on(t.device)(pout, pin, k);
      },
      [&] { reference(host(pout), host(pin)); });
  t.checksum(pout, scale(1.0, 1'000'000, n * n));
});

}  // namespace
}  // namespace rajaperf
