// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far from the exact result a function may be, on every target: the table of docs/language.md.
#pragma once

#include <selvage/ir/operations.hpp>

namespace selvage::test {

struct math_bound {
  ir::operation function;
  double ulps;  ///< units in the last place of the exact result, float32 and float64 alike
};

inline constexpr math_bound math_bounds[] = {
    {ir::operation::exponential, 4},
    {ir::operation::logarithm, 4},
    {ir::operation::sine, 4},
    {ir::operation::cosine, 4},
    {ir::operation::tangent, 4},
    {ir::operation::hyperbolic_tangent, 4},
    {ir::operation::power, 4},
    {ir::operation::reciprocal_square_root, 1.5},  // 1 / sqrt(x), each correctly rounded
};

}  // namespace selvage::test
