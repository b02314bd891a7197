// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds kernel images by hand, node by node, for tests that must not depend on the recorder.
#pragma once

#include <selvage/ir/image.hpp>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace selvage::test {

/// A finished image with its storage, byte for byte in the format.
class built_image {
 public:
  explicit built_image(std::vector<std::uint64_t> words) : words_(std::move(words)) {}

  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(words_)); }

  ir::image_view view() const {
    ir::image_view v;
    const auto* base = reinterpret_cast<const char*>(words_.data());
    std::memcpy(&v.header, base, sizeof v.header);
    const ir::image_header& h = v.header;
    const auto at = ir::image_layout::of(h.parameters, h.nodes, h.operands, h.name_length + h.file_length);
    v.parameters = {reinterpret_cast<const ir::parameter*>(base + at.parameters), h.parameters};
    v.nodes = {reinterpret_cast<const ir::node*>(base + at.nodes), h.nodes};
    v.operands = {reinterpret_cast<const std::uint32_t*>(base + at.operands), h.operands};
    v.name = {base + at.text, h.name_length};
    v.file = {base + at.text + h.name_length, h.file_length};
    return v;
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Nodes and parameters are named by their index. Nothing is checked: a test may build a wrong image on purpose.
class image_builder {
 public:
  using index = std::uint32_t;
  using list = std::vector<index>;

  explicit image_builder(std::string name, std::uint32_t options = 0) : name_(std::move(name)) {
    header_.options = options;
  }

  // Parameters.
  index in(ir::type t, std::uint8_t rank = 1) { return parameter(t, ir::access::in, rank); }
  index out(ir::type t, std::uint8_t rank = 1) { return parameter(t, ir::access::out, rank); }
  index inout(ir::type t, std::uint8_t rank = 1) { return parameter(t, ir::access::inout, rank); }
  index value(ir::type t) { return parameter(t, ir::access::value, 0); }
  index parameter(ir::type t, ir::access mode, std::uint8_t rank, std::uint8_t flags = 0) {
    parameters_.push_back({t, mode, rank, flags, ir::no_node});
    return static_cast<index>(parameters_.size() - 1);
  }
  /// Says which store writes every element of an `out`.
  void covers(index parameter, index store) { parameters_[parameter].covering_store = store; }

  /// Any node.
  index node(ir::operation code, ir::type t, const list& operands = {}, std::uint32_t attribute = 0,
             std::uint64_t bits = 0) {
    ir::node n;
    n.code = code;
    n.type = t;
    n.arity = static_cast<std::uint8_t>(operands.size());
    n.line = line;
    n.operands = static_cast<index>(operands_.size());
    n.attribute = attribute;
    n.bits = bits;
    operands_.insert(operands_.end(), operands.begin(), operands.end());
    nodes_.push_back(n);
    return static_cast<index>(nodes_.size() - 1);
  }
  ir::type type_of(index n) const { return nodes_[n].type; }

  // Leaves and the domain.
  template <ir::element T>
  index literal(T v) {
    return node(ir::operation::literal, ir::type_of<T>(), {}, 0, ir::to_bits(v));
  }
  index literal_bits(ir::type t, std::uint64_t bits) { return node(ir::operation::literal, t, {}, 0, bits); }
  index argument(index parameter) { return node(ir::operation::value, parameters_[parameter].element, {}, parameter); }
  index extent(index parameter, std::uint32_t dimension = 0) {
    return node(ir::operation::extent, ir::type::int64, {}, parameter, dimension);
  }
  index id(std::uint32_t axis = 0) { return node(ir::operation::id, ir::type::int64, {}, axis); }
  /// The domain of these extents (nodes), one work-item each.
  index domain(const list& extents) { return domain(static_cast<std::uint32_t>(extents.size()), extents); }
  /// The domain of a rank whose extents the launch gives.
  index given_domain(std::uint32_t rank) { return domain(rank, {}); }
  /// The domain of a view's extents.
  index domain_of(index parameter) {
    list extents;
    for (std::uint32_t d = 0; d < parameters_[parameter].rank; ++d) extents.push_back(extent(parameter, d));
    return domain(extents);
  }

  // Values.
  index unary(ir::operation op, index a) { return node(op, type_of(a), {a}); }
  index cast(ir::type to, index a) { return node(ir::operation::cast, to, {a}); }
  index binary(ir::operation op, index a, index b) { return node(op, type_of(a), {a, b}); }
  index add(index a, index b) { return binary(ir::operation::add, a, b); }
  index subtract(index a, index b) { return binary(ir::operation::subtract, a, b); }
  index multiply(index a, index b) { return binary(ir::operation::multiply, a, b); }
  index compare(ir::operation op, index a, index b) { return node(op, ir::type::boolean, {a, b}); }
  index less(index a, index b) { return compare(ir::operation::less, a, b); }
  index select(index condition, index a, index b) { return node(ir::operation::select, type_of(a), {condition, a, b}); }
  index fused_multiply_add(index a, index b, index c) {
    return node(ir::operation::fused_multiply_add, type_of(a), {a, b, c});
  }

  // Memory and variables.
  index load(index parameter, const list& coordinates) {
    return node(ir::operation::load, parameters_[parameter].element, coordinates, parameter);
  }
  index store(index parameter, list coordinates, index value) {
    coordinates.push_back(value);
    return node(ir::operation::store, parameters_[parameter].element, coordinates, parameter);
  }
  /// An atomic operation on an argument, which becomes one that work-items share.
  index atomic(ir::atomic_kind kind, index parameter, list coordinates, const list& values) {
    parameters_[parameter].flags |= ir::parameter_flags::shared;
    coordinates.insert(coordinates.end(), values.begin(), values.end());
    return node(ir::operation::atomic, parameters_[parameter].element, coordinates, parameter,
                static_cast<std::uint64_t>(kind));
  }
  index variable(index first) { return node(ir::operation::variable, type_of(first), {first}); }
  index variable_of(ir::type t) { return node(ir::operation::variable, t); }
  index get(index variable) { return node(ir::operation::get, type_of(variable), {variable}); }
  index set(index variable, index value) { return node(ir::operation::set, type_of(variable), {variable, value}); }

  // Control. `end` gives the value of a choose or fold: the type is that of its last yield.
  index if_(index condition) { return node(ir::operation::if_, ir::type::none, {condition}); }
  index choose(index condition) { return node(ir::operation::choose, ir::type::none, {condition}); }
  index else_(index open) { return node(ir::operation::else_, ir::type::none, {open}); }
  index for_(index begin, index end, index step) {
    return node(ir::operation::for_, ir::type::int64, {begin, end, step});
  }
  index while_() { return node(ir::operation::while_, ir::type::none); }
  index test(index open, index condition) { return node(ir::operation::test, ir::type::none, {open, condition}); }
  index fold(ir::fold_kind kind, index begin, index end) {
    return node(ir::operation::fold, ir::type::int64, {begin, end}, static_cast<std::uint32_t>(kind));
  }
  index ordered_fold(index begin, index end, index first) {
    return node(ir::operation::fold, ir::type::int64, {begin, end, first},
                static_cast<std::uint32_t>(ir::fold_kind::ordered));
  }
  index accumulator(index fold) {
    return node(ir::operation::accumulator, type_of(operands_[nodes_[fold].operands + 2]), {fold});
  }
  index yield(index open, index value) { return node(ir::operation::yield, type_of(value), {open, value}); }
  index end(index open) {
    ir::type t = ir::type::none;
    for (const ir::node& n : nodes_)
      if (n.code == ir::operation::yield && operands_[n.operands] == open) t = n.type;
    return node(ir::operation::end, t, {open});
  }

  /// Flags, features, counts, hash and checksum; the builder stays as it is.
  built_image finish(std::string_view file = "by_hand.cpp") const {
    std::vector<ir::node> nodes = nodes_;
    set_flags(nodes);
    ir::image_header h = header_;
    const std::string text = name_ + std::string(file);
    const auto at = ir::image_layout::of(parameters_.size(), nodes.size(), operands_.size(), text.size());
    h.length = static_cast<std::uint32_t>(at.length);
    h.parameters = static_cast<std::uint32_t>(parameters_.size());
    h.nodes = static_cast<std::uint32_t>(nodes.size());
    h.operands = static_cast<std::uint32_t>(operands_.size());
    h.name_length = static_cast<std::uint32_t>(name_.size());
    h.file_length = static_cast<std::uint32_t>(file.size());
    for (const ir::node& n : nodes)
      if (n.type == ir::type::float64) h.features |= ir::features::float64;
    for (const ir::parameter& p : parameters_)
      if (p.element == ir::type::int64 || p.element == ir::type::uint64) h.features |= ir::features::int64;

    const ir::image_view unsigned_view{h, parameters_, nodes, operands_, name_, file};
    h.content_hash = ir::content_hash(unsigned_view);
    h.source_hash = ir::source_hash(unsigned_view);
    h.checksum = ir::header_checksum(h);

    std::vector<std::uint64_t> words(at.length / 8);
    auto* base = reinterpret_cast<char*>(words.data());
    const auto put = [&](std::uint64_t offset, const void* from, std::size_t bytes) {
      if (bytes != 0) std::memcpy(base + offset, from, bytes);
    };
    put(0, &h, sizeof h);
    put(at.parameters, parameters_.data(), parameters_.size() * sizeof(ir::parameter));
    put(at.nodes, nodes.data(), nodes.size() * sizeof(ir::node));
    put(at.operands, operands_.data(), operands_.size() * sizeof(std::uint32_t));
    put(at.text, text.data(), text.size());
    return built_image(std::move(words));
  }

  std::uint32_t line = 0;  ///< of the nodes that follow

 private:
  index domain(std::uint32_t rank, const list& extents) {
    header_.domain_rank = rank;
    header_.line = line;
    return header_.domain = node(ir::operation::domain, ir::type::none, extents, rank);
  }

  /// An access is conditional in any region; its index is data-dependent if a load, a variable or an accumulator
  /// reaches it, through operands or out of a region.
  void set_flags(std::vector<ir::node>& nodes) const {
    std::vector<bool> dependent(nodes.size());
    list open;
    for (index k = 0; k < nodes.size(); ++k) {
      ir::node& n = nodes[k];
      const auto operands = std::span(operands_).subspan(n.operands, n.arity);
      const bool access = properties(n.code).kind == ir::operation_kind::memory;
      const std::size_t coordinates = access ? operands.size() - ir::stored_values(n.code, n.bits) : operands.size();
      bool any = false;
      for (std::size_t o = 0; o < operands.size(); ++o)
        if (operands[o] < k && o < coordinates) any = any || dependent[operands[o]];
      if (access && any) n.flags |= ir::node_flags::data_dependent;
      if (access && !open.empty()) n.flags |= ir::node_flags::conditional;
      dependent[k] =
          any || n.code == ir::operation::load || n.code == ir::operation::atomic || n.code == ir::operation::get || n.code == ir::operation::accumulator;
      if (n.code == ir::operation::yield && any && operands[0] < k) dependent[operands[0]] = true;
      if (n.code == ir::operation::end && !open.empty()) open.pop_back();
      if (ir::opens_region(n.code)) open.push_back(k);
    }
  }

  std::string name_;
  ir::image_header header_;
  std::vector<ir::parameter> parameters_;
  std::vector<ir::node> nodes_;
  list operands_;
};

}  // namespace selvage::test
