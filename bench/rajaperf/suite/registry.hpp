// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of kernels, which the kernels' files fill.
#pragma once

#include "trial.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace rajaperf {

/// One kernel of the suite.
struct entry {
  std::string name;  ///< group and kernel, as in RAJAPerf: Basic_DAXPY
  void (*run)(trial& t);
  double tolerance;  ///< relative, of the checksum

  std::string_view group() const { return std::string_view(name).substr(0, name.find('_')); }
};

/// Floating-point sums whose order is free may differ by this.
inline constexpr double free_order = 1e-8;

/// Puts a kernel into the list: `const registration registered("Basic_DAXPY", [](trial& t) { ... });`
class registration {
 public:
  registration(std::string_view name, void (*run)(trial& t), double tolerance = 1e-10);
};

/// All kernels, by group and name.
const std::vector<entry>& kernels();

}  // namespace rajaperf
