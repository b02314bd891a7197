// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints images as text. Reads only what is there, so that broken images can be looked at too.
#include <selvage/ir/print.hpp>
#include <selvage/ir/structure.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace selvage::inline v0::ir {
namespace {

std::string_view name_of(type t) {
  return static_cast<int>(t) < type_count ? properties(t).name : std::string_view{"unknown_type"};
}

std::string_view name_of(operation o) {
  return static_cast<int>(o) < operation_count ? properties(o).name : std::string_view{"unknown_operation"};
}

/// `float64[:, :]`; a view of rank 0 is `float64[]`.
std::string shape(const parameter& p) {
  if (p.mode == access::value) return std::string(name_of(p.element));
  std::string dimensions;
  for (int d = 0; d < p.rank; ++d) dimensions += d == 0 ? ":" : ", :";
  return fmt::format("{}[{}]", name_of(p.element), dimensions);
}

class printer {
 public:
  explicit printer(const image_view& image) : image_(image) {}

  std::string all() {
    const image_header& h = image_.header;
    put("kernel {}, content {:016x}", image_.name, h.content_hash);
    if (!image_.file.empty()) put(", {}:{}", image_.file, h.line);
    if ((h.options & options::fast) != 0) put(", fast");
    put("\n");
    for (std::size_t k = 0; k < image_.parameters.size(); ++k) {
      const parameter& p = image_.parameters[k];
      put("  argument {}: {} {}", k, p.mode <= access::value ? name(p.mode) : "unknown_mode", shape(p));
      if (p.covering_store != no_node) put(", wholly written by {}", p.covering_store);
      put("\n");
    }
    std::size_t depth = 1;
    std::uint32_t line = 0;
    for (std::uint32_t n = 0; n < image_.nodes.size(); ++n) {
      const node& at = image_.nodes[n];
      if ((at.code == operation::end || at.code == operation::else_) && depth > 1) --depth;
      const std::size_t begin = text_.size();
      put("{:{}}", "", depth * 2);
      print(n);
      if (at.line != 0 && at.line != line) put("{:{}}  // line {}", "", padding(begin), line = at.line);
      put("\n");
      if (opens_region(at.code) || at.code == operation::else_) ++depth;
    }
    return std::move(text_);
  }

  std::string one(std::uint32_t n) {
    print(n);
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void put(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), text, std::forward<Arguments>(arguments)...);
  }

  std::size_t padding(std::size_t begin) const {
    constexpr std::size_t column = 56;
    const std::size_t width = text_.size() - begin;
    return width < column ? column - width : 0;
  }

  std::span<const std::uint32_t> operands(const node& n) const {
    const std::size_t first = std::min<std::size_t>(n.operands, image_.operands.size());
    return image_.operands.subspan(first, std::min<std::size_t>(n.arity, image_.operands.size() - first));
  }

  /// `%1, %2`, without the first `skip` operands.
  std::string list(const node& n, std::size_t skip = 0, std::size_t leave = 0) const {
    const std::span<const std::uint32_t> of = operands(n);
    std::string text;
    for (std::size_t k = skip; k + leave < of.size(); ++k) text += fmt::format("{}%{}", k == skip ? "" : ", ", of[k]);
    return text;
  }

  /// Operand k as the number of a node that is no value.
  std::string number(const node& n, std::size_t k) const {
    return k < operands(n).size() ? std::to_string(operands(n)[k]) : "?";
  }

  std::string_view guard(const node& n) const { return (n.flags & node_flags::data_dependent) != 0 ? ", guarded" : ""; }

  void print(std::uint32_t n) {
    const node& at = image_.nodes[n];
    if (has_value(at)) put("%{} = {}", n, name_of(at.code));
    else put("{}: {}", n, name_of(at.code));
    if (at.type != type::none) put(" {}", name_of(at.type));
    switch (at.code) {
      case operation::literal: put(" {}", print_value(at.type, at.bits)); return;
      case operation::value: put(" argument {}", at.attribute); return;
      case operation::extent: put(" argument {} dimension {}", at.attribute, at.bits); return;
      case operation::id: put(" axis {}", at.attribute); return;
      case operation::domain:
        put(" rank {} ({})", at.attribute, at.arity == 0 ? "given at the launch" : list(at));
        return;
      case operation::load: put(" argument {} [{}]{}", at.attribute, list(at), guard(at)); return;
      case operation::store: {
        const std::size_t coordinates = operands(at).empty() ? 0 : operands(at).size() - 1;
        put(" argument {} [{}], {}{}", at.attribute, list(at, 0, 1), list(at, coordinates), guard(at));
        return;
      }
      case operation::atomic: {
        const bool known = at.bits < atomic_kind_count;
        const std::size_t values = known ? stored_values(at.code, at.bits) : 1;
        const std::size_t coordinates = operands(at).size() - std::min(operands(at).size(), values);
        put(" {} argument {} [{}], {}{}", known ? name(static_cast<atomic_kind>(at.bits)) : "unknown_kind", at.attribute,
            list(at, 0, values), list(at, coordinates), guard(at));
        return;
      }
      case operation::get: put(" of {}", number(at, 0)); return;
      case operation::set: put(" of {}, {}", number(at, 0), list(at, 1)); return;
      case operation::else_:
      case operation::end:
      case operation::accumulator: put(" of {}", number(at, 0)); return;
      case operation::test:
      case operation::yield: put(" of {}, {}", number(at, 0), list(at, 1)); return;
      case operation::fold: {
        const bool known = at.attribute < fold_kind_count;
        put(" {} {}", known ? name(static_cast<fold_kind>(at.attribute)) : "unknown_kind", list(at));
        return;
      }
      default:
        if (at.arity != 0) put(" {}", list(at));
    }
  }

  const image_view& image_;
  std::string text_;
};

}  // namespace

std::string print(const image_view& image) { return printer(image).all(); }
std::string print_node(const image_view& image, std::uint32_t node) { return printer(image).one(node); }

std::string print_value(type t, std::uint64_t bits) {
  switch (t) {
    case type::none: return "none";
    case type::boolean: return bits != 0 ? "true" : "false";
    default: break;
  }
  if (static_cast<int>(t) >= type_count) return fmt::format("{:#x}", bits);
  return with_type(t, [bits]<class T>() {
    if constexpr (sizeof(T) == 1) return fmt::format("{}", static_cast<int>(from_bits<T>(bits)));
    else return fmt::format("{}", from_bits<T>(bits));
  });
}

}  // namespace selvage::inline v0::ir
