// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MASS3DEA: the elements' mass matrices, of 4 x 4 x 4 basis functions at 5 x 5 x 5 points.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

/// The matrix's entry (i, j) of element e: a triple sum of products of the basis functions' values.
constexpr auto mass3dea =
    sv::kernel<"mass3dea">([](sv::scope k, sv::out<double, 3> m, sv::in<double, 2> b, sv::in<double, 2> d) {
      auto [e, i, j] = sv::global_id(m);
      auto i1 = i % 4, i2 = i / 4 % 4, i3 = i / 16;
      auto j1 = j % 4, j2 = j / 4 % 4, j3 = j / 16;
      m(e, i, j) = k.sum(5, [=](auto k1) {
        return k.sum(5, [=](auto k2) {
          return k.sum(5, [=](auto k3) {
            return b(k1, i1) * b(k1, j1) * b(k2, i2) * b(k2, j2) * b(k3, i3) * b(k3, j3) * d(e, k1 + 5 * (k2 + 5 * k3));
          });
        });
      });
    });

void reference(host<double, 3> m, host<double, 2> b, host<double, 2> d) {
  for (std::int64_t e = 0; e < m.extent(0); ++e)
    for (std::int64_t i = 0; i < 64; ++i)
      for (std::int64_t j = 0; j < 64; ++j) {
        const std::int64_t i1 = i % 4, i2 = i / 4 % 4, i3 = i / 16;
        const std::int64_t j1 = j % 4, j2 = j / 4 % 4, j3 = j / 16;
        double sum = 0.0;
        for (std::int64_t k1 = 0; k1 < 5; ++k1)
          for (std::int64_t k2 = 0; k2 < 5; ++k2)
            for (std::int64_t k3 = 0; k3 < 5; ++k3)
              sum +=
                  b(k1, i1) * b(k1, j1) * b(k2, i2) * b(k2, j2) * b(k3, i3) * b(k3, j3) * d(e, k1 + 5 * (k2 + 5 * k3));
        m(e, i, j) = sum;
      }
}

const registration registered("Apps_MASS3DEA", [](trial& t) {
  const auto elements = std::max<std::int64_t>((t.size + 2048) / 4096, 1);
  auto b = t.constant(1.0, 5, 4);
  auto d = t.constant(1.0, elements, 125);
  auto m = t.constant(0.0, elements, 64, 64);
  t.work(8 * (20 + 125 * elements + 4096 * elements), 7 * 4096 * elements);
  t.repeat([&] { mass3dea.on(t.device)(m, b, d); }, [&] { reference(host(m), host(b), host(d)); });
  t.checksum(m);
});

}  // namespace
}  // namespace rajaperf
