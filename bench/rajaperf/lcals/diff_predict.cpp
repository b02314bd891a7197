// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DIFF_PREDICT: a chain of running differences through the planes of px.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto diff_predict = sv::kernel<"diff_predict">([](sv::inout<double, 2> px, sv::in<double, 2> cx) {
  auto i = sv::global_id(px.extent(1));
  auto difference = sv::let(cx(4, i));
  for (int p = 4; p < 12; ++p) {
    auto old = px(p, i);
    px(p, i) = difference;
    difference = difference - old;
  }
  px(13, i) = difference - px(12, i);
  px(12, i) = difference;
});

void reference(host<double, 2> px, host<double, 2> cx) {
  for (std::int64_t i = 0; i < px.extent(1); ++i) {
    double difference = cx(4, i);
    for (int p = 4; p < 12; ++p) {
      const double old = px(p, i);
      px(p, i) = difference;
      difference = difference - old;
    }
    px(13, i) = difference - px(12, i);
    px(12, i) = difference;
  }
}

const registration registered("Lcals_DIFF_PREDICT", [](trial& t) {
  const auto n = t.size;
  auto px = t.constant(0.0, 14, n);
  auto cx = t.array(14, n);
  t.work(160 * n, 9 * n);
  t.repeat([&] { diff_predict.on(t.device)(px, cx); }, [&] { reference(host(px), host(cx)); });
  t.checksum(px);
});

}  // namespace
}  // namespace rajaperf
