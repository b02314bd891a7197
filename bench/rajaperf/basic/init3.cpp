// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// INIT3: three arrays of the same value.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto init3 = sv::kernel<"init3">(
    [](sv::out<double> out1, sv::out<double> out2, sv::out<double> out3, sv::in<double> in1, sv::in<double> in2) {
      auto i = sv::global_id(out1);
      auto value = -in1(i) - in2(i);
      out1(i) = value;
      out2(i) = value;
      out3(i) = value;
    });

void reference(host<double> out1, host<double> out2, host<double> out3, host<double> in1, host<double> in2) {
  for (std::int64_t i = 0; i < out1.extent(0); ++i) out1(i) = out2(i) = out3(i) = -in1(i) - in2(i);
}

const registration registered("Basic_INIT3", [](trial& t) {
  const auto n = t.size;
  auto out1 = t.constant(0.0, n);
  auto out2 = t.constant(0.0, n);
  auto out3 = t.constant(0.0, n);
  auto in1 = t.array(n);
  auto in2 = t.array(n);
  t.work(40 * n, n);
  t.repeat([&] { init3.on(t.device)(out1, out2, out3, in1, in2); },
           [&] { reference(host(out1), host(out2), host(out3), host(in1), host(in2)); });
  t.checksum(out1);
  t.checksum(out2);
  t.checksum(out3);
});

}  // namespace
}  // namespace rajaperf
