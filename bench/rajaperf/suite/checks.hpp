// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a trial's outcome is compared with: known checksums, or the plain C++ reference.
#pragma once

#include "trial.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace rajaperf {

/// Known checksums: a CSV file with a header line and the columns size, reps, kernel, checksum.
class known_checksums {
 public:
  /// Throws std::runtime_error with file and line if it cannot be read.
  explicit known_checksums(const std::string& file);

  /// Null if the file has none for this kernel, size and number of repetitions.
  const long double* find(std::string_view kernel, std::int64_t size, int reps) const;
  /// All kernels of the file, sorted.
  std::vector<std::string> kernels() const;

 private:
  std::map<std::tuple<std::string, std::int64_t, int>, long double> values_;
};

/// |a - b| / |b|; 0 if both are 0, and never less than any tolerance if one is not a finite number.
long double relative_difference(long double a, long double b);

/// The greatest difference of two results, element by element, relative to the greatest element.
long double relative_difference(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b);

}  // namespace rajaperf
