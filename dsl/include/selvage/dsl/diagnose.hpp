// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sentences of refusals that are found in the image: one a rule and argument position, since g++ 12 takes literals only.
#pragma once

#include <selvage/ir/rule.hpp>

#include <cstdint>

namespace selvage::inline v0::detail {

/// Stands in the notes of a compile error: the user's line of the statement, 0 if unknown.
template <std::uint32_t Line>
struct at_line {};

/// What a kernel is refused for: the specialisations say it. (In a function's body, since an error in the class would
/// give clang a second one where the function is used.)
template <ir::rule Rule, std::uint32_t Argument, class Where>
struct refused_kernel {
  static constexpr void say() {
    static_assert(Rule == ir::rule::reported, "selvage: this kernel breaks a rule in an argument beyond position 15");
  }
};

#define SELVAGE_SENTENCE(what, sentence)                                \
  template <std::uint32_t Argument, class Where>                        \
  struct refused_kernel<ir::rule::what, Argument, Where> {              \
    static constexpr void say() {                                       \
      static_assert(sizeof(Where) == 0, "selvage: " sentence);          \
    }                                                                   \
  };

SELVAGE_SENTENCE(constant_does_not_fit,
                 "a constant does not fit the type of the value beside it, or a dimension is beyond the view's rank: "
                 "sv::cast the value to a wider type, or correct the constant")
SELVAGE_SENTENCE(no_domain,
                 "this kernel has no domain: take the work-item's ids with sv::global_id(view) or "
                 "sv::global_id(extents...)")
SELVAGE_SENTENCE(second_domain,
                 "global_id is called a second time, but a kernel has one domain: take all ids at once, as in "
                 "auto [i, j] = sv::global_id(c)")
SELVAGE_SENTENCE(domain_in_region,
                 "global_id is called inside an if_, loop or fold: take the work-item's ids first, outside all of them")
SELVAGE_SENTENCE(domain_not_invariant,
                 "the extents of the domain must be known before the launch: values, extents and constants, no loaded "
                 "data, variables or ids")
SELVAGE_SENTENCE(else_without_if, "else_ must stand directly behind its if_: k.if_(c, f).else_(g)")
SELVAGE_SENTENCE(value_outside_region,
                 "a value that was made inside an if_, loop or fold is used outside it: keep it in a variable, k.var(...)")
SELVAGE_SENTENCE(too_deep,
                 "more than 256 if_, loops and folds stand in one another: divide the kernel, or compute the condition "
                 "before")
SELVAGE_SENTENCE(effect_in_fold,
                 "the function of a fold writes an argument or a variable from outside it, but a fold only gives a value: "
                 "use k.for_")
SELVAGE_SENTENCE(unassigned_variable,
                 "a variable is read before it is written on every path: give it a first value, k.var(0.0)")
#undef SELVAGE_SENTENCE

#define SELVAGE_SENTENCE(what, position, sentence)                      \
  template <class Where>                                                \
  struct refused_kernel<ir::rule::what, position, Where> {              \
    static constexpr void say() {                                       \
      static_assert(sizeof(Where) == 0, "selvage: " sentence);          \
    }                                                                   \
  };
#define SELVAGE_ARGUMENT_SENTENCES(n)                                                                                  \
  SELVAGE_SENTENCE(write_race, n,                                                                                      \
                   "data race: cannot prove that work-items write different elements of argument " #n                  \
                   ": index it by every id of the work-item, each as s*id + c in one position, the same in all "       \
                   "accesses")                                                                                         \
  SELVAGE_SENTENCE(read_race, n,                                                                                       \
                   "data race: an element of argument " #n                                                             \
                   " that another work-item owns is read while its owner writes it: read from a second buffer")        \
  SELVAGE_SENTENCE(atomic_and_plain, n,                                                                                \
                   "argument " #n                                                                                      \
                   " is used by an atomic operation, and read or written without one too: use atomic operations "      \
                   "everywhere, or two arguments")                                                                     \
  SELVAGE_SENTENCE(out_read_before_written, n,                                                                         \
                   "argument " #n                                                                                      \
                   " is `out`, and an element of it is read before this work-item has written it: declare it inout")   \
  SELVAGE_SENTENCE(out_not_written, n,                                                                                 \
                   "argument " #n                                                                                      \
                   " is `out`, but not every element is written on every path: declare it inout, or write all of it")
SELVAGE_ARGUMENT_SENTENCES(0)
SELVAGE_ARGUMENT_SENTENCES(1)
SELVAGE_ARGUMENT_SENTENCES(2)
SELVAGE_ARGUMENT_SENTENCES(3)
SELVAGE_ARGUMENT_SENTENCES(4)
SELVAGE_ARGUMENT_SENTENCES(5)
SELVAGE_ARGUMENT_SENTENCES(6)
SELVAGE_ARGUMENT_SENTENCES(7)
SELVAGE_ARGUMENT_SENTENCES(8)
SELVAGE_ARGUMENT_SENTENCES(9)
SELVAGE_ARGUMENT_SENTENCES(10)
SELVAGE_ARGUMENT_SENTENCES(11)
SELVAGE_ARGUMENT_SENTENCES(12)
SELVAGE_ARGUMENT_SENTENCES(13)
SELVAGE_ARGUMENT_SENTENCES(14)
SELVAGE_ARGUMENT_SENTENCES(15)
#undef SELVAGE_ARGUMENT_SENTENCES
#undef SELVAGE_SENTENCE

}  // namespace selvage::inline v0::detail
