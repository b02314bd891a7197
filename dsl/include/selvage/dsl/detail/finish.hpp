// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what was recorded to the finished tree: unused values are dropped, and the right sides of &&, || and select that
// hold loads become `choose` regions, so that those loads happen only under the condition.
//
// C++ evaluates the operands of an overloaded && before it, so they stand in front of it in the recording. A value is
// moved into the region of a lazy operation if all its uses are under that operation's right side, it was recorded in
// the same block, and nothing between could change it. Three passes, each linear.
#pragma once

#include <selvage/dsl/detail/recorder.hpp>

namespace selvage::inline v0::detail {

/// What the passes ask of an operation, as a table: a look-up costs a constant evaluation less than a call.
struct operation_traits {
  bool lazy = false;    ///< its right sides are evaluated under a condition
  bool effect = false;  ///< happens even if nobody uses its value
  bool plain = false;   ///< a pure value: nothing but its operands matters
};
inline constexpr std::array<operation_traits, ir::operation_count> traits_of = [] {
  using op = ir::operation;
  std::array<operation_traits, ir::operation_count> result{};
  for (std::size_t k = 0; k < result.size(); ++k) {
    const auto code = static_cast<op>(k);
    const bool control = ir::properties(code).kind == ir::operation_kind::control && code != op::accumulator;
    result[k] = {code == op::logical_and || code == op::logical_or || code == op::select,
                 control || code == op::store || code == op::atomic || code == op::set || code == op::domain, ir::is_pure(code)};
  }
  return result;
}();

class finisher {
 public:
  /// Room for a region that a lazy operation becomes, in nodes and in operands beyond its own.
  static constexpr std::uint32_t room = 5;

  /// Writes to `to_nodes` and `to_operands`, which have room for what was recorded and `room` for each lazy operation.
  constexpr finisher(recorder& recorded, const ir::parameter* parameters, ir::node* to_nodes,
                     std::uint32_t* to_operands)
      : in_(recorded), parameters_(parameters), nodes_(to_nodes), operands_(to_operands) {
    find_blocks();
    if (in_.refused.what != rule::none) return;
    find_uses();
    depends_.assign(in_.nodes.size() + room * in_.lazy, false);
    emit_range(0, in_.nodes.size());
  }

  std::uint32_t nodes = 0;     ///< how many were written
  std::uint32_t operands = 0;  ///< how many were written
  std::uint32_t domain = ir::no_node;

 private:
  using op = ir::operation;
  static constexpr std::uint32_t unused = 0xffffffffU;

  struct info {
    std::uint32_t block = 0;  ///< 1 + the node that opens or parts the region around; 0 outside all
    std::uint32_t epoch = 0;  ///< number of effects before it
    std::uint32_t end = 0;    ///< of an opening node: its end
    std::uint32_t context =
        unused;  ///< side of the lazy operation under which all its uses are: 1 + 2 * node + side; 0: none
    std::uint32_t first[2] = {unused, unused};  ///< of a lazy operation: the values moved into each side, a list
    std::uint32_t last[2] = {unused, unused};
    std::uint32_t next = unused;  ///< the next value moved into the same side
    std::uint32_t node = 0;       ///< the finished node
    bool region = false;          ///< of a lazy operation: it becomes a region
    bool opens = false;           ///< opens a region
    bool open = false;            ///< the region is open, in pass 1
  };

  // Pass 1: regions, the scopes of values, effects of folds.
  constexpr void find_blocks() {
    info_.assign(in_.nodes.size(), {});
    info* const all = info_.data();
    const ir::node* const nodes_in = in_.nodes.data();
    const std::uint32_t* const operands_in = in_.operands.data();
    arena<std::uint32_t> blocks;  // open blocks, as info::block counts
    arena<std::uint32_t> folds;
    std::uint32_t block = 0;
    std::uint32_t epoch = 0;
    for (std::uint32_t n = 0, count = info_.size(); n < count; ++n) {
      const ir::node& x = nodes_in[n];
      for (std::uint32_t k = x.operands, end = x.operands + x.arity; k < end; ++k)
        if (all[operands_in[k]].block != block || all[operands_in[k]].opens) check_scope(n, operands_in[k]);
      if (traits_of[static_cast<std::size_t>(x.code)].effect) {
        const std::uint32_t of = x.arity != 0 ? operands_in[x.operands] : 0;
        if (x.code == op::end || x.code == op::else_) all[block - 1].open = false;
        if (x.code == op::end) {
          all[of].open = false;
          all[of].end = n;
          block = blocks[blocks.size() - 1];
          blocks.pop();
          if (nodes_in[of].code == op::fold) epoch = all[of].epoch, folds.pop();
        }
        all[n].block = block, all[n].epoch = epoch;
        if (ir::opens_region(x.code)) blocks.push(block), all[n].opens = true;
        if (x.code == op::fold) folds.push(n);
        if (all[n].opens || x.code == op::else_) all[n].open = true, block = n + 1;
        epoch += x.code != op::fold ? 1U : 0U;
        if (x.code == op::domain && block != 0) refuse(rule::domain_in_region, x);
        if (folds.size() != 0 && (x.code == op::store || x.code == op::atomic || (x.code == op::set && of < folds[folds.size() - 1])))
          refuse(rule::effect_in_fold, x);
      } else {
        all[n].block = block, all[n].epoch = epoch;
      }
    }
  }

  /// A value is visible in its own block and those inside; an induction value or accumulator inside its loop.
  constexpr void check_scope(std::uint32_t n, std::uint32_t operand) {
    const op code = in_.nodes[operand].code;
    const std::uint32_t block = code == op::for_ || code == op::fold ? operand + 1 : info_[operand].block;
    if (block == 0 || info_[block - 1].open) return;
    if (in_.nodes[n].code == op::else_ || in_.nodes[n].code == op::end) return;
    refuse(rule::value_outside_region, in_.nodes[n]);
  }

  constexpr void refuse(rule what, const ir::node& where) {
    in_.line = where.line;
    in_.refuse(what, where.attribute);
  }

  // Pass 2, backwards: which values are used, and under which right sides.
  constexpr void find_uses() {
    info* const all = info_.data();
    const std::uint32_t* const operands_in = in_.operands.data();
    for (std::uint32_t n = info_.size(); n-- > 0;) {
      const ir::node& x = in_.nodes.data()[n];
      const operation_traits of = traits_of[static_cast<std::size_t>(x.code)];
      if (all[n].context == unused && of.effect) all[n].context = 0;
      if (all[n].context == unused) continue;
      if (all[n].context != 0 && !of.plain) settle(n, x);
      const info mine = all[n];
      for (std::uint32_t k = 0, end = x.arity; k < end; ++k) {
        info& used = all[operands_in[x.operands + k]];
        const std::uint32_t context = used.block != mine.block ? 0 : of.lazy && k != 0 ? 2 * n + k : mine.context;
        used.context = used.context == unused || used.context == context ? context : common(used.context, context);
      }
    }
  }

  /// Decides whether a value with a context stays there, once all its uses are known.
  constexpr void settle(std::uint32_t n, const ir::node& x) {
    const bool is_fold = x.code == op::end && in_.nodes[in_.operands[x.operands]].code == op::fold;
    const bool is_load = x.code == op::load;
    if (is_fold || x.code == op::get || (is_load && ir::is_written(parameters_[x.attribute].mode))) {
      std::uint32_t top = owner(info_[n].context);
      while (info_[top].context != 0) top = owner(info_[top].context);
      const std::uint32_t begin = is_fold ? in_.operands[x.operands] : n;
      if (info_[begin].epoch != info_[top].epoch) info_[n].context = 0;
    } else if (!is_load && x.code != op::fold) {
      info_[n].context = 0;
    }
    if (is_fold) info_[in_.operands[x.operands]].context = info_[n].context;
    if (!is_load && !is_fold) return;  // reading a variable harms nothing: no reason for a region
    for (std::uint32_t c = info_[n].context; c != 0 && !info_[owner(c)].region; c = info_[owner(c)].context)
      info_[owner(c)].region = true;
  }

  static constexpr std::uint32_t owner(std::uint32_t context) { return (context - 1) / 2; }

  /// The innermost context around both.
  constexpr std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
    while (a != b && a != 0 && b != 0) {
      if (a < b)
        a = info_[owner(a)].context;
      else
        b = info_[owner(b)].context;
    }
    return a == b ? a : 0;
  }

  // Pass 3: the finished nodes, in order.
  constexpr void emit_range(std::uint32_t begin, std::uint32_t end) {
    const info* const all = info_.data();
    for (std::uint32_t n = begin; n < end; ++n) {
      std::uint32_t context = all[n].context;
      if (context == 0) {
        emit(n);
      } else if (context != unused) {
        while (context != 0 && !all[owner(context)].region) context = all[owner(context)].context;
        if (context == 0) {
          emit(n);
        } else {
          defer(n, owner(context), (context - 1) % 2);
          if (in_.nodes[n].code == op::fold) n = info_[n].end;
        }
      }
    }
  }

  constexpr void defer(std::uint32_t n, std::uint32_t lazy, std::uint32_t side) {
    info& of = info_[lazy];
    if (of.first[side] == unused)
      of.first[side] = n;
    else
      info_[of.last[side]].next = n;
    of.last[side] = n;
  }

  constexpr void emit_side(std::uint32_t lazy, std::uint32_t side) {
    for (std::uint32_t n = info_[lazy].first[side]; n != unused; n = info_[n].next) {
      if (in_.nodes[n].code == op::fold) {
        emit(n);
        emit_range(n + 1, info_[n].end);
        emit(info_[n].end);
      } else {
        emit(n);
      }
    }
  }

  constexpr std::uint32_t finished(const ir::node& x, std::uint32_t k) const {
    return info_[in_.operands[x.operands + k]].node;
  }

  template <class... Operands>
  constexpr std::uint32_t push(op code, ir::type type, std::uint32_t line, std::uint64_t bits, Operands... list) {
    nodes_[nodes] = {code, type, sizeof...(Operands), 0, line, operands, 0, bits};
    ((operands_[operands++] = list), ...);
    depends_[nodes] = code == op::end;
    return nodes++;
  }

  constexpr void emit(std::uint32_t n) {
    const ir::node& x = in_.nodes.data()[n];
    if (info_.data()[n].region) return emit_region(n, x);
    ir::node& y = nodes_[nodes];
    y = x;
    y.operands = operands;
    bool depends = x.code == op::load || x.code == op::atomic || x.code == op::get || x.code == op::accumulator || x.code == op::end;
    bool* const dependent = depends_.data();
    for (std::uint32_t k = x.operands, end = x.operands + x.arity; k < end; ++k) {
      const std::uint32_t operand = info_.data()[in_.operands.data()[k]].node;
      operands_[operands++] = operand;
      depends = depends || dependent[operand];
    }
    if (ir::properties(x.code).kind == ir::operation_kind::memory) set_flags(y, n);
    if (traits_of[static_cast<std::size_t>(x.code)].effect) {
      if (ir::opens_region(x.code)) deeper(x);
      if (x.code == op::end) --depth_;
      if (x.code == op::domain) domain = nodes;
    }
    dependent[nodes] = depends;
    info_.data()[n].node = nodes++;
  }

  constexpr void deeper(const ir::node& opens) {
    if (++depth_ > ir::maximum_depth) refuse(rule::too_deep, opens);
  }

  constexpr void set_flags(ir::node& y, std::uint32_t n) {
    const ir::node& x = in_.nodes[n];
    const std::uint32_t rank = x.arity - ir::stored_values(x.code, x.bits);
    bool depends = false;
    for (std::uint32_t k = 0; k < rank; ++k) depends = depends || depends_[finished(x, k)];
    y.flags = static_cast<std::uint8_t>((depth_ != 0 ? ir::node_flags::conditional : 0) |
                                        (depends ? ir::node_flags::data_dependent : 0));
  }

  /// `a && b` as choose(a) { b } else { false }, `a || b` as choose(a) { true } else { b }, select as both sides.
  constexpr void emit_region(std::uint32_t n, const ir::node& x) {
    const std::uint32_t opened = push(op::choose, ir::type::none, x.line, 0, finished(x, 0));
    deeper(x);
    for (std::uint32_t part = 0; part < 2; ++part) {
      if (part == 1) push(op::else_, ir::type::none, x.line, 0, opened);
      const bool constant = x.code == op::logical_and ? part == 1 : x.code == op::logical_or && part == 0;
      std::uint32_t value = 0;
      if (constant) {
        value = push(op::literal, ir::type::boolean, x.line, x.code == op::logical_or ? 1 : 0);
      } else {
        emit_side(n, x.code == op::select ? part : 0);
        value = finished(x, x.code == op::select ? part + 1 : 1);
      }
      push(op::yield, x.type, x.line, 0, opened, value);
    }
    --depth_;
    info_[n].node = push(op::end, x.type, x.line, 0, opened);
  }

  recorder& in_;
  const ir::parameter* parameters_;
  ir::node* nodes_;
  std::uint32_t* operands_;
  arena<info> info_;
  arena<bool> depends_;  ///< by finished node: depends on loaded data, variables or accumulators
  std::uint32_t depth_ = 0;
};

}  // namespace selvage::inline v0::detail
