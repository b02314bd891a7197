// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wall-clock time of a piece of a sample.
#pragma once

#include <chrono>

namespace samples {

/// Runs f once and gives the milliseconds that it took.
template <class F>
double milliseconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace samples
