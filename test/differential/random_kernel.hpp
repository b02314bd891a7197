// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a random kernel: parameters, domain, then statements of expressions over what is in scope.
#pragma once

#include "random_source.hpp"

#include <selvage/ir/launch.hpp>
#include <selvage/ir/structure.hpp>

#include <image_builder.hpp>

#include <array>
#include <optional>
#include <vector>

namespace selvage::test {

using op = ir::operation;
using ir::type;

/// What stands in one position of an owned coordinate: s * id + c, or anything (axis -1).
struct pin {
  int axis = -1;
  std::int64_t scale = 1;  ///< -1: extent - 1 - id
  std::int64_t offset = 0;
};

struct random_view {
  std::uint32_t parameter = 0;
  type element = type::none;
  ir::access mode = ir::access::in;
  std::uint32_t rank = 0;
  ir::extents extents{1, 1, 1};
  std::array<pin, 3> pins{};
  bool single = false;   ///< touched by one work-item alone
  bool readable = true;  ///< an out after its covering store
  std::optional<ir::atomic_kind> atomic;  ///< touched by this operation alone, which commutes with itself
};

class random_kernel {
 public:
  explicit random_kernel(random_source& random);

  const image_builder& builder() const { return b; }
  const std::vector<random_view>& views() const { return views_; }
  std::uint32_t domain_rank() const { return rank_; }
  const ir::extents& domain() const { return domain_; }

 private:
  using index = std::uint32_t;
  struct variable {
    index node;
    type t;
  };

  // random_kernel.cpp: parameters and statements.
  void make_domain();
  void make_views();
  void add_view(ir::access mode, std::uint32_t rank, bool single, bool shared = false);
  void place_pins(random_view& v);
  void write_domain();
  void cover(std::size_t view);
  void statement(int depth);
  void block(int depth);
  void store_owned();
  void if_statement(int depth);
  void for_statement(int depth);
  void while_statement(int depth);
  void single_item();
  void share();
  void declare();
  void assign();
  index domain_index(const random_view& v, std::uint32_t position);
  index counted_loop_end(index begin, std::uint32_t most);

  // random_expression.cpp.
  index expression(type t, int depth);
  index leaf(type t);
  index boolean(int depth);
  index integer(type t, int depth);
  index floating(type t, int depth);
  index any_type(type t, int depth);
  index choose(type t, int depth);
  index fold(type t, int depth);
  index fold_item(ir::fold_kind kind, type t, int depth);
  index load(std::size_t view, int depth);
  index load_of(type t, int depth);
  index place(const random_view& v, std::uint32_t dimension, int depth);
  image_builder::list coordinates(const random_view& v, int depth);
  index number(std::int64_t v) { return b.literal(v); }
  bool is_full() const { return nodes_left_ <= 0; }
  /// Counts what is made, so that kernels stay small.
  index made(index node) {
    --nodes_left_;
    return node;
  }
  index remember(index node) {
    values_.push_back({node, b.type_of(node)});
    return node;
  }

  /// What is made inside a region is out of scope behind it.
  template <class Body>
  void region(Body body) {
    const std::size_t values = values_.size();
    const std::size_t variables = variables_.size();
    ++nesting_;
    body();
    --nesting_;
    values_.resize(values);
    variables_.resize(variables);
  }

  random_source& random_;
  image_builder b;
  std::uint32_t rank_ = 1;
  ir::extents domain_{1, 1, 1};
  ir::extents single_item_{};
  std::vector<random_view> views_;
  std::vector<variable> scalars_;    ///< parameters that are values
  std::vector<variable> values_;     ///< nodes in scope
  std::vector<variable> variables_;  ///< in scope, all assigned
  int nodes_left_ = 100;
  int nesting_ = 0;
  bool in_single_ = false;  ///< within the block of one work-item
};

}  // namespace selvage::test
