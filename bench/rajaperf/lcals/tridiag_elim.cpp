// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TRIDIAG_ELIM: xout(i) = z(i) (y(i) - xin(i - 1)) for i = 1, ..., N - 1.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto tridiag_elim = sv::kernel<"tridiag_elim">(
    [](sv::scope k, sv::inout<double> xout, sv::in<double> xin, sv::in<double> y, sv::in<double> z) {
      auto i = sv::global_id(xout);
      k.if_(i > 0, [&] { xout(i) = z(i) * (y(i) - xin(i - 1)); });
    });

void reference(host<double> xout, host<double> xin, host<double> y, host<double> z) {
  for (std::int64_t i = 1; i < xout.extent(0); ++i) xout(i) = z(i) * (y(i) - xin(i - 1));
}

const registration registered("Lcals_TRIDIAG_ELIM", [](trial& t) {
  const auto n = t.size;
  auto xout = t.constant(0.0, n);
  auto xin = t.array(n);
  auto y = t.array(n);
  auto z = t.array(n);
  t.work(32 * n, 2 * (n - 1));
  t.repeat([&] { tridiag_elim.on(t.device)(xout, xin, y, z); },
           [&] { reference(host(xout), host(xin), host(y), host(z)); });
  t.checksum(xout);
});

}  // namespace
}  // namespace rajaperf
