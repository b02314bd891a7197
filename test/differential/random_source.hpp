// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers that are the same on every machine and with every compiler, and values that find mistakes.
#pragma once

#include <selvage/ir/types.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace selvage::test {

class random_source {
 public:
  explicit random_source(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// 0 to n - 1.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
  /// True once in n times.
  bool one_in(std::uint32_t n) { return below(n) == 0; }

  template <class T, std::size_t N>
  T of(const T (&list)[N]) {
    return list[below(N)];
  }

  ir::type type() { return static_cast<ir::type>(1 + below(ir::type_count - 1)); }

  /// A value of the type, as to_bits gives it: often a small one, sometimes one at an edge.
  std::uint64_t value(ir::type t) {
    return ir::with_type(t, [this]<class T>() { return ir::to_bits(value<T>()); });
  }

 private:
  template <class T>
  T value() {
    using limits = std::numeric_limits<T>;
    if constexpr (std::is_same_v<T, bool>) {
      return one_in(2);
    } else if constexpr (std::is_floating_point_v<T>) {
      const T edges[] = {T{0},
                         -T{0},
                         T{1},
                         -T{1},
                         limits::infinity(),
                         -limits::infinity(),
                         limits::max(),
                         limits::min(),
                         limits::denorm_min(),
                         T(0.1),
                         limits::quiet_NaN(),
                         limits::lowest(),
                         T(2147483648.0),
                         T(-9223372036854775808.0),
                         T(0.5),
                         T(-2.5)};
      if (one_in(4)) return of(edges);
      if (one_in(4)) return static_cast<T>(static_cast<double>(below(2000)) - 1000.0) / T{8};
      const int exponent = static_cast<int>(below(40)) - 20;
      return std::ldexp(static_cast<T>(static_cast<std::int64_t>(bits()) >> 11) * T(0x1p-52), exponent);
    } else {
      const T edges[] = {
          T{0}, T{1}, limits::max(), limits::min(), static_cast<T>(limits::max() - 1), static_cast<T>(-1)};
      if (one_in(5)) return of(edges);
      if (one_in(5)) return static_cast<T>(bits());
      return static_cast<T>(static_cast<int>(below(20)) - (std::is_signed_v<T> ? 6 : 0));
    }
  }

  std::mt19937_64 engine_;
};

}  // namespace selvage::test
