// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recorder: the arena into which operators write a kernel's nodes while the host compiler evaluates its lambda.
//
// All of this runs in constant evaluation, whose cost is what a user pays for a kernel at every build: few, plain
// statements a node (clang stops at 2^20 of them by default).
#pragma once

#include <selvage/ir/arena.hpp>
#include <selvage/ir/image.hpp>
#include <selvage/ir/rule.hpp>

#include <cstddef>
#include <cstdint>

namespace selvage::inline v0::detail {

using ir::arena;
using ir::refusal;
using ir::rule;

/// The user's line, as the last parameter of a function that a user calls: nothing converts to it.
struct here {
  unsigned line;
  explicit constexpr here(std::nullptr_t, unsigned l = __builtin_LINE()) : line(l) {}
};

class recorder {
 public:
  arena<ir::node> nodes;
  arena<std::uint32_t> operands;
  const char* file = "";
  std::uint32_t line = 0;  ///< of the user's last call that told its line
  std::uint32_t lazy = 0;  ///< how many operations may become regions: &&, || and select
  std::uint32_t domain = ir::no_node;
  refusal refused;

  /// Appends a node; the operands are nodes.
  template <class... Operands>
  constexpr std::uint32_t push(ir::operation code, ir::type type, std::uint32_t attribute, std::uint64_t bits,
                               Operands... list) {
    nodes.push({code, type, sizeof...(Operands), 0, line, operands.size(), attribute, bits});
    (operands.push(list), ...);
    return nodes.size() - 1;
  }

  template <class T>
  constexpr std::uint32_t literal(T v) {
    return push(ir::operation::literal, ir::type_of<T>(), 0, ir::to_bits(v));
  }

  constexpr void refuse(rule what, std::uint32_t argument = 0) {
    if (refused.what == rule::none) refused = {what, argument, line};
  }
};

}  // namespace selvage::inline v0::detail
