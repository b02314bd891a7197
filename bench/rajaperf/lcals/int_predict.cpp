// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// INT_PREDICT: an integrator's predictor over the planes of px.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

using scalar = sv::value<double>;

constexpr auto int_predict =
    sv::kernel<"int_predict">([](sv::inout<double, 2> px, scalar dm22, scalar dm23, scalar dm24, scalar dm25,
                                 scalar dm26, scalar dm27, scalar dm28, scalar c0) {
      auto i = sv::global_id(px.extent(1));
      px(0, i) = dm28 * px(12, i) + dm27 * px(11, i) + dm26 * px(10, i) + dm25 * px(9, i) + dm24 * px(8, i) +
                 dm23 * px(7, i) + dm22 * px(6, i) + c0 * (px(4, i) + px(5, i)) + px(2, i);
    });

void reference(host<double, 2> px, double dm22, double dm23, double dm24, double dm25, double dm26, double dm27,
               double dm28, double c0) {
  for (std::int64_t i = 0; i < px.extent(1); ++i)
    px(0, i) = dm28 * px(12, i) + dm27 * px(11, i) + dm26 * px(10, i) + dm25 * px(9, i) + dm24 * px(8, i) +
               dm23 * px(7, i) + dm22 * px(6, i) + c0 * (px(4, i) + px(5, i)) + px(2, i);
}

const registration registered("Lcals_INT_PREDICT", [](trial& t) {
  const auto n = t.size;
  auto px = t.constant(1.0, 13, n);
  const double dm22 = t.scalar(), dm23 = t.scalar(), dm24 = t.scalar(), dm25 = t.scalar(), dm26 = t.scalar();
  const double dm27 = t.scalar(), dm28 = t.scalar(), c0 = t.scalar();
  t.work(88 * n, 17 * n);
  t.repeat([&] { int_predict.on(t.device)(px, dm22, dm23, dm24, dm25, dm26, dm27, dm28, c0); },
           [&] { reference(host(px), dm22, dm23, dm24, dm25, dm26, dm27, dm28, c0); });
  std::vector<double> change;
  for (const double p : px.read().first(static_cast<std::size_t>(n))) change.push_back(p - 1.0);
  t.checksum(change);
});

}  // namespace
}  // namespace rajaperf
