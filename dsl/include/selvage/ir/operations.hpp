// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one list of operations. The node kinds, the printer, the verifier, the interpreter and the emitter come from its
// rows; a row that one of them does not handle does not compile. What each means is in meaning.hpp and language.md.
#pragma once

#include <cstdint>
#include <string_view>

/// One row a function of floating-point values that is not exact: operation, its name in C, C++ and OpenCL, number of
/// operands. F takes X and the row.
#define SELVAGE_FUNCTIONS(F, X)          \
  F(X, exponential, exp, 1)              \
  F(X, exponential_2, exp2, 1)           \
  F(X, exponential_minus_1, expm1, 1)    \
  F(X, logarithm, log, 1)                \
  F(X, logarithm_2, log2, 1)             \
  F(X, logarithm_10, log10, 1)           \
  F(X, logarithm_plus_1, log1p, 1)       \
  F(X, cube_root, cbrt, 1)               \
  F(X, sine, sin, 1)                     \
  F(X, cosine, cos, 1)                   \
  F(X, tangent, tan, 1)                  \
  F(X, arc_sine, asin, 1)                \
  F(X, arc_cosine, acos, 1)              \
  F(X, arc_tangent, atan, 1)             \
  F(X, hyperbolic_sine, sinh, 1)         \
  F(X, hyperbolic_cosine, cosh, 1)       \
  F(X, hyperbolic_tangent, tanh, 1)      \
  F(X, area_sine, asinh, 1)              \
  F(X, area_cosine, acosh, 1)            \
  F(X, area_tangent, atanh, 1)           \
  F(X, error_function, erf, 1)           \
  F(X, error_complement, erfc, 1)        \
  F(X, gamma, tgamma, 1)                 \
  F(X, logarithm_of_gamma, lgamma, 1)    \
  F(X, power, pow, 2)                    \
  F(X, arc_tangent_2, atan2, 2)          \
  F(X, hypotenuse, hypot, 2)             \
  F(X, floating_remainder, fmod, 2)
#define SELVAGE_FUNCTION_AS_OPERATION(X, name, word, arity) X(name, arity, function)

/// One row an operation: name, number of operands (-1: any), kind.
///
/// Kinds: `leaf` (launch-invariant or an id, no operand), `unary`, `binary`, `comparison`, `function`, `ternary` (pure
/// values),
/// `memory`, `variable`, `control` (opens, parts or closes a region), `statement`.
#define SELVAGE_OPERATIONS(X)                                                                        \
  X(literal, 0, leaf)      /* bits: the value */                                                      \
  X(value, 0, leaf)        /* attribute: parameter */                                                 \
  X(extent, 0, leaf)       /* attribute: parameter, bits: dimension; int64 */                         \
  X(id, 0, leaf)           /* attribute: axis of the domain, 0 slowest; int64, 0 <= id < extent */    \
  X(domain, -1, statement) /* operands: extents, or none if given at the launch; attribute: rank */   \
  X(negate, 1, unary)                                                                                 \
  X(logical_not, 1, unary)                                                                            \
  X(bit_not, 1, unary)                                                                                \
  X(absolute, 1, unary)                                                                               \
  X(square_root, 1, unary)                                                                            \
  X(reciprocal_square_root, 1, unary)                                                                 \
  X(round_down, 1, unary)                                                                             \
  X(round_up, 1, unary)                                                                               \
  X(round_nearest, 1, unary) /* halves away from zero */                                              \
  X(round_even, 1, unary)    /* halves to the even one */                                             \
  X(round_to_zero, 1, unary)                                                                          \
  X(cast, 1, unary)          /* from the operand's type to the node's */                              \
  X(add, 2, binary)                                                                                   \
  X(subtract, 2, binary)                                                                              \
  X(multiply, 2, binary)                                                                              \
  X(divide, 2, binary)                                                                                \
  X(remainder, 2, binary)                                                                             \
  X(minimum, 2, binary)                                                                               \
  X(maximum, 2, binary)                                                                               \
  X(copy_sign, 2, binary)   /* |a| with the sign of b */                                              \
  X(bit_and, 2, binary)                                                                               \
  X(bit_or, 2, binary)                                                                                \
  X(bit_xor, 2, binary)                                                                               \
  X(shift_left, 2, binary)                                                                            \
  X(shift_right, 2, binary)                                                                           \
  X(logical_and, 2, binary)                                                                           \
  X(logical_or, 2, binary)                                                                            \
  X(equal, 2, comparison)                                                                             \
  X(not_equal, 2, comparison)                                                                         \
  X(less, 2, comparison)                                                                              \
  X(less_equal, 2, comparison)                                                                        \
  SELVAGE_FUNCTIONS(SELVAGE_FUNCTION_AS_OPERATION, X)                                                 \
  X(fused_multiply_add, 3, ternary) /* a * b + c, rounded once */                                     \
  X(select, 3, ternary)             /* condition, value if true, value if false */                    \
  X(load, -1, memory)               /* attribute: parameter; operands: a coordinate a dimension */    \
  X(store, -1, memory)              /* attribute: parameter; operands: coordinates, value */          \
  X(atomic, -1, memory)             /* attribute: parameter; operands: coordinates, value, and of compare_exchange the new one; bits: atomic_kind; its value: what was there before */ \
  X(variable, -1, variable)         /* declares; operand: its first value, or none; type: of its values */ \
  X(get, 1, variable)               /* operand: the variable node */                                  \
  X(set, 2, variable)               /* operands: the variable node, value */                          \
  X(if_, 1, control)                /* opens; operand: condition */                                   \
  X(choose, 1, control)             /* opens a conditional value; operand: condition */               \
  X(else_, 1, control)              /* parts; operand: the if_ or choose node */                      \
  X(for_, 3, control)               /* opens; operands: begin, end, step; in its region: the induction value, int64 */ \
  X(while_, 0, control)             /* opens; its condition follows */                                \
  X(test, 2, control)               /* operands: the while_ node, condition: leave the loop if false */ \
  X(fold, -1, control)              /* opens; operands: begin, end, first value if ordered; attribute: fold_kind; in its region: the induction value, int64 */ \
  X(accumulator, 1, control)        /* operand: the ordered fold node; its value so far */            \
  X(yield, 2, control)              /* operands: the choose or fold node, value */                    \
  X(end, 1, control)                /* closes; operand: the opening node; the value of a choose or fold */

namespace selvage::inline v0::ir {

enum class operation_kind : std::uint8_t { leaf, unary, binary, comparison, function, ternary, memory, variable, control, statement };

enum class operation : std::uint8_t {
#define SELVAGE_ROW(name, arity, kind) name,
  SELVAGE_OPERATIONS(SELVAGE_ROW)
#undef SELVAGE_ROW
};

inline constexpr int operation_count = 0
#define SELVAGE_ROW(name, arity, kind) +1
    SELVAGE_OPERATIONS(SELVAGE_ROW)
#undef SELVAGE_ROW
    ;

struct operation_properties {
  std::string_view name;
  int arity;
  operation_kind kind;
};

namespace detail {
// At namespace scope, since a constant evaluation would make a local table anew at every call.
inline constexpr operation_properties operation_table[operation_count] = {
#define SELVAGE_ROW(name, arity, kind) {#name, arity, operation_kind::kind},
    SELVAGE_OPERATIONS(SELVAGE_ROW)
#undef SELVAGE_ROW
};
}  // namespace detail

/// The name in C, C++ and OpenCL of a function; empty for other operations.
constexpr std::string_view word_of(operation o) {
  switch (o) {
#define SELVAGE_ROW(X, name, word, arity) \
  case operation::name: return #word;
    SELVAGE_FUNCTIONS(SELVAGE_ROW, )
#undef SELVAGE_ROW
    default: return {};
  }
}

/// `o` must be a row of the table.
constexpr const operation_properties& properties(operation o) { return detail::operation_table[static_cast<int>(o)]; }

/// A value that depends on its operands alone: no memory, no variable, no region.
constexpr bool is_pure(operation o) { return properties(o).kind <= operation_kind::ternary; }

/// Opens a region that an `end` closes.
constexpr bool opens_region(operation o) {
  return o == operation::if_ || o == operation::choose || o == operation::for_ || o == operation::while_ ||
         o == operation::fold;
}

/// What an atomic operation puts in the place of what was there. The other work-items see it before or after, whole.
enum class atomic_kind : std::uint8_t { add, minimum, maximum, bit_and, bit_or, bit_xor, exchange, compare_exchange };
inline constexpr int atomic_kind_count = 8;

constexpr std::string_view name(atomic_kind k) {
  constexpr std::string_view names[atomic_kind_count] = {"add",    "minimum", "maximum",  "bit_and",
                                                         "bit_or", "bit_xor", "exchange", "compare_exchange"};
  return names[static_cast<int>(k)];
}

/// Values that an access takes behind its coordinates.
constexpr std::uint32_t stored_values(operation o, std::uint64_t bits) {
  if (o == operation::load) return 0;
  return o == operation::atomic && static_cast<atomic_kind>(bits) == atomic_kind::compare_exchange ? 2 : 1;
}

/// How a fold combines. All but `ordered` may be evaluated in any order and grouping.
enum class fold_kind : std::uint8_t { sum, product, minimum, maximum, any, all, ordered };
inline constexpr int fold_kind_count = 7;

constexpr std::string_view name(fold_kind k) {
  constexpr std::string_view names[fold_kind_count] = {"sum", "product", "minimum", "maximum", "any", "all", "ordered"};
  return names[static_cast<int>(k)];
}

}  // namespace selvage::inline v0::ir
