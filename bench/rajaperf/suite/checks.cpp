// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading known checksums, and comparing.
#include "checks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace rajaperf {
namespace {

constexpr long double infinity = std::numeric_limits<long double>::infinity();

}  // namespace

known_checksums::known_checksums(const std::string& file) {
  std::ifstream in(file);
  std::string text;
  const auto next_line = [&] {
    const bool there = static_cast<bool>(std::getline(in, text));
    if (text.ends_with('\r')) text.pop_back();
    return there;
  };
  if (!next_line()) throw std::runtime_error(fmt::format("cannot read '{}'", file));
  if (text != "size,reps,kernel,checksum")
    throw std::runtime_error(fmt::format("'{}': the first line is not 'size,reps,kernel,checksum'", file));
  for (int line = 2; next_line(); ++line) {
    std::ranges::replace(text, ',', ' ');
    std::istringstream fields(text);
    std::int64_t size = 0;
    int reps = 0;
    std::string kernel;
    long double checksum = 0;
    if (!(fields >> size >> reps >> kernel >> checksum))
      throw std::runtime_error(fmt::format("'{}', line {}: not size,reps,kernel,checksum", file, line));
    values_[{kernel, size, reps}] = checksum;
  }
}

const long double* known_checksums::find(std::string_view kernel, std::int64_t size, int reps) const {
  const auto found = values_.find({std::string(kernel), size, reps});
  return found == values_.end() ? nullptr : &found->second;
}

std::vector<std::string> known_checksums::kernels() const {
  std::vector<std::string> names;
  for (const auto& [key, value] : values_)
    if (names.empty() || names.back() != std::get<0>(key)) names.push_back(std::get<0>(key));
  return names;
}

long double relative_difference(long double a, long double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return infinity;
  return a == b ? 0 : b == 0 ? infinity : std::abs((a - b) / b);
}

long double relative_difference(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  if (a.size() != b.size()) return infinity;
  long double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].size() != b[k].size()) return infinity;
    double difference = 0, greatest = 0;
    for (std::size_t i = 0; i < a[k].size(); ++i) {
      if (!std::isfinite(a[k][i]) || !std::isfinite(b[k][i])) return infinity;
      difference = std::max(difference, std::abs(a[k][i] - b[k][i]));
      greatest = std::max(greatest, std::abs(b[k][i]));
    }
    if (difference > 0)
      worst = std::max(worst, greatest > 0 ? static_cast<long double>(difference) / greatest : infinity);
  }
  return worst;
}

}  // namespace rajaperf
