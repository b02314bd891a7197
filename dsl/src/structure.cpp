// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that an image from anywhere is well formed: one pass over its nodes with a stack of open regions.
#include <selvage/error.hpp>
#include <selvage/ir/structure.hpp>

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace selvage::inline v0::ir {
namespace {

class checker {
 public:
  explicit checker(const image_view& image) : image_(image) {}

  void run() {
    check_header();
    check_parameters();
    check_operand_table();
    check_nodes();
    check_domain();
  }

 private:
  /// The part of a region between its opening node and its else_ or end; `regions_[0]` is the kernel's body.
  struct region {
    std::uint32_t opener = no_node;
    std::uint32_t scope = 0;  ///< no two regions and parts have the same
    bool in_else = false;
    bool tested = false;       ///< of a while_: its test has been seen
    bool yielded = false;      ///< of this part
    type result = type::none;  ///< of the yields so far
  };

  /// Where a node's value or variable may be used: while `regions_[depth]` is `scope`.
  struct visibility {
    std::uint32_t scope = 0;
    std::uint32_t depth = 0;
    bool invariant = false;  ///< known at the launch
  };

  template <class... Arguments>
  [[noreturn]] void fail(fmt::format_string<Arguments...> text, Arguments&&... arguments) const {
    std::string where = fmt::format("kernel '{}'", image_.name);
    if (at_ != no_node) {
      where += fmt::format(", node {}", at_);
      const node& n = image_.nodes[at_];
      if (static_cast<int>(n.code) < operation_count) where += fmt::format(" ({})", properties(n.code).name);
    }
    throw error(error_code::invalid_file,
                fmt::format("{}: {}", where, fmt::format(text, std::forward<Arguments>(arguments)...)));
  }

  void check_header() const {
    const image_header& h = image_.header;
    if (image_.name.empty()) fail("the kernel has no name");
    for (const char c : image_.name)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        throw error(error_code::invalid_file, "the kernel's name holds a control character");
      }
    if (image_.nodes.size() >= no_node) fail("it has {} nodes, more than can be numbered", image_.nodes.size());
    if (h.domain_rank < 1 || h.domain_rank > maximum_rank)
      fail("its domain has rank {}, which must be 1 to {}", h.domain_rank, maximum_rank);
    if ((h.options & ~options::fast) != 0) fail("unknown options {:#x}", h.options);
    if ((h.features & ~(features::float64 | features::int64)) != 0) fail("unknown features {:#x}", h.features);
  }

  void check_operand_table() const {
    for (std::size_t k = 0; k < image_.operands.size(); ++k)
      if (image_.operands[k] >= image_.nodes.size())
        fail("operand {} is node {}, but there are {} nodes", k, image_.operands[k], image_.nodes.size());
  }

  void check_nodes() {
    regions_.assign(1, region{});
    visible_.resize(image_.nodes.size());
    for (at_ = 0; at_ < image_.nodes.size(); ++at_) {
      check_node(image_.nodes[at_]);
    }
    at_ = no_node;
    if (regions_.size() > 1) fail("the region that node {} opens is not closed", regions_.back().opener);
  }

  void check_node(const node& n) {
    if (static_cast<int>(n.code) >= operation_count) fail("operation {} does not exist", static_cast<int>(n.code));
    if (static_cast<int>(n.type) >= type_count) fail("type {} does not exist", static_cast<int>(n.type));
    const operation_properties p = properties(n.code);
    if (p.arity >= 0 && n.arity != p.arity) fail("it has {} operands instead of {}", n.arity, p.arity);
    if (n.operands > image_.operands.size() || n.arity > image_.operands.size() - n.operands)
      fail("its operands stand outside the table of operands");
    for (const std::uint32_t o : image_.operands_of(n))
      if (o >= at_) fail("operand {} does not stand before it", o);
    const bool uses_bits = n.code == operation::literal || n.code == operation::extent || n.code == operation::atomic;
    if (!uses_bits && n.bits != 0) fail("reserved bits are not zero");
    if (!uses_attribute(n.code) && n.attribute != 0) fail("its reserved attribute is {} instead of 0", n.attribute);
    const bool memory = p.kind == operation_kind::memory;
    if ((n.flags & ~(memory ? node_flags::conditional | node_flags::data_dependent : 0)) != 0)
      fail("unknown flags {:#x}", n.flags);
    if (regions_.back().yielded && n.code != operation::else_ && n.code != operation::end)
      fail("it follows the yield of its region");

    visible_[at_] = {regions_.back().scope, depth(), false};
    if (n.code != operation::cast && p.kind != operation_kind::comparison && !accepts(n.code, n.type))
      fail("it cannot have type {}", properties(n.type).name);
    switch (p.kind) {
      case operation_kind::leaf: return check_leaf(n);
      case operation_kind::statement: return check_domain_node(n);
      case operation_kind::unary:
      case operation_kind::binary:
      case operation_kind::comparison:
      case operation_kind::function:
      case operation_kind::ternary: return check_pure(n);
      case operation_kind::memory: return check_memory(n);
      case operation_kind::variable: return check_variable(n);
      case operation_kind::control: return check_control(n);
    }
  }

  static bool uses_attribute(operation o) {
    return o == operation::value || o == operation::extent || o == operation::id || o == operation::domain ||
           properties(o).kind == operation_kind::memory || o == operation::fold;
  }

  std::uint32_t depth() const { return static_cast<std::uint32_t>(regions_.size() - 1); }

  bool is_visible(std::uint32_t n) const {
    return visible_[n].depth <= depth() && regions_[visible_[n].depth].scope == visible_[n].scope;
  }

  /// Operand k must be a value that can be seen here, of type t.
  void check_value(const node& n, std::uint32_t k, type t) const {
    const std::uint32_t o = image_.operand(n, k);
    if (!has_value(image_.nodes[o])) fail("operand {} ({}) has no value", o, properties(image_.nodes[o].code).name);
    if (!is_visible(o)) fail("operand {} is not visible here: it stands in a region that is closed", o);
    if (image_.nodes[o].type != t)
      fail("operand {} has type {} instead of {}", o, properties(image_.nodes[o].type).name, properties(t).name);
  }

  const parameter& parameter_of(const node& n) const {
    if (n.attribute >= image_.parameters.size())
      fail("there is no argument {}, the kernel has {}", n.attribute, image_.parameters.size());
    return image_.parameters[n.attribute];
  }

  void check_leaf(const node& n) {
    visible_[at_].invariant = n.code != operation::id;
    switch (n.code) {
      case operation::literal: {
        const std::uint64_t canonical = with_type(n.type, [&]<class T>() { return to_bits(from_bits<T>(n.bits)); });
        if (n.bits != canonical) fail("{:#x} is not a value of type {}", n.bits, properties(n.type).name);
        return;
      }
      case operation::value:
        if (parameter_of(n).mode != access::value) fail("argument {} is not a value", n.attribute);
        if (parameter_of(n).element != n.type)
          fail("argument {} has type {} instead of {}", n.attribute, name_of(parameter_of(n).element), name_of(n.type));
        return;
      case operation::extent:
        if (parameter_of(n).mode == access::value) fail("argument {} is a value, which has no extents", n.attribute);
        if (n.bits >= parameter_of(n).rank)
          fail("argument {} has no dimension {}, its rank is {}", n.attribute, n.bits, parameter_of(n).rank);
        return;
      default:
        if (n.attribute >= image_.header.domain_rank)
          fail("the domain has no axis {}, its rank is {}", n.attribute, image_.header.domain_rank);
    }
  }

  /// For messages that may speak of a type not yet checked.
  static std::string_view name_of(type t) {
    return static_cast<int>(t) < type_count ? properties(t).name : std::string_view{"unknown"};
  }

  void check_pure(const node& n) {
    const operation_kind kind = properties(n.code).kind;
    const type operand_type = image_.operand_node(n, 0).type;
    bool invariant = true;
    for (std::uint32_t k = 0; k < n.arity; ++k) {
      type expected = n.type;
      if (n.code == operation::select && k == 0) expected = type::boolean;
      if (n.code == operation::cast || kind == operation_kind::comparison) expected = operand_type;
      check_value(n, k, expected);
      invariant = invariant && visible_[image_.operand(n, k)].invariant;
    }
    visible_[at_].invariant = invariant;
    if (kind == operation_kind::comparison) {
      if (!accepts(n.code, operand_type)) fail("it does not compare {}", name_of(operand_type));
      if (n.type != type::boolean) fail("its type is {} instead of boolean", name_of(n.type));
    }
    if (n.code == operation::cast && n.type == type::none) fail("it cannot have type none");
  }

  void check_memory(const node& n) {
    const parameter& p = parameter_of(n);
    if (p.mode == access::value) fail("argument {} is a value, not a view", n.attribute);
    const std::uint32_t coordinates = p.rank;
    if (n.code == operation::atomic) check_atomic(n, p);
    const std::uint32_t values = stored_values(n.code, n.bits);
    if (n.arity != coordinates + values)
      fail("it has {} operands, but argument {} has rank {}", n.arity, n.attribute, p.rank);
    if (p.element != n.type)
      fail("it has type {}, but argument {} has {}", name_of(n.type), n.attribute, name_of(p.element));
    for (std::uint32_t k = 0; k < coordinates; ++k) check_value(n, k, type::int64);
    for (std::uint32_t k = 0; k < values; ++k) check_value(n, coordinates + k, n.type);
    if (values != 0 && unordered_fold() != 0) fail("it stands in an unordered fold, whose items have no order");
  }

  void check_atomic(const node& n, const parameter& p) const {
    if (n.bits >= atomic_kind_count) fail("atomic operation {} does not exist", n.bits);
    const auto kind = static_cast<atomic_kind>(n.bits);
    if (!accepts(kind, n.type)) fail("atomic {} does not take {}", name(kind), name_of(n.type));
    if ((p.flags & parameter_flags::shared) == 0) fail("argument {} is not flagged as shared", n.attribute);
  }

  /// Depth of the innermost open unordered fold, 0 if there is none.
  std::uint32_t unordered_fold() const {
    for (std::uint32_t d = depth(); d > 0; --d) {
      const node& opener = image_.nodes[regions_[d].opener];
      if (opener.code == operation::fold && static_cast<fold_kind>(opener.attribute) != fold_kind::ordered) return d;
    }
    return 0;
  }

  void check_variable(const node& n) {
    if (n.code == operation::variable) {
      if (n.arity > 1) fail("it has {} operands instead of a first value or none", n.arity);
      if (n.arity == 1) check_value(n, 0, n.type);
      return;
    }
    const std::uint32_t v = image_.operand(n, 0);
    const node& declared = image_.nodes[v];
    if (declared.code != operation::variable) fail("operand {} is not a variable", v);
    if (!is_visible(v)) fail("variable {} is not visible here: it stands in a region that is closed", v);
    if (declared.type != n.type)
      fail("variable {} has type {} instead of {}", v, name_of(declared.type), name_of(n.type));
    if (n.code == operation::get) return;
    check_value(n, 1, n.type);
    if (visible_[v].depth < unordered_fold())
      fail("variable {} is set in an unordered fold, whose items have no order", v);
  }

  /// The innermost region must be opened by operand 0, an operation `o` or `other`.
  region& own_region(const node& n, operation o, operation other) {
    const std::uint32_t opener = image_.operand(n, 0);
    if (regions_.size() == 1 || regions_.back().opener != opener)
      fail("operand {} does not open the innermost region", opener);
    const operation code = image_.nodes[opener].code;
    if (code != o && code != other) fail("it cannot belong to a {}", properties(code).name);
    return regions_.back();
  }

  void check_control(const node& n) {
    switch (n.code) {
      case operation::if_:
      case operation::choose:
        check_value(n, 0, type::boolean);
        open();
        return;
      case operation::for_:
        for (std::uint32_t k = 0; k < 3; ++k) check_value(n, k, type::int64);
        open();
        return;
      case operation::fold: check_fold(n); return;
      case operation::while_: open(); return;
      case operation::else_: check_else(n); return;
      case operation::test: {
        region& r = own_region(n, operation::while_, operation::while_);
        check_value(n, 1, type::boolean);
        if (std::exchange(r.tested, true)) fail("its while_ has a test already");
        return;
      }
      case operation::accumulator: check_accumulator(n); return;
      case operation::yield: check_yield(n); return;
      default: check_end(n);
    }
  }

  void open() {
    if (depth() >= maximum_depth) fail("regions nest deeper than {}", maximum_depth);
    regions_.push_back({.opener = at_, .scope = ++scopes_});
    const operation code = image_.nodes[at_].code;
    if (code == operation::for_ || code == operation::fold) visible_[at_] = {scopes_, depth(), false};
  }

  void check_fold(const node& n) {
    if (n.attribute >= fold_kind_count) fail("fold kind {} does not exist", n.attribute);
    const bool ordered = static_cast<fold_kind>(n.attribute) == fold_kind::ordered;
    if (n.arity != (ordered ? 3 : 2)) fail("it has {} operands instead of {}", n.arity, ordered ? 3 : 2);
    check_value(n, 0, type::int64);
    check_value(n, 1, type::int64);
    if (ordered) check_value(n, 2, image_.operand_node(n, 2).type);
    open();
  }

  void check_else(const node& n) {
    region& r = own_region(n, operation::if_, operation::choose);
    if (r.in_else) fail("its region has an else_ already");
    if (image_.nodes[r.opener].code == operation::choose && !r.yielded) fail("the part before it does not yield");
    r.in_else = true;
    r.yielded = false;
    r.scope = ++scopes_;
    visible_[at_] = {};
  }

  void check_accumulator(const node& n) const {
    const std::uint32_t opener = image_.operand(n, 0);
    const node& fold = image_.nodes[opener];
    if (fold.code != operation::fold || static_cast<fold_kind>(fold.attribute) != fold_kind::ordered)
      fail("operand {} is not an ordered fold", opener);
    if (!is_visible(opener)) fail("it stands outside its fold {}", opener);
    if (n.type != image_.operand_node(fold, 2).type)
      fail("it has type {} instead of {}", name_of(n.type), name_of(image_.operand_node(fold, 2).type));
  }

  void check_yield(const node& n) {
    region& r = own_region(n, operation::choose, operation::fold);
    check_value(n, 1, n.type);
    const node& opener = image_.nodes[r.opener];
    if (opener.code == operation::fold) {
      const auto kind = static_cast<fold_kind>(opener.attribute);
      if (!accepts(kind, n.type)) fail("a fold of kind {} does not take {}", name(kind), name_of(n.type));
      if (kind == fold_kind::ordered && n.type != image_.operand_node(opener, 2).type)
        fail("it has type {}, but the fold's first value has {}", name_of(n.type),
             name_of(image_.operand_node(opener, 2).type));
    } else if (r.in_else && r.result != n.type) {
      fail("it has type {}, but the other part yields {}", name_of(n.type), name_of(r.result));
    }
    r.yielded = true;
    r.result = n.type;
  }

  void check_end(const node& n) {
    const std::uint32_t opener = image_.operand(n, 0);
    if (regions_.size() == 1 || regions_.back().opener != opener)
      fail("operand {} does not open the innermost region", opener);
    const region r = regions_.back();
    const operation code = image_.nodes[opener].code;
    if (code == operation::while_ && !r.tested) fail("its while_ has no test");
    if (code == operation::choose && !r.in_else) fail("its choose has no else_");
    const bool valued = code == operation::choose || code == operation::fold;
    if (valued && !r.yielded) fail("its region does not yield");
    if (n.type != r.result) fail("it has type {} instead of {}", name_of(n.type), name_of(r.result));
    regions_.pop_back();
    visible_[at_] = {regions_.back().scope, depth(), false};
  }

  void check_domain_node(const node& n) {
    if (image_.header.domain != at_) fail("the header names node {} as the domain", image_.header.domain);
    if (depth() != 0) fail("it stands in a region");
    if (n.attribute != image_.header.domain_rank)
      fail("it has rank {}, but the header says {}", n.attribute, image_.header.domain_rank);
    if (n.arity != 0 && n.arity != n.attribute) fail("it has {} operands instead of {}", n.arity, n.attribute);
    for (std::uint32_t k = 0; k < n.arity; ++k) {
      check_value(n, k, type::int64);
      if (!visible_[image_.operand(n, k)].invariant)
        fail("operand {} is not known at the launch", image_.operand(n, k));
    }
  }

  void check_domain() const {
    const std::uint32_t d = image_.header.domain;
    if (d >= image_.nodes.size() || image_.nodes[d].code != operation::domain)
      fail("the header names node {} as the domain, which is none", d);
  }

  void check_parameters() const {
    if (image_.parameters.size() > maximum_parameters)
      fail("it has {} arguments, more than {}", image_.parameters.size(), maximum_parameters);
    for (std::size_t k = 0; k < image_.parameters.size(); ++k) {
      const parameter& p = image_.parameters[k];
      if (p.element == type::none || static_cast<int>(p.element) >= type_count)
        fail("argument {}: type {} does not exist", k, static_cast<int>(p.element));
      if (p.mode > access::value) fail("argument {}: access mode {} does not exist", k, static_cast<int>(p.mode));
      if (p.rank > (p.mode == access::value ? 0 : maximum_rank)) fail("argument {}: rank {} is too high", k, p.rank);
      if ((p.flags & ~parameter_flags::shared) != 0) fail("argument {}: unknown flags {:#x}", k, p.flags);
      if (p.covering_store == no_node) continue;
      if (p.mode != access::out) fail("argument {}: it is {} and has a covering store", k, name(p.mode));
      if (p.covering_store >= image_.nodes.size() || image_.nodes[p.covering_store].code != operation::store ||
          image_.nodes[p.covering_store].attribute != k)
        fail("argument {}: node {} is not a store to it", k, p.covering_store);
    }
  }

  const image_view& image_;
  std::vector<region> regions_;
  std::vector<visibility> visible_;
  std::uint32_t scopes_ = 0;
  std::uint32_t at_ = no_node;
};

}  // namespace

void check_structure(const image_view& image) { checker(image).run(); }

}  // namespace selvage::inline v0::ir
