// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MULADDSUB: product, sum and difference of two arrays.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto muladdsub = sv::kernel<"muladdsub">(
    [](sv::out<double> out1, sv::out<double> out2, sv::out<double> out3, sv::in<double> in1, sv::in<double> in2) {
      auto i = sv::global_id(out1);
      out1(i) = in1(i) * in2(i);
      out2(i) = in1(i) + in2(i);
      out3(i) = in1(i) - in2(i);
    });

void reference(host<double> out1, host<double> out2, host<double> out3, host<double> in1, host<double> in2) {
  for (std::int64_t i = 0; i < out1.extent(0); ++i) {
    out1(i) = in1(i) * in2(i);
    out2(i) = in1(i) + in2(i);
    out3(i) = in1(i) - in2(i);
  }
}

const registration registered("Basic_MULADDSUB", [](trial& t) {
  const auto n = t.size;
  auto out1 = t.constant(0.0, n);
  auto out2 = t.constant(0.0, n);
  auto out3 = t.constant(0.0, n);
  auto in1 = t.array(n);
  auto in2 = t.array(n);
  t.work(40 * n, 3 * n);
  t.repeat([&] { muladdsub.on(t.device)(out1, out2, out3, in1, in2); },
           [&] { reference(host(out1), host(out2), host(out3), host(in1), host(in2)); });
  t.checksum(out1);
  t.checksum(out2);
  t.checksum(out3);
});

}  // namespace
}  // namespace rajaperf
