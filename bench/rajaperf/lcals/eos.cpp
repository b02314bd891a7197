// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EOS: an equation of state.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto eos = sv::kernel<"eos">([](sv::out<double> x, sv::in<double> y, sv::in<double> z, sv::in<double> u,
                                          sv::value<double> q, sv::value<double> r, sv::value<double> t) {
  auto i = sv::global_id(x);
  x(i) = u(i) + r * (z(i) + r * y(i)) +
         t * (u(i + 3) + r * (u(i + 2) + r * u(i + 1)) + t * (u(i + 6) + q * (u(i + 5) + q * u(i + 4))));
});

void reference(host<double> x, host<double> y, host<double> z, host<double> u, double q, double r, double t) {
  for (std::int64_t i = 0; i < x.extent(0); ++i)
    x(i) = u(i) + r * (z(i) + r * y(i)) +
           t * (u(i + 3) + r * (u(i + 2) + r * u(i + 1)) + t * (u(i + 6) + q * (u(i + 5) + q * u(i + 4))));
}

const registration registered("Lcals_EOS", [](trial& t) {
  const auto n = t.size;
  auto x = t.constant(0.0, n);
  auto y = t.array(n + 7);
  auto z = t.array(n + 7);
  auto u = t.array(n + 7);
  const double q = t.scalar(), r = t.scalar(), s = t.scalar();
  t.work(32 * n + 56, 16 * n);
  t.repeat([&] { eos.on(t.device)(x, y, z, u, q, r, s); },
           [&] { reference(host(x), host(y), host(z), host(u), q, r, s); });
  t.checksum(x, scale(1e-4, 1'000'000, n));
});

}  // namespace
}  // namespace rajaperf
