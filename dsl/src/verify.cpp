// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules' sentences at run time, for images that were read from a file.
#include <selvage/error.hpp>
#include <selvage/ir/structure.hpp>
#include <selvage/ir/verify.hpp>

#include <fmt/format.h>

namespace selvage::inline v0::ir {
namespace {

/// `{0}` is the argument's position.
std::string_view sentence(rule what) {
  switch (what) {
    case rule::none: return "nothing is wrong";
    case rule::reported: return "it does not compile";  // images are made of none of these
    case rule::constant_does_not_fit:
      return "a constant does not fit the type of the value beside it: cast that value to a wider type";
    case rule::no_domain: return "it has no domain: take the work-item's ids with global_id";
    case rule::second_domain: return "it has two domains: take all ids with one global_id";
    case rule::domain_in_region: return "its domain is inside an if_, loop or fold: take the ids first, outside";
    case rule::domain_not_invariant:
      return "the extents of its domain must be known before the launch: values, extents and constants";
    case rule::else_without_if: return "an else_ does not stand directly behind its if_";
    case rule::value_outside_region: return "a value of an if_, loop or fold is used outside it: keep it in a variable";
    case rule::too_deep: return "more than 256 if_, loops and folds stand in one another: divide the kernel";
    case rule::effect_in_fold: return "a fold writes an argument or a variable from outside it: use for_";
    case rule::unassigned_variable:
      return "a variable is read before it is written on every path: give it a first value";
    case rule::write_race:
      return "data race: it cannot be proved that work-items write different elements of argument {0}: index it by "
             "every "
             "id, each as s*id + c in one position, the same in all accesses";
    case rule::read_race:
      return "data race: an element of argument {0} that another work-item owns is read: read from a second buffer";
    case rule::atomic_and_plain:
      return "argument {0} is used by an atomic operation, and read or written without one too: use two arguments";
    case rule::atomic_needs_inout: return "an atomic operation is used on argument {0}, which is not inout";
    case rule::out_read_before_written:
      return "argument {0} is out, and an element of it is read before this work-item has written it: declare it inout";
    case rule::out_not_written:
      return "argument {0} is out, but not every element is written on every path: declare it inout, or write all of "
             "it";
  }
  return "it breaks an unknown rule";
}

}  // namespace

std::string describe(const image_view& image, const refusal& found) {
  const std::string line = found.line == 0 ? "" : fmt::format(" (line {})", found.line);
  return fmt::format("kernel '{}': {}{}", image.name, fmt::format(fmt::runtime(sentence(found.what)), found.argument),
                     line);
}

void check_rules(const image_view& image) {
  for (const node& n : image.nodes)
    if (n.code == operation::store && image.parameters[n.attribute].mode == access::in)
      throw error(error_code::invalid_file,
                  fmt::format("kernel '{}': argument {} is in (read-only), but is written: declare it out or inout",
                              image.name, n.attribute));
  if (const refusal found = verify(image); found.what != rule::none)
    throw error(error_code::invalid_file, describe(image, found));
}

}  // namespace selvage::inline v0::ir
