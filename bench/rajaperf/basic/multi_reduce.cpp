// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MULTI_REDUCE: the sum of each bin's elements.
#include "suite/bins.hpp"
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto multi_reduce =
    sv::kernel<"multi_reduce">([](sv::inout<double> values, sv::in<std::int64_t> bins, sv::in<double> data) {
      auto i = sv::global_id(data);
      sv::atomic_add(values(bins(i)), data(i));
    });

void reference(host<double> values, host<std::int64_t> bins, host<double> data) {
  for (std::int64_t i = 0; i < data.extent(0); ++i) values(bins(i)) += data(i);
}

const registration registered(
    "Basic_MULTI_REDUCE",
    [](trial& t) {
      const auto n = t.size;
      auto data = t.random_array(n);
      auto bins = bins_of(t);
      sv::buffer<double> values(bin_count);
      const auto clear = [&] { std::ranges::fill(values.write(), 0.0); };
      clear();
      t.work(16 * n + 16 * bin_count, n);
      t.repeat(
          [&] {
            clear();
            multi_reduce.on(t.device)(values, bins, data);
          },
          [&] {
            clear();
            reference(host(values), host(bins), host(data));
          });
      t.checksum(values);
    },
    free_order);

}  // namespace
}  // namespace rajaperf
