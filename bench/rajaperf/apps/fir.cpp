// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FIR: a filter of finite response, 16 coefficients.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto fir = sv::kernel<"fir">([](sv::out<double> out, sv::in<double> in, sv::in<double> coefficients) {
  auto i = sv::global_id(out);
  out(i) = sv::sum(coefficients.extent(0), [=](auto j) { return coefficients(j) * in(i + j); });
});

void reference(host<double> out, host<double> in, host<double> coefficients) {
  for (std::int64_t i = 0; i < out.extent(0); ++i) {
    double sum = 0.0;
    for (std::int64_t j = 0; j < coefficients.extent(0); ++j) sum += coefficients(j) * in(i + j);
    out(i) = sum;
  }
}

const registration registered("Apps_FIR", [](trial& t) {
  const auto n = t.size;
  auto in = t.array(n + 15);
  auto out = t.constant(0.0, n);
  sv::buffer<double> coefficients(16);
  for (int j = 0; double& c : coefficients.write()) c = j++ % 5 == 0 ? 3.0 : -1.0;
  t.work(16 * n + 248, 32 * n);
  t.repeat([&] { fir.on(t.device)(out, in, coefficients); },
           [&] { reference(host(out), host(in), host(coefficients)); });
  t.checksum(out, scale(1e-4, 1'000'000, n));
});

}  // namespace
}  // namespace rajaperf
