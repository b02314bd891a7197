// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GEN_LIN_RECUR: a linear recurrence, upwards and then downwards.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto upwards = sv::kernel<"gen_lin_recur_up">(
    [](sv::out<double> b5, sv::inout<double> stb5, sv::in<double> sa, sv::in<double> sb) {
      auto k = sv::global_id(b5);
      b5(k) = sa(k) + stb5(k) * sb(k);
      stb5(k) = b5(k) - stb5(k);
    });

constexpr auto downwards = sv::kernel<"gen_lin_recur_down">(
    [](sv::out<double> b5, sv::inout<double> stb5, sv::in<double> sa, sv::in<double> sb) {
      auto i = sv::global_id(b5);
      auto k = b5.extent(0) - 1 - i;
      b5(k) = sa(k) + stb5(k) * sb(k);
      stb5(k) = b5(k) - stb5(k);
    });

void reference(host<double> b5, host<double> stb5, host<double> sa, host<double> sb) {
  for (std::int64_t k = 0; k < b5.extent(0); ++k) {
    b5(k) = sa(k) + stb5(k) * sb(k);
    stb5(k) = b5(k) - stb5(k);
  }
  for (std::int64_t i = 0; i < b5.extent(0); ++i) {
    const std::int64_t k = b5.extent(0) - 1 - i;
    b5(k) = sa(k) + stb5(k) * sb(k);
    stb5(k) = b5(k) - stb5(k);
  }
}

const registration registered("Lcals_GEN_LIN_RECUR", [](trial& t) {
  const auto n = t.size;
  auto b5 = t.constant(0.0, n);
  auto stb5 = t.array(n);
  auto sa = t.array(n);
  auto sb = t.array(n);
  t.work(80 * n, 6 * n);
  t.repeat(
      [&] {
        upwards.on(t.device)(b5, stb5, sa, sb);
        downwards.on(t.device)(b5, stb5, sa, sb);
      },
      [&] { reference(host(b5), host(stb5), host(sa), host(sb)); });
  t.checksum(b5, scale(0.01, 1'000'000, n));
});

}  // namespace
}  // namespace rajaperf
