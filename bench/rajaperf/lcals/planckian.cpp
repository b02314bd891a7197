// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PLANCKIAN: Planck's distribution.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto planckian = sv::kernel<"planckian">(
    [](sv::out<double> y, sv::out<double> w, sv::in<double> x, sv::in<double> u, sv::in<double> v) {
      auto i = sv::global_id(y);
      y(i) = u(i) / v(i);
      w(i) = x(i) / (sv::exp(y(i)) - 1.0);
    });

void reference(host<double> y, host<double> w, host<double> x, host<double> u, host<double> v) {
  for (std::int64_t i = 0; i < y.extent(0); ++i) {
    y(i) = u(i) / v(i);
    w(i) = x(i) / (std::exp(y(i)) - 1.0);
  }
}

const registration registered("Lcals_PLANCKIAN", [](trial& t) {
  const auto n = t.size;
  auto x = t.array(n);
  auto y = t.array(n);
  auto u = t.array(n);
  auto v = t.array(n);
  auto w = t.constant(0.0, n);
  t.work(40 * n, 4 * n);
  t.repeat([&] { planckian.on(t.device)(y, w, x, u, v); },
           [&] { reference(host(y), host(w), host(x), host(u), host(v)); });
  t.checksum(w);
});

}  // namespace
}  // namespace rajaperf
