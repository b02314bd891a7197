// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a pure operation from its operands' values: shared by the interpreter and by what is decided at a
// launch.
#pragma once

#include <selvage/ir/operations.hpp>
#include <selvage/ir/types.hpp>

#include <cstdint>

namespace selvage::inline v0::ir {

/// `operand` is the type of the (last) operand, `result` the node's. Values are as to_bits gives them. The operation
/// must be unary, binary, a comparison or ternary, and accept its types.
std::uint64_t evaluate(operation o, type result, type operand, std::uint64_t a, std::uint64_t b, std::uint64_t c);

/// Combines two items of an unordered fold.
std::uint64_t combine(fold_kind kind, type t, std::uint64_t a, std::uint64_t b);

/// Value of a fold over no items.
std::uint64_t identity_of(fold_kind kind, type t);

}  // namespace selvage::inline v0::ir
