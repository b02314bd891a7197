// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel image: a kernel's tree as flat, pointer-free data with a header. The one interchange format between the
// recorder, the verifier, the code generator, the runtime and the tools.
#pragma once

#include <selvage/ir/operations.hpp>
#include <selvage/ir/types.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace selvage::inline v0::ir {

inline constexpr std::uint32_t format_version = 2;
inline constexpr int maximum_rank = 3;         ///< of a view and of a domain
inline constexpr int maximum_parameters = 64;  ///< of a kernel
inline constexpr std::uint32_t maximum_depth = 256;  ///< of regions in one another: what walks an image may recurse as often
inline constexpr std::uint32_t no_node = 0xffffffffU;

/// First eight bytes of every image, by which it is found in a file: "SVimage" and a byte that no text has.
inline constexpr std::uint64_t magic = 0x9d6567616d695653U;

enum class access : std::uint8_t { in, out, inout, value };

constexpr std::string_view name(access a) {
  constexpr std::string_view names[] = {"in", "out", "inout", "value"};
  return names[static_cast<int>(a)];
}

constexpr bool is_written(access a) {
  return a == access::out || a == access::inout;
}

/// Facts about a parameter.
namespace parameter_flags {
/// Work-items communicate through it by atomic operations: its ownership is withdrawn, so nothing may assume that only
/// one work-item touches an element.
inline constexpr std::uint8_t shared = 1;
}  // namespace parameter_flags

/// One argument of a kernel.
struct parameter {
  ir::type element = type::none;
  access mode = access::value;
  std::uint8_t rank = 0;   ///< of a view (0 to maximum_rank); 0 for a value
  std::uint8_t flags = 0;  ///< parameter_flags
  /// For `out`: the store that writes every element; at launch the intervals of its coordinates must be the extents.
  std::uint32_t covering_store = no_node;

  friend constexpr bool operator==(const parameter&, const parameter&) = default;
};
static_assert(sizeof(parameter) == 8);

/// Facts about a `load`, `store` or `atomic`, found when the image is finished.
namespace node_flags {
inline constexpr std::uint8_t conditional =
    1;  ///< may not be reached by every work-item (under a condition or in a loop)
inline constexpr std::uint8_t data_dependent = 2;  ///< an index depends on loaded data, a variable or an accumulator
}  // namespace node_flags

/// One node. It comes after its operands; nodes of a region stand between the node that opens it and its `end`.
struct node {
  operation code = operation::literal;
  ir::type type = ir::type::none;  ///< of its value; of a `store` and `set`: of what is stored
  std::uint8_t arity = 0;
  std::uint8_t flags = 0;       ///< node_flags
  std::uint32_t line = 0;       ///< of the source, 0 if unknown; not part of the content hash
  std::uint32_t operands = 0;   ///< index of the first in the table of operands
  std::uint32_t attribute = 0;  ///< see SELVAGE_OPERATIONS
  std::uint64_t bits = 0;       ///< see SELVAGE_OPERATIONS

  friend constexpr bool operator==(const node&, const node&) = default;
};
static_assert(sizeof(node) == 24);

/// Options of a kernel, part of its content.
namespace options {
inline constexpr std::uint32_t fast = 1;  ///< floating-point arithmetic may be reassociated and approximated
}  // namespace options

/// What a device must have to run the kernel, one bit each.
namespace features {
inline constexpr std::uint32_t float64 = 1;
inline constexpr std::uint32_t int64 = 2;  ///< as an element type, not merely in indices
}  // namespace features

/// The image's first bytes. All numbers little-endian; offsets are from the header's start, in bytes.
struct image_header {
  std::uint64_t magic = ir::magic;
  std::uint32_t version = format_version;
  std::uint32_t length = 0;        ///< of the whole image, header included, a multiple of 8
  std::uint64_t checksum = 0;      ///< header_checksum
  std::uint64_t content_hash = 0;  ///< of all that determines the kernel's meaning, its name included; not of lines
  std::uint64_t source_hash = 0;   ///< of lines and file
  std::uint32_t parameters = 0;    ///< number of parameters
  std::uint32_t nodes = 0;         ///< number of nodes
  std::uint32_t operands = 0;      ///< number of operands
  std::uint32_t name_length = 0;   ///< characters; the name is the text's beginning, then the file
  std::uint32_t file_length = 0;   ///< characters
  std::uint32_t line = 0;          ///< where the kernel's domain is taken
  std::uint32_t domain = no_node;  ///< the domain node
  std::uint32_t domain_rank = 0;
  std::uint32_t features = 0;
  std::uint32_t options = 0;

  friend constexpr bool operator==(const image_header&, const image_header&) = default;
};
static_assert(sizeof(image_header) == 80);

/// Where the four tables stand, by the header's counts: parameters, nodes, operands, text, each 8-aligned.
struct image_layout {
  std::uint64_t parameters, nodes, operands, text, length;

  static constexpr image_layout of(std::uint64_t parameter_count, std::uint64_t node_count, std::uint64_t operand_count,
                                   std::uint64_t text_length) {
    const std::uint64_t p = sizeof(image_header);
    const std::uint64_t n = p + parameter_count * sizeof(parameter);
    const std::uint64_t o = n + node_count * sizeof(node);
    const std::uint64_t t = o + (operand_count + 1) / 2 * 8;
    return {p, n, o, t, t + (text_length + 7) / 8 * 8};
  }
};

/// A finished image, seen: what the verifier, the interpreter, the emitter and the runtime read. Does not own.
struct image_view {
  image_header header;
  std::span<const parameter> parameters;
  std::span<const node> nodes;
  std::span<const std::uint32_t> operands;
  std::string_view name;
  std::string_view file;

  constexpr std::span<const std::uint32_t> operands_of(const node& n) const {
    return operands.subspan(n.operands, n.arity);
  }
  constexpr std::uint32_t operand(const node& n, std::uint32_t k) const { return operands[n.operands + k]; }
  constexpr const node& operand_node(const node& n, std::uint32_t k) const { return nodes[operand(n, k)]; }
};

/// Mixes one word into a hash. Multiply-xorshift of MurmurHash3's finaliser (Austin Appleby, public domain).
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  std::uint64_t h = (hash ^ word) * 0xff51afd7ed558ccdU;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53U;
  return h ^ (h >> 29);
}

/// Hash of all that determines the meaning: not of lines, not of the file. Written for constant evaluation, where a
/// call costs more than what it does.
constexpr std::uint64_t content_hash(const image_view& image) {
  std::uint64_t h = mix(mix(format_version, image.header.options), image.header.domain_rank);
  for (const char c : image.name) h = mix(h, static_cast<unsigned char>(c));
  for (const parameter& p : image.parameters) h = mix(h, std::bit_cast<std::uint64_t>(p));
  const node* const nodes = image.nodes.data();
  for (std::size_t k = 0, count = image.nodes.size(); k < count; ++k) {
    const node& n = nodes[k];
    h += n.operands * 0x9e3779b97f4a7c15U;
    h ^= static_cast<std::uint64_t>(n.code) | static_cast<std::uint64_t>(n.type) << 8 | std::uint64_t{n.arity} << 16 |
         std::uint64_t{n.flags} << 24 | std::uint64_t{n.attribute} << 32;
    h *= 0xff51afd7ed558ccdU;
    h = ((h ^ (h >> 33)) ^ n.bits) * 0xc4ceb9fe1a85ec53U;
    h ^= h >> 29;
  }
  const std::uint32_t* const operands = image.operands.data();
  const std::size_t count = image.operands.size();
  for (std::size_t k = 0; k + 1 < count; k += 2) {
    h = (h ^ (operands[k] | std::uint64_t{operands[k + 1]} << 32)) * 0xff51afd7ed558ccdU;
    h ^= h >> 32;
  }
  return mix(h, count % 2 != 0 ? operands[count - 1] : no_node);
}

/// Hash of what the content hash leaves out: lines and file.
constexpr std::uint64_t source_hash(const image_view& image) {
  std::uint64_t h = 0;
  const node* const nodes = image.nodes.data();
  for (std::size_t k = 0, count = image.nodes.size(); k < count; ++k) {
    h = (h ^ nodes[k].line) * 0xff51afd7ed558ccdU;
    h ^= h >> 32;
  }
  for (const char c : image.file) h = mix(h, static_cast<unsigned char>(c));
  return h;
}

/// Hash of the header's 64-bit words behind the checksum, in every version of the format.
constexpr std::uint64_t header_checksum(const image_header& header) {
  const auto words = std::bit_cast<std::array<std::uint64_t, sizeof(image_header) / 8>>(header);
  std::uint64_t h = 0;
  for (std::size_t k = 3; k < words.size(); ++k) h = mix(h, words[k]);
  return h;
}

namespace detail {
/// An array that takes no room when it is empty.
template <class T, std::size_t N>
struct table {
  T items[N]{};
  constexpr T* data() { return items; }
  constexpr const T* data() const { return items; }
};
template <class T>
struct table<T, 0> {
  static constexpr T* data() { return nullptr; }
};
}  // namespace detail

/// An image with its storage: a static constant of this type stands in the object file's read-only data. If its header
/// says that all room is taken, it is byte for byte the format above.
template <std::size_t Parameters, std::size_t Nodes, std::size_t Operands, std::size_t Text>
struct alignas(8) stored_image {
  image_header header;
  [[no_unique_address]] detail::table<parameter, Parameters> parameters;
  [[no_unique_address]] detail::table<node, Nodes> nodes;
  [[no_unique_address]] detail::table<std::uint32_t, (Operands + 1) / 2 * 2> operands;
  [[no_unique_address]] detail::table<char, (Text + 7) / 8 * 8> text;

  constexpr image_view view() const {
    return {header,
            {parameters.data(), header.parameters},
            {nodes.data(), header.nodes},
            {operands.data(), header.operands},
            {text.data(), header.name_length},
            {text.data() + header.name_length, header.file_length}};
  }
};

}  // namespace selvage::inline v0::ir
