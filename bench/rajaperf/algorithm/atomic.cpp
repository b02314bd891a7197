// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ATOMIC: every element adds 1 to one of 4096 cells.
#include "suite/registry.hpp"

#include <numeric>

namespace rajaperf {
namespace {

constexpr std::int64_t cells = 4096;

constexpr auto atomic = sv::kernel<"atomic">([](sv::inout<double> cell, sv::value<std::int64_t> n) {
  auto i = sv::global_id(n);
  sv::atomic_add(cell(i % cells), 1.0);
});

void reference(host<double> cell, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) cell(i % cells) += 1.0;
}

const registration registered("Algorithm_ATOMIC", [](trial& t) {
  const auto n = t.size;
  auto cell = t.constant(0.0, cells);
  t.work(16 * n, n);
  t.repeat([&] { atomic.on(t.device)(cell, n); }, [&] { reference(host(cell), n); });
  const auto sums = cell.read();
  t.number(std::accumulate(sums.begin(), sums.end(), 0.0));
});

}  // namespace
}  // namespace rajaperf
