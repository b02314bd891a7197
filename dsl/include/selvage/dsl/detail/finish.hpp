// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what was recorded to the finished tree: unused values are dropped, and the right sides of &&, || and select that
// hold loads become `choose` regions, so that those loads happen only under the condition.
//
// C++ evaluates the operands of an overloaded && before it, so they stand in front of it in the recording. A value is moved
// into the region of a lazy operation if all its uses are under that operation's right side, it was recorded in the same
// block, and nothing between could change it. Three passes, each linear.
#pragma once

#include <selvage/dsl/detail/recorder.hpp>

namespace selvage::inline v0::detail {

class finisher {
 public:
  constexpr explicit finisher(recorder& recorded, const ir::parameter* parameters)
      : in_(recorded), parameters_(parameters) {
    find_blocks();
    if (in_.refused.what != rule::none) return;
    find_uses();
    emit_range(0, in_.nodes.size());
  }

  arena<ir::node> nodes;
  arena<std::uint32_t> operands;
  std::uint32_t domain = ir::no_node;

 private:
  using op = ir::operation;
  static constexpr std::uint32_t unused = 0xffffffffU;

  struct info {
    std::uint32_t block = 0;          ///< 1 + the node that opens or parts the region around; 0 outside all
    std::uint32_t epoch = 0;          ///< number of effects before it
    std::uint32_t end = 0;            ///< of an opening node: its end
    std::uint32_t context = unused;   ///< side of the lazy operation under which all its uses are: 1 + 2 * node + side; 0: none
    std::uint32_t first[2] = {unused, unused};  ///< of a lazy operation: the values moved into each side, a list
    std::uint32_t last[2] = {unused, unused};
    std::uint32_t next = unused;      ///< the next value moved into the same side
    std::uint32_t node = 0;           ///< the finished node
    bool region = false;              ///< of a lazy operation: it becomes a region
    bool open = false;
  };

  static constexpr bool is_lazy(op code) {
    return code == op::logical_and || code == op::logical_or || code == op::select;
  }
  static constexpr bool has_effect(op code) {
    return ir::properties(code).kind == ir::operation_kind::control || code == op::store || code == op::set ||
           code == op::domain;
  }

  // Pass 1: regions, the scopes of values, effects of folds.
  constexpr void find_blocks() {
    info_.assign(in_.nodes.size(), {});
    arena<std::uint32_t> blocks;  // open blocks, as info::block counts
    arena<std::uint32_t> folds;
    std::uint32_t block = 0;
    std::uint32_t epoch = 0;
    for (std::uint32_t n = 0; n < info_.size(); ++n) {
      const ir::node& x = in_.nodes[n];
      for (std::uint32_t k = 0; k < x.arity; ++k) check_scope(n, in_.operands[x.operands + k]);
      const std::uint32_t of = x.arity != 0 ? in_.operands[x.operands] : 0;
      if (x.code == op::end || x.code == op::else_) info_[block - 1].open = false;
      if (x.code == op::end) {
        info_[of].open = false;
        block = blocks[blocks.size() - 1];
        blocks.pop();
        info_[of].end = n;
        if (in_.nodes[of].code == op::fold) epoch = info_[of].epoch, folds.pop();
      }
      info_[n].block = block;
      info_[n].epoch = epoch;
      if (ir::opens_region(x.code)) {
        blocks.push(block);
        block = n + 1;
        info_[n].open = true;
        if (x.code == op::fold) folds.push(n);
      } else if (x.code == op::else_) {
        block = n + 1;
        info_[n].open = true;
      }
      epoch += has_effect(x.code) && x.code != op::fold ? 1U : 0U;
      if (folds.size() != 0 && (x.code == op::store || (x.code == op::set && of < folds[folds.size() - 1])))
        refuse(rule::effect_in_fold, x);
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
    for (std::uint32_t n = info_.size(); n-- > 0;) {
      const ir::node& x = in_.nodes[n];
      if (has_effect(x.code) && info_[n].context == unused) info_[n].context = 0;
      if (info_[n].context == unused) continue;
      if (info_[n].context != 0) settle(n, x);
      const bool lazy = is_lazy(x.code);
      for (std::uint32_t k = 0; k < x.arity; ++k) {
        info& used = info_[in_.operands[x.operands + k]];
        const std::uint32_t context = used.block != info_[n].block ? 0 : lazy && k != 0 ? 2 * n + k : info_[n].context;
        used.context = used.context == unused ? context : common(used.context, context);
      }
    }
  }

  /// Decides whether a value with a context stays there, once all its uses are known.
  constexpr void settle(std::uint32_t n, const ir::node& x) {
    const bool is_fold = x.code == op::end && in_.nodes[in_.operands[x.operands]].code == op::fold;
    const bool is_load = x.code == op::load;
    if (!is_load && !is_fold && x.code != op::get) {
      if (!ir::is_pure(x.code)) info_[n].context = 0;
      return;
    }
    const bool changes = !is_load || ir::is_written(parameters_[x.attribute].mode);
    if (changes) {
      std::uint32_t top = owner(info_[n].context);
      while (info_[top].context != 0) top = owner(info_[top].context);
      const std::uint32_t begin = is_fold ? in_.operands[x.operands] : n;
      if (info_[begin].epoch != info_[top].epoch) info_[n].context = 0;
    }
    if (is_fold) info_[in_.operands[x.operands]].context = info_[n].context;
    if (x.code == op::get) return;  // reading a variable harms nothing: no reason for a region
    for (std::uint32_t c = info_[n].context; c != 0 && !info_[owner(c)].region; c = info_[owner(c)].context)
      info_[owner(c)].region = true;
  }

  static constexpr std::uint32_t owner(std::uint32_t context) { return (context - 1) / 2; }

  /// The innermost context around both.
  constexpr std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
    while (a != b && a != 0 && b != 0) {
      if (a < b) a = info_[owner(a)].context;
      else b = info_[owner(b)].context;
    }
    return a == b ? a : 0;
  }

  // Pass 3: the finished nodes, in order.
  constexpr void emit_range(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t n = begin; n < end; ++n) {
      if (info_[n].context == unused) continue;
      std::uint32_t context = info_[n].context;
      while (context != 0 && !info_[owner(context)].region) context = info_[owner(context)].context;
      if (context == 0) {
        emit(n);
      } else {
        defer(n, owner(context), (context - 1) % 2);
        if (in_.nodes[n].code == op::fold) n = info_[n].end;
      }
    }
  }

  constexpr void defer(std::uint32_t n, std::uint32_t lazy, std::uint32_t side) {
    info& of = info_[lazy];
    if (of.first[side] == unused) of.first[side] = n;
    else info_[of.last[side]].next = n;
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
    nodes.push({code, type, sizeof...(Operands), 0, line, operands.size(), 0, bits});
    (operands.push(list), ...);
    depends_.push(code == op::end);
    return nodes.size() - 1;
  }

  constexpr void emit(std::uint32_t n) {
    const ir::node& x = in_.nodes[n];
    if (info_[n].region) return emit_region(n, x);
    ir::node y = x;
    y.operands = operands.size();
    bool depends = x.code == op::load || x.code == op::get || x.code == op::accumulator || x.code == op::end;
    bool indices_depend = false;
    for (std::uint32_t k = 0; k < x.arity; ++k) {
      const std::uint32_t operand = finished(x, k);
      operands.push(operand);
      depends = depends || depends_[operand];
      indices_depend = indices_depend || (depends_[operand] && (x.code == op::load || k + 1 < x.arity));
    }
    if (x.code == op::load || x.code == op::store)
      y.flags = static_cast<std::uint8_t>((depth_ != 0 ? ir::node_flags::conditional : 0) |
                                          (indices_depend ? ir::node_flags::data_dependent : 0));
    depth_ += ir::opens_region(x.code) ? 1U : 0U;
    depth_ -= x.code == op::end ? 1U : 0U;
    info_[n].node = nodes.size();
    if (x.code == op::domain) domain = nodes.size();
    nodes.push(y);
    depends_.push(depends);
  }

  /// `a && b` as choose(a) { b } else { false }, `a || b` as choose(a) { true } else { b }, select as both sides.
  constexpr void emit_region(std::uint32_t n, const ir::node& x) {
    const std::uint32_t opened = push(op::choose, ir::type::none, x.line, 0, finished(x, 0));
    ++depth_;
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
  arena<info> info_;
  arena<bool> depends_;  ///< by finished node: depends on loaded data, variables or accumulators
  std::uint32_t depth_ = 0;
};

}  // namespace selvage::inline v0::detail
