// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trial: one kernel, run some repetitions on its own initial data. Sizes, data and checksums follow RAJAPerf's rules.
#pragma once

#include "host.hpp"

#include <selvage/selvage.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace rajaperf {

namespace sv = selvage;

enum class implementation : std::uint8_t { selvage, reference };

/// What a trial found.
struct outcome {
  long double checksum = 0;
  double seconds = 0;                        ///< a repetition
  std::int64_t bytes = 0, flops = 0;         ///< a repetition
  std::vector<std::vector<double>> results;  ///< what the checksum was made of
};

/// A kernel's function takes the trial and calls its members in order: data, work, repeat, checksum.
class trial {
 public:
  trial(sv::device on, std::int64_t target, int reps, implementation which)
      : device(std::move(on)), size(target), repetitions(reps), which_(which) {}

  const sv::device device;
  const std::int64_t size;  ///< the target size; a one-dimensional kernel has as many elements
  const int repetitions;

  /// The side of a square or cube of about `size` elements.
  std::int64_t square() const;
  std::int64_t cube() const;

  // Initial data. Every call counts, and its number's parity chooses the factor of `array` and `scalar`: 0.2, 0.1, ...

  /// 0.2 (or 0.1) (i + 1.1) / (i + 1.12345), over the flat index i.
  template <std::integral... Extents>
  auto array(Extents... extents) {
    return filled(&trial::fill, extents...);
  }
  /// The same with random signs.
  template <std::integral... Extents>
  auto signed_array(Extents... extents) {
    return filled(&trial::fill_signed, extents...);
  }
  template <std::integral... Extents>
  auto constant(double value, Extents... extents) {
    return filled([value](trial& t, std::span<double> data) { t.fill_constant(data, value); }, extents...);
  }
  /// Numbers between 0 and 1, the same at every call.
  template <std::integral... Extents>
  auto random_array(Extents... extents) {
    return filled(&trial::fill_random, extents...);
  }
  double scalar() { return factor() * 1.1 / 1.12345; }
  /// Counts calls of the suite for data that have another form here.
  void skip(int calls) { calls_ += calls; }

  /// Bytes that a repetition moves, and its floating-point operations, as RAJAPerf counts them.
  void work(std::int64_t bytes, std::int64_t flops);

  /// Runs one of the two, once a repetition, and takes the time.
  void repeat(const std::function<void()>& selvage, const std::function<void()>& reference);

  /// Adds a part to the checksum: `scale` times a weighted sum.
  template <int Rank>
  void checksum(const sv::buffer<double, Rank>& data, double scale = 1.0) {
    checksum(data.read(), scale);
  }
  void checksum(std::span<const double> data, double scale = 1.0);
  /// Adds a number as it is.
  void number(double value);

  const outcome& result() const { return outcome_; }

 private:
  double factor() { return calls_++ % 2 == 0 ? 0.2 : 0.1; }
  void fill(std::span<double> data);
  void fill_signed(std::span<double> data);
  void fill_random(std::span<double> data);
  void fill_constant(std::span<double> data, double value);

  template <class Fill, std::integral... Extents>
  sv::buffer<double, sizeof...(Extents)> filled(Fill f, Extents... extents) {
    sv::buffer<double, sizeof...(Extents)> b(extents...);
    std::invoke(f, *this, b.write());
    if (which_ == implementation::selvage) b.prefetch(device);  // ahead of the clock
    return b;
  }

  implementation which_;
  int calls_ = 0;
  outcome outcome_;
};

/// An extent that stands to `side` as `part` to `whole`, rounded down as the suite does it.
inline std::int64_t scaled(std::int64_t side, int part, int whole) {
  return static_cast<std::int64_t>(static_cast<double>(part) / whole * static_cast<double>(side));
}

/// The scale of a checksum that is to depend little on the size.
inline double scale(double factor, std::int64_t default_size, std::int64_t actual_size) {
  return actual_size == 0 ? factor : factor * (static_cast<double>(default_size) / static_cast<double>(actual_size));
}

}  // namespace rajaperf
