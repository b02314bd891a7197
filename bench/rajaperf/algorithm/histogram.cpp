// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HISTOGRAM: how many elements each bin has.
#include "suite/bins.hpp"
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto histogram =
    sv::kernel<"histogram">([](sv::inout<std::uint64_t> counts, sv::in<std::int64_t> bins) {
      auto i = sv::global_id(bins);
      sv::atomic_add(counts(bins(i)), 1);
    });

void reference(host<std::uint64_t> counts, host<std::int64_t> bins) {
  for (std::int64_t i = 0; i < bins.extent(0); ++i) ++counts(bins(i));
}

const registration registered("Algorithm_HISTOGRAM", [](trial& t) {
  const auto n = t.size;
  auto bins = bins_of(t);
  sv::buffer<std::uint64_t> counts(bin_count);
  const auto clear = [&] { std::ranges::fill(counts.write(), 0); };
  clear();
  t.work(8 * n, n);
  t.repeat(
      [&] {
        clear();
        histogram.on(t.device)(counts, bins);
      },
      [&] {
        clear();
        reference(host(counts), host(bins));
      });
  const auto found = counts.read();
  t.checksum(std::vector<double>(found.begin(), found.end()));
});

}  // namespace
}  // namespace rajaperf
