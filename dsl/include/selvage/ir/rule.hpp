// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel can be refused for.
#pragma once

#include <cstdint>

namespace selvage::inline v0::ir {

/// The rules; their sentences are in dsl/diagnose.hpp (compile time) and dsl/src/structure.cpp (run time).
enum class rule : std::uint8_t {
  none,
  reported,                 ///< an operator has said what is wrong, on the user's own line
  constant_does_not_fit,    ///< a C++ constant beside a value whose type cannot hold it
  no_domain,                ///< no global_id
  second_domain,            ///< global_id twice
  domain_in_region,         ///< global_id inside an if_, loop or fold
  domain_not_invariant,     ///< the domain's extents depend on loaded data, variables or ids
  else_without_if,          ///< else_ elsewhere than behind its if_
  value_outside_region,     ///< a value of an inner region is used outside it
  too_deep,                 ///< if_, loops and folds in one another, more than maximum_depth
  effect_in_fold,           ///< a fold's body writes what is not its own
  unassigned_variable,      ///< a variable is read before it is written on every path
  write_race,               ///< cannot prove that work-items write different elements
  read_race,                ///< an element that another work-item owns is read
  atomic_and_plain,         ///< an argument of atomic operations is read or written without them too
  atomic_needs_inout,       ///< an atomic operation on an argument that is in or out
  out_read_before_written,  ///< an element of an `out` is read where it is not certainly written
  out_not_written,          ///< an `out` is not wholly written
};

/// The first thing that a kernel is refused for.
struct refusal {
  rule what = rule::none;
  std::uint32_t argument = 0;  ///< position, where the rule is about one
  std::uint32_t line = 0;      ///< of the source, 0 if unknown

  friend constexpr bool operator==(const refusal&, const refusal&) = default;
};

}  // namespace selvage::inline v0::ir
