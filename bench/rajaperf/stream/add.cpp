// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADD: c = a + b.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto add = sv::kernel<"add">([](sv::out<double> c, sv::in<double> a, sv::in<double> b) {
  auto i = sv::global_id(c);
  c(i) = a(i) + b(i);
});

void reference(host<double> c, host<double> a, host<double> b) {
  for (std::int64_t i = 0; i < c.extent(0); ++i) c(i) = a(i) + b(i);
}

const registration registered("Stream_ADD", [](trial& t) {
  const auto n = t.size;
  auto a = t.array(n);
  auto b = t.array(n);
  auto c = t.constant(0.0, n);
  t.work(24 * n, n);
  t.repeat([&] { add.on(t.device)(c, a, b); }, [&] { reference(host(c), host(a), host(b)); });
  t.checksum(c);
});

}  // namespace
}  // namespace rajaperf
