// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// COPY8: eight copies in one loop.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

using out = sv::out<double>;
using in = sv::in<double>;
using array = host<double>;

constexpr auto copy8 = sv::kernel<"copy8">([](out y0, out y1, out y2, out y3, out y4, out y5, out y6, out y7,  //
                                              in x0, in x1, in x2, in x3, in x4, in x5, in x6, in x7) {
  auto i = sv::global_id(y0);
  y0(i) = x0(i);
  y1(i) = x1(i);
  y2(i) = x2(i);
  y3(i) = x3(i);
  y4(i) = x4(i);
  y5(i) = x5(i);
  y6(i) = x6(i);
  y7(i) = x7(i);
});

void reference(array y0, array y1, array y2, array y3, array y4, array y5, array y6, array y7,  //
               array x0, array x1, array x2, array x3, array x4, array x5, array x6, array x7) {
  for (std::int64_t i = 0; i < y0.extent(0); ++i) {
    y0(i) = x0(i);
    y1(i) = x1(i);
    y2(i) = x2(i);
    y3(i) = x3(i);
    y4(i) = x4(i);
    y5(i) = x5(i);
    y6(i) = x6(i);
    y7(i) = x7(i);
  }
}

const registration registered("Basic_COPY8", [](trial& t) {
  const auto n = t.size;
  std::vector<sv::buffer<double>> y, x;
  for (int k = 0; k < 8; ++k) y.push_back(t.constant(0.0, n));
  for (int k = 0; k < 8; ++k) x.push_back(t.array(n));
  t.work(128 * n, 0);
  t.repeat(
      [&] {
        copy8.on(t.device)(y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7],  //
                           x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
      },
      [&] {
        reference(host(y[0]), host(y[1]), host(y[2]), host(y[3]), host(y[4]), host(y[5]), host(y[6]), host(y[7]),
                  host(x[0]), host(x[1]), host(x[2]), host(x[3]), host(x[4]), host(x[5]), host(x[6]), host(x[7]));
      });
  for (auto& part : y) t.checksum(part);
});

}  // namespace
}  // namespace rajaperf
