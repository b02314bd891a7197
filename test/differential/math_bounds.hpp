// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far from the exact result a function may be, on every target: the table of docs/language.md.
#pragma once

#include <selvage/ir/operations.hpp>

namespace selvage::test {

/// Of the functions of SELVAGE_FUNCTIONS.
constexpr double bound_of(ir::operation function) {
  switch (function) {
    case ir::operation::floating_remainder: return 0;
    case ir::operation::gamma: return 2048;  // libclc's of double; the others' are within 16
    case ir::operation::logarithm_of_gamma: return 16;
    default: return 4;
  }
}

struct math_bound {
  ir::operation function;
  double ulps;  ///< units in the last place of the exact result, float32 and float64 alike
};

inline constexpr math_bound math_bounds[] = {
#define SELVAGE_ROW(X, name, word, arity) {ir::operation::name, bound_of(ir::operation::name)},
    SELVAGE_FUNCTIONS(SELVAGE_ROW, )
#undef SELVAGE_ROW
    {ir::operation::reciprocal_square_root, 1.5},  // 1 / sqrt(x), each correctly rounded
};

}  // namespace selvage::test
