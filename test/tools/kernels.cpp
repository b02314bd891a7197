// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for the tests of the tools: one alone, and two of one name.
#include <selvage/dsl.hpp>

namespace sv = selvage;

inline constexpr auto daxpy = sv::kernel<"daxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});
SELVAGE_EXPORT(daxpy);

template <class T>
inline constexpr auto negate = sv::kernel<"negate">([](sv::out<T, 2> y, sv::in<T, 2> x) {
  auto [i, j] = sv::global_id(y);
  y(i, j) = -x(i, j);
});
inline constexpr auto negate_float = negate<float>;
inline constexpr auto negate_int64 = negate<std::int64_t>;
SELVAGE_EXPORT(negate_float);
SELVAGE_EXPORT(negate_int64);
