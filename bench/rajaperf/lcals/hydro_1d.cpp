// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HYDRO_1D: x(i) = q + y(i) (r z(i + 10) + t z(i + 11)).
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto hydro_1d = sv::kernel<"hydro_1d">([](sv::out<double> x, sv::in<double> y, sv::in<double> z,
                                                    sv::value<double> q, sv::value<double> r, sv::value<double> t) {
  auto i = sv::global_id(x);
  x(i) = q + y(i) * (r * z(i + 10) + t * z(i + 11));
});

void reference(host<double> x, host<double> y, host<double> z, double q, double r, double t) {
  for (std::int64_t i = 0; i < x.extent(0); ++i) x(i) = q + y(i) * (r * z(i + 10) + t * z(i + 11));
}

const registration registered("Lcals_HYDRO_1D", [](trial& t) {
  const auto n = t.size;
  auto x = t.constant(0.0, n);
  auto y = t.array(n + 12);
  auto z = t.array(n + 12);
  const double q = t.scalar(), r = t.scalar(), s = t.scalar();
  t.work(24 * n + 8, 5 * n);
  t.repeat([&] { hydro_1d.on(t.device)(x, y, z, q, r, s); }, [&] { reference(host(x), host(y), host(z), q, r, s); });
  t.checksum(x, scale(1e-3, 1'000'000, n));
});

}  // namespace
}  // namespace rajaperf
