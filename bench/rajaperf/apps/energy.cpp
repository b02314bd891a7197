// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ENERGY: the update of energies and viscosities of a hydrodynamics step, in six loops.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

using out = sv::out<double>;
using inout = sv::inout<double>;
using in = sv::in<double>;
using scalar = sv::value<double>;
using array = host<double>;

constexpr double tiny = 0.1111111e-36, floor_of_speed = 0.3333333e-18;

/// The speed of sound from its square, kept off zero.
constexpr auto speed(sv::term auto square) {
  return sv::select(square <= tiny, floor_of_speed, sv::sqrt(square));
}
double speed(double square) {
  return square <= tiny ? floor_of_speed : std::sqrt(square);
}

constexpr auto predict = sv::kernel<"energy_predict">([](out e_new, in e_old, in delvc, in p_old, in q_old, in work) {
  auto i = sv::global_id(e_new);
  e_new(i) = e_old(i) - 0.5 * delvc(i) * (p_old(i) + q_old(i)) + 0.5 * work(i);
});

constexpr auto viscosity = sv::kernel<"energy_viscosity">([](out q_new, in delvc, in compHalfStep, in pbvc, in e_new,
                                                             in bvc, in pHalfStep, in ql_old, in qq_old, scalar rho0) {
  auto i = sv::global_id(q_new);
  auto vhalf = 1.0 / (1.0 + compHalfStep(i));
  auto ssc = speed((pbvc(i) * e_new(i) + vhalf * vhalf * bvc(i) * pHalfStep(i)) / rho0);
  q_new(i) = sv::select(delvc(i) > 0.0, 0.0, ssc * ql_old(i) + qq_old(i));
});

constexpr auto correct =
    sv::kernel<"energy_correct">([](inout e_new, in delvc, in p_old, in q_old, in pHalfStep, in q_new) {
      auto i = sv::global_id(e_new);
      e_new(i) += 0.5 * delvc(i) * (3.0 * (p_old(i) + q_old(i)) - 4.0 * (pHalfStep(i) + q_new(i)));
    });

constexpr auto add_work = sv::kernel<"energy_work">([](sv::scope k, inout e_new, in work, scalar e_cut, scalar emin) {
  auto i = sv::global_id(e_new);
  e_new(i) += 0.5 * work(i);
  k.if_(sv::abs(e_new(i)) < e_cut, [&] { e_new(i) = 0.0; });
  k.if_(e_new(i) < emin, [&] { e_new(i) = emin; });
});

constexpr auto finish = sv::kernel<"energy_finish">([](sv::scope k, inout e_new, in delvc, in pbvc, in vnewc, in bvc,
                                                       in p_new, in ql_old, in qq_old, in p_old, in q_old, in pHalfStep,
                                                       in q_new, scalar rho0, scalar e_cut, scalar emin) {
  auto i = sv::global_id(e_new);
  auto ssc = speed((pbvc(i) * e_new(i) + vnewc(i) * vnewc(i) * bvc(i) * p_new(i)) / rho0);
  auto q_tilde = sv::select(delvc(i) > 0.0, 0.0, ssc * ql_old(i) + qq_old(i));
  e_new(i) -= (7.0 * (p_old(i) + q_old(i)) - 8.0 * (pHalfStep(i) + q_new(i)) + (p_new(i) + q_tilde)) * delvc(i) / 6.0;
  k.if_(sv::abs(e_new(i)) < e_cut, [&] { e_new(i) = 0.0; });
  k.if_(e_new(i) < emin, [&] { e_new(i) = emin; });
});

constexpr auto final_viscosity =
    sv::kernel<"energy_final_viscosity">([](sv::scope k, inout q_new, in delvc, in pbvc, in e_new, in vnewc, in bvc,
                                            in p_new, in ql_old, in qq_old, scalar rho0, scalar q_cut) {
      auto i = sv::global_id(q_new);
      k.if_(delvc(i) <= 0.0, [&] {
        auto ssc = speed((pbvc(i) * e_new(i) + vnewc(i) * vnewc(i) * bvc(i) * p_new(i)) / rho0);
        q_new(i) = ssc * ql_old(i) + qq_old(i);
        k.if_(sv::abs(q_new(i)) < q_cut, [&] { q_new(i) = 0.0; });
      });
    });

void reference(array e_new, array e_old, array delvc, array p_new, array p_old, array q_new, array q_old, array work,
               array compHalfStep, array pHalfStep, array bvc, array pbvc, array ql_old, array qq_old, array vnewc,
               double rho0, double e_cut, double emin, double q_cut) {
  const std::int64_t n = e_new.extent(0);
  for (std::int64_t i = 0; i < n; ++i) e_new(i) = e_old(i) - 0.5 * delvc(i) * (p_old(i) + q_old(i)) + 0.5 * work(i);
  for (std::int64_t i = 0; i < n; ++i) {
    const double vhalf = 1.0 / (1.0 + compHalfStep(i));
    const double ssc = speed((pbvc(i) * e_new(i) + vhalf * vhalf * bvc(i) * pHalfStep(i)) / rho0);
    q_new(i) = delvc(i) > 0.0 ? 0.0 : ssc * ql_old(i) + qq_old(i);
  }
  for (std::int64_t i = 0; i < n; ++i)
    e_new(i) += 0.5 * delvc(i) * (3.0 * (p_old(i) + q_old(i)) - 4.0 * (pHalfStep(i) + q_new(i)));
  for (std::int64_t i = 0; i < n; ++i) {
    e_new(i) += 0.5 * work(i);
    if (std::abs(e_new(i)) < e_cut) e_new(i) = 0.0;
    if (e_new(i) < emin) e_new(i) = emin;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const double ssc = speed((pbvc(i) * e_new(i) + vnewc(i) * vnewc(i) * bvc(i) * p_new(i)) / rho0);
    const double q_tilde = delvc(i) > 0.0 ? 0.0 : ssc * ql_old(i) + qq_old(i);
    e_new(i) -= (7.0 * (p_old(i) + q_old(i)) - 8.0 * (pHalfStep(i) + q_new(i)) + (p_new(i) + q_tilde)) * delvc(i) / 6.0;
    if (std::abs(e_new(i)) < e_cut) e_new(i) = 0.0;
    if (e_new(i) < emin) e_new(i) = emin;
  }
  for (std::int64_t i = 0; i < n; ++i)
    if (delvc(i) <= 0.0) {
      const double ssc = speed((pbvc(i) * e_new(i) + vnewc(i) * vnewc(i) * bvc(i) * p_new(i)) / rho0);
      q_new(i) = ssc * ql_old(i) + qq_old(i);
      if (std::abs(q_new(i)) < q_cut) q_new(i) = 0.0;
    }
}

const registration registered("Apps_ENERGY", [](trial& t) {
  const auto n = t.size;
  auto e_new = t.constant(0.0, n), e_old = t.array(n), delvc = t.array(n), p_new = t.array(n), p_old = t.array(n);
  auto q_new = t.constant(0.0, n), q_old = t.array(n), work = t.array(n), compHalfStep = t.array(n);
  auto pHalfStep = t.array(n), bvc = t.array(n), pbvc = t.array(n), ql_old = t.array(n), qq_old = t.array(n);
  auto vnewc = t.array(n);
  const double rho0 = t.scalar(), e_cut = t.scalar(), emin = t.scalar(), q_cut = t.scalar();
  t.work(216 * n, 55 * n);
  t.repeat(
      [&] {
        predict.on(t.device)(e_new, e_old, delvc, p_old, q_old, work);
        viscosity.on(t.device)(q_new, delvc, compHalfStep, pbvc, e_new, bvc, pHalfStep, ql_old, qq_old, rho0);
        correct.on(t.device)(e_new, delvc, p_old, q_old, pHalfStep, q_new);
        add_work.on(t.device)(e_new, work, e_cut, emin);
        finish.on(t.device)(e_new, delvc, pbvc, vnewc, bvc, p_new, ql_old, qq_old, p_old, q_old, pHalfStep, q_new, rho0,
                            e_cut, emin);
        final_viscosity.on(t.device)(q_new, delvc, pbvc, e_new, vnewc, bvc, p_new, ql_old, qq_old, rho0, q_cut);
      },
      [&] {
        reference(host(e_new), host(e_old), host(delvc), host(p_new), host(p_old), host(q_new), host(q_old), host(work),
                  host(compHalfStep), host(pHalfStep), host(bvc), host(pbvc), host(ql_old), host(qq_old), host(vnewc),
                  rho0, e_cut, emin, q_cut);
      });
  t.checksum(e_new);
  t.checksum(q_new);
});

}  // namespace
}  // namespace rajaperf
