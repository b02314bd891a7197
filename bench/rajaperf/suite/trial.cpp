// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initial data, clock and checksum of a trial.
#include "trial.hpp"

#include <chrono>
#include <cmath>
#include <cstdlib>

namespace rajaperf {

std::int64_t trial::square() const {
  return static_cast<std::int64_t>(std::sqrt(static_cast<double>(size)) + std::sqrt(2.0) - 1.0);
}

std::int64_t trial::cube() const {
  return static_cast<std::int64_t>(std::cbrt(static_cast<double>(size)) + std::cbrt(3.0) - 1.0);
}

void trial::fill(std::span<double> data) {
  const double f = factor();
  for (std::int64_t i = 0; double& d : data) {
    const auto x = static_cast<double>(i++);
    d = f * (x + 1.1) / (x + 1.12345);
  }
}

void trial::fill_signed(std::span<double> data) {
  fill(data);
  std::srand(4793);
  for (double& d : data)
    if (static_cast<double>(std::rand()) / RAND_MAX < 0.5) d = -d;
}

void trial::fill_random(std::span<double> data) {
  ++calls_;
  std::srand(4793);
  for (double& d : data) d = static_cast<double>(std::rand()) / RAND_MAX;
}

void trial::fill_constant(std::span<double> data, double value) {
  ++calls_;
  for (double& d : data) d = value;
}

void trial::work(std::int64_t bytes, std::int64_t flops) {
  outcome_.bytes = bytes;
  outcome_.flops = flops;
}

void trial::repeat(const std::function<void()>& selvage, const std::function<void()>& reference) {
  const auto& once = which_ == implementation::selvage ? selvage : reference;
  device.synchronise();
  const auto start = std::chrono::steady_clock::now();
  for (int r = 0; r < repetitions; ++r) once();
  device.synchronise();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  outcome_.seconds = repetitions > 0 ? elapsed.count() / repetitions : 0.0;
}

void trial::checksum(std::span<const double> data, double scale) {
  // The sum is Kahan's, in long double.
  long double sum = 0, carry = 0;
  for (std::int64_t j = 0; const double d : data) {
    const double weight = std::abs(std::sin(static_cast<double>(++j))) + 0.5;
    const long double term = static_cast<long double>(weight) * static_cast<long double>(d) - carry;
    const long double next = sum + term;
    carry = (next - sum) - term;
    sum = next;
  }
  outcome_.checksum += static_cast<long double>(scale) * sum;
  outcome_.results.emplace_back(data.begin(), data.end());
}

void trial::number(double value) {
  outcome_.checksum += value;
  outcome_.results.push_back({value});
}

}  // namespace rajaperf
