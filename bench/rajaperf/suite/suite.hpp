// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running kernels of the suite, checking them, and writing down what they give.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rajaperf {

/// What the command line says.
struct options {
  std::string device;
  std::vector<std::int64_t> sizes{100000};
  std::vector<int> reps{1};
  std::vector<std::string> kernels{"all"};
  std::string known, csv;
  bool reference = false, list = false;
};

/// Runs what the options choose and prints a line each; true if all is right. Throws std::exception if it cannot begin.
bool run_suite(const options& o);

/// The names of all kernels there are.
std::vector<std::string> kernel_names();

}  // namespace rajaperf
