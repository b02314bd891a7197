// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NESTED_INIT: array(k, j, i) = 1e-8 i j k.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto nested_init = sv::kernel<"nested_init">([](sv::out<double, 3> array) {
  auto [k, j, i] = sv::global_id(array);
  array(k, j, i) = 0.00000001 * sv::cast<double>(i) * sv::cast<double>(j) * sv::cast<double>(k);
});

void reference(host<double, 3> array) {
  for (std::int64_t k = 0; k < array.extent(0); ++k)
    for (std::int64_t j = 0; j < array.extent(1); ++j)
      for (std::int64_t i = 0; i < array.extent(2); ++i)
        array(k, j, i) = 0.00000001 * static_cast<double>(i) * static_cast<double>(j) * static_cast<double>(k);
}

const registration registered("Basic_NESTED_INIT", [](trial& t) {
  const auto n = t.cube();
  auto array = t.constant(0.0, n, n, n);
  t.work(8 * n * n * n, 3 * n * n * n);
  t.repeat([&] { nested_init.on(t.device)(array); }, [&] { reference(host(array)); });
  t.checksum(array);
});

}  // namespace
}  // namespace rajaperf
