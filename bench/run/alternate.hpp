// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures two ways to do the same work, side by side: batches of launches between two synchronisations, by turns.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

namespace bench {

/// One of the two: puts work on a queue, and waits for all of it.
struct contender {
  std::function<void()> launch;
  std::function<void()> wait;
};

/// Microseconds a launch: the median over the batches, and the quartiles around it.
struct summary {
  double median = 0;
  double lower = 0;
  double upper = 0;
  double spread() const { return (upper - lower) / median; }
};

inline double batch_microseconds(const contender& c, int launches) {
  c.wait();
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < launches; ++k) c.launch();
  c.wait();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / launches;
}

inline summary summarise(std::vector<double> times) {
  std::ranges::sort(times);
  const auto quantile = [&](double q) {
    const double at = q * static_cast<double>(times.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const auto above = std::min(below + 1, times.size() - 1);
    return times[below] + (at - static_cast<double>(below)) * (times[above] - times[below]);
  };
  return {quantile(0.5), quantile(0.25), quantile(0.75)};
}

struct comparison {
  int launches = 0;  ///< a batch
  summary ours, theirs;
  double ratio() const { return ours.median / theirs.median; }
  /// At most 1.02, or no more than the batches of one contender differ among themselves.
  bool holds() const { return ratio() <= 1.02 || ratio() - 1 <= std::max(ours.spread(), theirs.spread()); }
};

/// `batches` of each, by turns, the first by turns too; a batch lasts about `batch_milliseconds`.
inline comparison alternate(const contender& ours, const contender& theirs, int batches, double batch_milliseconds) {
  for (const contender* c : {&ours, &theirs}) batch_microseconds(*c, 3);  // compilation, clocks, caches
  const double once = std::max(batch_microseconds(ours, 5), batch_microseconds(theirs, 5));
  comparison result;
  result.launches = static_cast<int>(std::clamp(std::ceil(batch_milliseconds * 1000 / once), 3.0, 10'000.0));
  std::vector<double> a, b;
  for (int k = 0; k < batches; ++k) {
    if (k % 2 == 0) a.push_back(batch_microseconds(ours, result.launches));
    b.push_back(batch_microseconds(theirs, result.launches));
    if (k % 2 == 1) a.push_back(batch_microseconds(ours, result.launches));
  }
  result.ours = summarise(a);
  result.theirs = summarise(b);
  return result;
}

}  // namespace bench
