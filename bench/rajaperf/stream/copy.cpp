// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// COPY: c = a.
#include "suite/registry.hpp"

namespace rajaperf {
namespace {

constexpr auto copy = sv::kernel<"copy">([](sv::out<double> c, sv::in<double> a) {
  auto i = sv::global_id(c);
  c(i) = a(i);
});

void reference(host<double> c, host<double> a) {
  for (std::int64_t i = 0; i < c.extent(0); ++i) c(i) = a(i);
}

const registration registered("Stream_COPY", [](trial& t) {
  const auto n = t.size;
  auto a = t.array(n);
  auto c = t.constant(0.0, n);
  t.work(16 * n, 0);
  t.repeat([&] { copy.on(t.device)(c, a); }, [&] { reference(host(c), host(a)); });
  t.checksum(c);
});

}  // namespace
}  // namespace rajaperf
