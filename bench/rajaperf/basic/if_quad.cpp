// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IF_QUAD: the real roots of a x^2 + b x + c, or 0.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto if_quad = sv::kernel<"if_quad">(
    [](sv::scope k, sv::out<double> x1, sv::out<double> x2, sv::in<double> a, sv::in<double> b, sv::in<double> c) {
      auto i = sv::global_id(x1);
      auto s = b(i) * b(i) - 4.0 * a(i) * c(i);
      k.if_(s >= 0.0, [&] {
         auto root = sv::sqrt(s);
         x2(i) = (-b(i) + root) / (2.0 * a(i));
         x1(i) = (-b(i) - root) / (2.0 * a(i));
       }).else_([&] {
        x2(i) = 0.0;
        x1(i) = 0.0;
      });
    });

void reference(host<double> x1, host<double> x2, host<double> a, host<double> b, host<double> c) {
  for (std::int64_t i = 0; i < x1.extent(0); ++i) {
    const double s = b(i) * b(i) - 4.0 * a(i) * c(i);
    if (s >= 0.0) {
      const double root = std::sqrt(s);
      x2(i) = (-b(i) + root) / (2.0 * a(i));
      x1(i) = (-b(i) - root) / (2.0 * a(i));
    } else {
      x2(i) = 0.0;
      x1(i) = 0.0;
    }
  }
}

const registration registered("Basic_IF_QUAD", [](trial& t) {
  const auto n = t.size;
  auto a = t.signed_array(n);
  auto b = t.array(n);
  auto c = t.array(n);
  auto x1 = t.constant(0.0, n);
  auto x2 = t.constant(0.0, n);
  t.work(40 * n, 11 * n);
  t.repeat([&] { if_quad.on(t.device)(x1, x2, a, b, c); },
           [&] { reference(host(x1), host(x2), host(a), host(b), host(c)); });
  t.checksum(x1, scale(1e-4, 1'000'000, n));
  t.checksum(x2, scale(1e-4, 1'000'000, n));
});

}  // namespace
}  // namespace rajaperf
