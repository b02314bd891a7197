// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PRESSURE: the pressure from an equation of state, with cut-offs.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto stiffness =
    sv::kernel<"pressure_bvc">([](sv::out<double> bvc, sv::in<double> compression, sv::value<double> cls) {
      auto i = sv::global_id(bvc);
      bvc(i) = cls * (compression(i) + 1.0);
    });

constexpr auto pressure = sv::kernel<"pressure">([](sv::scope k, sv::out<double> p_new, sv::in<double> bvc,
                                                    sv::in<double> e_old, sv::in<double> vnewc, sv::value<double> p_cut,
                                                    sv::value<double> eosvmax, sv::value<double> pmin) {
  auto i = sv::global_id(p_new);
  p_new(i) = bvc(i) * e_old(i);
  k.if_(sv::abs(p_new(i)) < p_cut, [&] { p_new(i) = 0.0; });
  k.if_(vnewc(i) >= eosvmax, [&] { p_new(i) = 0.0; });
  k.if_(p_new(i) < pmin, [&] { p_new(i) = pmin; });
});

void reference(host<double> p_new, host<double> bvc, host<double> compression, host<double> e_old, host<double> vnewc,
               double cls, double p_cut, double pmin, double eosvmax) {
  for (std::int64_t i = 0; i < bvc.extent(0); ++i) bvc(i) = cls * (compression(i) + 1.0);
  for (std::int64_t i = 0; i < p_new.extent(0); ++i) {
    p_new(i) = bvc(i) * e_old(i);
    if (std::abs(p_new(i)) < p_cut) p_new(i) = 0.0;
    if (vnewc(i) >= eosvmax) p_new(i) = 0.0;
    if (p_new(i) < pmin) p_new(i) = pmin;
  }
}

const registration registered("Apps_PRESSURE", [](trial& t) {
  const auto n = t.size;
  auto compression = t.array(n);
  auto bvc = t.array(n);
  auto p_new = t.constant(0.0, n);
  auto e_old = t.array(n);
  auto vnewc = t.array(n);
  const double cls = t.scalar(), p_cut = t.scalar(), pmin = t.scalar(), eosvmax = t.scalar();
  t.work(48 * n, 3 * n);
  t.repeat(
      [&] {
        stiffness.on(t.device)(bvc, compression, cls);
        pressure.on(t.device)(p_new, bvc, e_old, vnewc, p_cut, eosvmax, pmin);
      },
      [&] {
        reference(host(p_new), host(bvc), host(compression), host(e_old), host(vnewc), cls, p_cut, pmin, eosvmax);
      });
  t.checksum(p_new);
});

}  // namespace
}  // namespace rajaperf
