// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MATVEC_3D_STENCIL: b = A x for a symmetric 27-point stencil, of which 14 coefficients a zone are stored.
#include "suite/interior.hpp"
#include "suite/mesh.hpp"
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

using in = sv::in<double, 3>;
using grid = host<double, 3>;

/// A coefficient's name says where its neighbour is: down, centre, up in k; back, centre, front in j; left, centre,
/// right in i. The other half are the coefficients of the opposite neighbours.
constexpr auto row(const auto& x, const auto& dbl, const auto& dbc, const auto& dbr, const auto& dcl, const auto& dcc,
                   const auto& dcr, const auto& dfl, const auto& dfc, const auto& dfr, const auto& cbl, const auto& cbc,
                   const auto& cbr, const auto& ccl, const auto& ccc, const auto& k, const auto& j, const auto& i) {
  return dbl(k, j, i) * x(k - 1, j - 1, i - 1) + dbc(k, j, i) * x(k - 1, j - 1, i) +
         dbr(k, j, i) * x(k - 1, j - 1, i + 1) + dcl(k, j, i) * x(k - 1, j, i - 1) + dcc(k, j, i) * x(k - 1, j, i) +
         dcr(k, j, i) * x(k - 1, j, i + 1) + dfl(k, j, i) * x(k - 1, j + 1, i - 1) + dfc(k, j, i) * x(k - 1, j + 1, i) +
         dfr(k, j, i) * x(k - 1, j + 1, i + 1) + cbl(k, j, i) * x(k, j - 1, i - 1) + cbc(k, j, i) * x(k, j - 1, i) +
         cbr(k, j, i) * x(k, j - 1, i + 1) + ccl(k, j, i) * x(k, j, i - 1) + ccc(k, j, i) * x(k, j, i) +
         ccl(k, j, i + 1) * x(k, j, i + 1) + cbr(k, j + 1, i - 1) * x(k, j + 1, i - 1) +
         cbc(k, j + 1, i) * x(k, j + 1, i) + cbl(k, j + 1, i + 1) * x(k, j + 1, i + 1) +
         dfr(k + 1, j - 1, i - 1) * x(k + 1, j - 1, i - 1) + dfc(k + 1, j - 1, i) * x(k + 1, j - 1, i) +
         dfl(k + 1, j - 1, i + 1) * x(k + 1, j - 1, i + 1) + dcr(k + 1, j, i - 1) * x(k + 1, j, i - 1) +
         dcc(k + 1, j, i) * x(k + 1, j, i) + dcl(k + 1, j, i + 1) * x(k + 1, j, i + 1) +
         dbr(k + 1, j + 1, i - 1) * x(k + 1, j + 1, i - 1) + dbc(k + 1, j + 1, i) * x(k + 1, j + 1, i) +
         dbl(k + 1, j + 1, i + 1) * x(k + 1, j + 1, i + 1);
}

constexpr auto matvec = sv::kernel<"matvec_3d_stencil">([](sv::inout<double, 3> b, in x, in dbl, in dbc, in dbr, in dcl,
                                                           in dcc, in dcr, in dfl, in dfc, in dfr, in cbl, in cbc,
                                                           in cbr, in ccl, in ccc, sv::value<std::int64_t> zones) {
  auto [k, j, i] = shifted(sv::global_id(zones, zones, zones), 2);
  b(k, j, i) = row(x, dbl, dbc, dbr, dcl, dcc, dcr, dfl, dfc, dfr, cbl, cbc, cbr, ccl, ccc, k, j, i);
});

void reference(grid b, grid x, grid dbl, grid dbc, grid dbr, grid dcl, grid dcc, grid dcr, grid dfl, grid dfc, grid dfr,
               grid cbl, grid cbc, grid cbr, grid ccl, grid ccc, std::int64_t zones) {
  for (std::int64_t k = 2; k < zones + 2; ++k)
    for (std::int64_t j = 2; j < zones + 2; ++j)
      for (std::int64_t i = 2; i < zones + 2; ++i)
        b(k, j, i) = row(x, dbl, dbc, dbr, dcl, dcc, dcr, dfl, dfc, dfr, cbl, cbc, cbr, ccl, ccc, k, j, i);
}

const registration registered("Apps_MATVEC_3D_STENCIL", [](trial& t) {
  const mesh m(t.cube());
  const auto e = m.extent, n = m.zones;
  auto b = t.constant(0.0, e, e, e);
  auto x = t.array(e, e, e);
  std::vector<sv::buffer<double, 3>> a;
  for (int c = 0; c < 14; ++c) a.push_back(t.array(e, e, e));
  // A coefficient that two neighbours share is read in the union of two boxes.
  const auto box = n * n * n, face = 2 * box - n * n * (n - 1), edge = 2 * box - n * (n - 1) * (n - 1);
  const auto corner = 2 * box - (n - 1) * (n - 1) * (n - 1);
  t.work(8 * (3 * box + (n + 2) * (n + 2) * (n + 2) + 3 * face + 6 * edge + 4 * corner), 53 * box);
  t.repeat(
      [&] {
        matvec.on(t.device)(b, x, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                            a[13], n);
      },
      [&] {
        reference(host(b), host(x), host(a[0]), host(a[1]), host(a[2]), host(a[3]), host(a[4]), host(a[5]), host(a[6]),
                  host(a[7]), host(a[8]), host(a[9]), host(a[10]), host(a[11]), host(a[12]), host(a[13]), n);
      });
  t.checksum(b, scale(1.0, 1'000'000, box));
});

}  // namespace
}  // namespace rajaperf
