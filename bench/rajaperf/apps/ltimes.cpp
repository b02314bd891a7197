// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LTIMES: phi(z, g, m) += sum of ell(m, d) psi(z, g, d) over d. LTIMES_NOVIEW is the same: kernels index by views.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto ltimes =
    sv::kernel<"ltimes">([](sv::inout<double, 3> phi, sv::in<double, 2> ell, sv::in<double, 3> psi) {
      auto [z, g, m] = sv::global_id(phi);
      phi(z, g, m) += sv::sum(ell.extent(1), [=](auto d) { return ell(m, d) * psi(z, g, d); });
    });

void reference(host<double, 3> phi, host<double, 2> ell, host<double, 3> psi) {
  for (std::int64_t z = 0; z < phi.extent(0); ++z)
    for (std::int64_t g = 0; g < phi.extent(1); ++g)
      for (std::int64_t m = 0; m < phi.extent(2); ++m)
        for (std::int64_t d = 0; d < ell.extent(1); ++d) phi(z, g, m) += ell(m, d) * psi(z, g, d);
}

void run(trial& t) {
  const std::int64_t nd = 64, ng = 32, nm = 25;
  const auto nz = std::max<std::int64_t>((t.size + nd * ng / 2) / (nd * ng), 1);
  auto phi = t.constant(0.0, nz, ng, nm);
  auto ell = t.array(nm, nd);
  auto psi = t.array(nz, ng, nd);
  t.work(8 * (2 * nz * ng * nm + nm * nd + nz * ng * nd), 2 * nz * ng * nm * nd);
  t.repeat([&] { ltimes.on(t.device)(phi, ell, psi); }, [&] { reference(host(phi), host(ell), host(psi)); });
  t.checksum(phi, scale(1e-3, 488 * ng * nd, nz * ng * nd));
}

const registration registered("Apps_LTIMES", run);
const registration registered_noview("Apps_LTIMES_NOVIEW", run);

}  // namespace
}  // namespace rajaperf
