// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides before a launch what can be: its domain, the bounds of its affine accesses, and whether `out` is covered.
#include <selvage/error.hpp>
#include <selvage/ir/launch.hpp>

#include "evaluate.hpp"
#include "refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace selvage::inline v0::ir {
namespace {

constexpr std::int64_t largest_extent = std::int64_t{1} << 47;

std::string at_line(const node& n) { return n.line == 0 ? std::string{} : fmt::format(" (line {})", n.line); }

/// One open region of the walk.
struct frame {
  std::uint32_t opener;
  std::size_t mark;  ///< of the refinement, when it was opened
  bool conditional;  ///< before it
  bool dead;         ///< before it
  bool may_skip;     ///< before it
  bool first_dead;   ///< the first part of a choose is never reached
  choose_parts parts;
  interval first_value;  ///< of the first part of a choose
};

/// Kept between launches, so that a launch allocates nothing.
struct scratch {
  refinement_storage storage;
  std::vector<frame> frames;
  std::vector<std::optional<std::uint64_t>> known;
};

scratch& thread_scratch() {
  thread_local scratch s;
  return s;
}

class decider {
 public:
  decider(const image_view& image, std::span<const launch_argument> arguments, const extents& domain, scratch& memory)
      : image_(image), arguments_(arguments), at_(image, memory.storage), frames_(memory.frames) {
    frames_.clear();
    for (std::uint32_t axis = 0; axis < image.header.domain_rank; ++axis) {
      interval id = fitted(type::int64, 0, domain[axis] - 1);
      if (!id.constant) id.exact = true, id.stride = 1, id.depends = std::uint64_t{1} << axis;
      at_.define_axis(axis, id);
    }
  }

  launch_decision run() {
    for (std::uint32_t n = 0; n < image_.nodes.size(); ++n) visit(n);
    for (std::uint32_t p = 0; p < image_.parameters.size(); ++p)
      if (image_.parameters[p].mode == access::out && image_.parameters[p].covering_store != no_node) check_covering(p);
    decision_.may_fault = decision_.may_fault || decision_.guarded;
    return decision_;
  }

 private:
  void visit(std::uint32_t n) {
    const node& at = image_.nodes[n];
    switch (properties(at.code).kind) {
      case operation_kind::leaf:
        if (at.code != operation::id) at_.define(n, constant_interval(at.type, leaf(at)));
        return;
      case operation_kind::unary:
      case operation_kind::binary:
      case operation_kind::comparison:
      case operation_kind::function:
      case operation_kind::ternary: at_.define(n, at_.evaluate(n)); return;
      case operation_kind::memory:
        check_access(n, at);
        at_.define(n, unknown(at.type));
        return;
      case operation_kind::variable: at_.define(n, unknown(at.type)); return;
      case operation_kind::statement: return;
      case operation_kind::control: visit_control(n, at); return;
    }
  }

  std::uint64_t leaf(const node& n) const {
    if (n.code == operation::literal) return n.bits;
    const launch_argument& a = arguments_[n.attribute];
    return n.code == operation::value ? a.value : to_bits(a.extents[n.bits]);
  }

  /// A value that no launch knows: it depends on everything, so that nothing is independent of it.
  static interval unknown(type t) {
    interval r = anything(t);
    r.depends = ~std::uint64_t{0};
    return r;
  }

  void visit_control(std::uint32_t n, const node& at) {
    switch (at.code) {
      case operation::if_:
      case operation::choose:
        open(n);
        dead_ = !at_.assume(image_.operand(at, 0), true) || dead_;
        conditional_ = true;
        return;
      case operation::else_: {
        frame& f = frames_.back();
        f.first_dead = dead_;
        at_.undo(f.mark);
        dead_ = !at_.assume(image_.operand(image_.nodes[f.opener], 0), false) || f.dead;
        return;
      }
      case operation::while_:
        open(n);
        conditional_ = may_skip_ = true;
        return;
      case operation::test: dead_ = !at_.assume(image_.operand(at, 1), true) || dead_; return;
      case operation::for_:
        open(n);
        enter_loop(n, at_[image_.operand(at, 0)], at_[image_.operand(at, 1)], at_[image_.operand(at, 2)]);
        return;
      case operation::fold:
        open(n);
        enter_loop(n, at_[image_.operand(at, 0)], at_[image_.operand(at, 1)], constant_interval(type::int64, 1));
        return;
      case operation::accumulator: at_.define(n, tainted(unknown(at.type))); return;
      case operation::yield: {
        frame& f = frames_.back();
        if (image_.nodes[f.opener].code != operation::choose) return;
        if (f.parts.first == no_node) {
          f.parts.first = n;
          f.first_value = at_.here(image_.operand(at, 1));
        } else {
          f.parts.second = n;
        }
        return;
      }
      default: close(n, at);
    }
  }

  static interval tainted(interval i) {
    i.wraps = true;
    return i;
  }

  void open(std::uint32_t n) { frames_.push_back({n, at_.mark(), conditional_, dead_, may_skip_, false, {}, {}}); }

  /// The induction value: between the least begin and the greatest end. Where every work-item surely runs the loop, its
  /// body is as unconditional as the loop, and both ends are reached.
  void enter_loop(std::uint32_t n, const interval& begin, const interval& end, const interval& step) {
    if (step.hi <= 0 || begin.lo >= end.hi) dead_ = true;
    const bool sure = step.lo > 0 && begin.hi < end.lo;
    int128 last = end.hi - 1;
    const bool known = begin.constant && end.constant && step.constant;
    if (known && sure) last = begin.lo + (last - begin.lo) / step.lo * step.lo;
    interval k = dead_ ? begin : fitted(type::int64, begin.lo, last);
    if (!k.constant) {
      k.exact = sure && begin.exact && end.exact && (known || (step.constant && step.lo == 1));
      k.stride = k.exact ? static_cast<std::uint64_t>(step.lo) : 0;
      k.depends = begin.depends | end.depends | step.depends | std::uint64_t{1} << loop_bit();
    }
    k.wraps = begin.wraps || end.wraps || step.wraps;
    conditional_ = conditional_ || !sure;
    may_skip_ = may_skip_ || !sure;
    at_.define(n, k);
  }

  /// Loops at different depths are told apart, as far as the bits go.
  std::size_t loop_bit() const { return std::min<std::size_t>(maximum_rank + frames_.size(), 63); }

  void close(std::uint32_t n, const node& at) {
    const frame f = frames_.back();
    frames_.pop_back();
    const bool second_dead = dead_;
    conditional_ = f.conditional;
    dead_ = f.dead;
    may_skip_ = f.may_skip;
    const node& opener = image_.nodes[f.opener];
    if (opener.code == operation::choose) {
      const interval condition = at_[image_.operand(opener, 0)];
      const interval a = f.first_value;
      const interval b = at_.here(image_.operand(image_.nodes[f.parts.second], 1));
      at_.undo(f.mark);
      interval r = f.first_dead == second_dead ? hull(at.type, a, b) : f.first_dead ? b : a;
      r.wraps = a.wraps || b.wraps || condition.wraps;
      r.depends = r.constant ? 0 : ~std::uint64_t{0};
      r.exact = r.constant;
      at_.remember(f.opener, f.parts);
      at_.define(n, r);
      return;
    }
    at_.undo(f.mark);
    at_.define(n, tainted(unknown(at.type)));
  }

  void check_access(std::uint32_t n, const node& at) {
    const parameter& p = image_.parameters[at.attribute];
    const extents& extent = arguments_[at.attribute].extents;
    if ((at.flags & node_flags::data_dependent) != 0) {
      decision_.may_fault = true;
    } else {
      for (std::uint32_t d = 0; d < p.rank; ++d) check_index(at, d, extent[d]);
    }
    if (p.covering_store == n && may_skip_) skipped_ |= std::uint64_t{1} << at.attribute;
  }

  static bool inside(const interval& index, std::int64_t extent) { return index.lo >= 0 && index.hi < extent; }

  void check_index(const node& at, std::uint32_t dimension, std::int64_t extent) {
    const std::uint32_t coordinate = image_.operand(at, dimension);
    const interval& index = at_[coordinate];
    if (!index.wraps && (dead_ || inside(index, extent) || inside(at_.here(coordinate), extent))) return;
    if (!conditional_ && !dead_ && index.exact && !index.wraps) {
      throw error(
          error_code::out_of_bounds,
          fmt::format("kernel '{}', argument {}: index range [{}, {}] of dimension {} leaves extent {}{}; launch "
                      "it over a smaller domain, or put the access under a condition",
                      image_.name, at.attribute, static_cast<std::int64_t>(index.lo),
                      static_cast<std::int64_t>(index.hi), dimension, extent, at_line(at)));
    }
    decision_.guarded = true;
  }

  /// Every element is written if the coordinates are independent of each other and each takes every value of its
  /// extent. (Where the store stands under a condition, the verifier has seen that the other side writes the same
  /// element; so the coordinates are taken as without the condition.)
  void check_covering(std::uint32_t p) {
    const node& at = image_.nodes[image_.parameters[p].covering_store];
    const extents& extent = arguments_[p].extents;
    const std::uint32_t rank = image_.parameters[p].rank;
    for (std::uint32_t d = 0; d < rank; ++d)
      if (extent[d] == 0) return;
    if ((skipped_ >> p & 1U) != 0) fail_covering(at, "its store stands in a loop that may be left out");
    std::uint64_t used = 0;
    for (std::uint32_t d = 0; d < rank; ++d) {
      const interval index = at_.everywhere(image_.operand(at, d));
      if (index.stride != 1 || index.wraps || (index.depends & used) != 0)
        fail_covering(at,
                      fmt::format("it cannot be seen that its store reaches every index of dimension {}, whose extent "
                                  "is {}",
                                  d, extent[d]));
      used |= index.depends;
      if (index.lo != 0 || index.hi != extent[d] - 1)
        fail_covering(
            at, fmt::format("its store writes [{}, {}] of dimension {}, whose extent is {}",
                            static_cast<std::int64_t>(index.lo), static_cast<std::int64_t>(index.hi), d, extent[d]));
    }
  }

  [[noreturn]] void fail_covering(const node& at, const std::string& why) const {
    throw error(
        error_code::invalid_argument,
        fmt::format("kernel '{}', argument {} is out and not wholly written: {}{}; declare it inout, or launch the "
                    "kernel over all of it",
                    image_.name, at.attribute, why, at_line(at)));
  }

  const image_view& image_;
  std::span<const launch_argument> arguments_;
  refinement at_;
  std::vector<frame>& frames_;
  bool conditional_ = false;
  bool dead_ = false;
  bool may_skip_ = false;      ///< a loop around may run no iteration
  std::uint64_t skipped_ = 0;  ///< parameters whose covering store stands in such a loop, one bit each
  launch_decision decision_;
};

/// Values of all launch-invariant nodes up to and including `last`, by node; until the next call in this thread.
std::span<const std::optional<std::uint64_t>> launch_values(const image_view& image, std::uint32_t last,
                                                            std::span<const launch_argument> arguments) {
  std::vector<std::optional<std::uint64_t>>& known = thread_scratch().known;
  known.assign(last + std::size_t{1}, std::nullopt);
  for (std::uint32_t n = 0; n <= last; ++n) {
    const node& at = image.nodes[n];
    switch (properties(at.code).kind) {
      case operation_kind::leaf:
        if (at.code == operation::literal) known[n] = at.bits;
        if (at.code == operation::value) known[n] = arguments[at.attribute].value;
        if (at.code == operation::extent) known[n] = to_bits(arguments[at.attribute].extents[at.bits]);
        break;
      case operation_kind::unary:
      case operation_kind::binary:
      case operation_kind::comparison:
      case operation_kind::function:
      case operation_kind::ternary: {
        std::uint64_t of[3] = {};
        bool all = true;
        for (std::uint32_t k = 0; k < at.arity; ++k) {
          const std::optional<std::uint64_t> value = known[image.operand(at, k)];
          all = all && value.has_value();
          of[k] = value.value_or(0);
        }
        const type operand = image.operand_node(at, at.arity - 1U).type;
        if (all) known[n] = evaluate(at.code, at.type, operand, of[0], of[1], of[2]);
        break;
      }
      default: break;
    }
  }
  return known;
}

}  // namespace

std::optional<std::uint64_t> launch_value(const image_view& image, std::uint32_t n,
                                          std::span<const launch_argument> arguments) {
  return launch_values(image, n, arguments)[n];
}

extents domain_of(const image_view& image, std::span<const launch_argument> arguments, std::optional<extents> given) {
  const node& at = image.nodes[image.header.domain];
  extents domain{1, 1, 1};
  if (at.arity == 0) {
    if (!given)
      throw error(error_code::invalid_argument,
                  fmt::format("kernel '{}' has no domain of its own: give one of rank {} with .over(...)", image.name,
                              image.header.domain_rank));
    for (std::uint32_t k = 0; k < at.attribute; ++k) domain[k] = (*given)[k];
  } else {
    if (given)
      throw error(error_code::invalid_argument,
                  fmt::format("kernel '{}' takes its domain from its arguments{}: launch it without .over(...)",
                              image.name, at_line(at)));
    const auto known = launch_values(image, image.header.domain, arguments);
    for (std::uint32_t k = 0; k < at.arity; ++k)
      domain[k] = from_bits<std::int64_t>(known[image.operand(at, k)].value_or(0));
  }
  for (std::uint32_t k = 0; k < at.attribute; ++k) {
    if (domain[k] < 0)
      throw error(error_code::invalid_argument,
                  fmt::format("kernel '{}': extent {} of the domain is {}, it must not be "
                              "negative{}",
                              image.name, k, domain[k], at_line(at)));
    if (domain[k] > largest_extent)
      throw error(error_code::invalid_argument,
                  fmt::format("kernel '{}': extent {} of the domain is {}, more than 2^47{}", image.name, k, domain[k],
                              at_line(at)));
  }
  return domain;
}

launch_decision decide(const image_view& image, std::span<const launch_argument> arguments, const extents& domain) {
  for (std::uint32_t axis = 0; axis < image.header.domain_rank; ++axis)
    if (domain[axis] == 0) return {};
  return decider(image, arguments, domain, thread_scratch()).run();
}

}  // namespace selvage::inline v0::ir
