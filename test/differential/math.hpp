// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures a mathematical function of an executor against x87's 64-bit significands.
#pragma once

#include "launch_case.hpp"

namespace selvage::test {

/// y = function(x), or y = power(x, z): a map over arguments that cover the function's range, and all its special
/// values.
launch_case math_case(ir::operation function, ir::type t);

struct math_result {
  double worst = 0;   ///< in units in the last place; infinite where a special value is wrong
  std::string where;  ///< argument, result, and what it should be
};

math_result measure(ir::operation function, ir::type t, const executor& run);

}  // namespace selvage::test
