// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels as bytes and back, for caches and bundles. Bytes from a file are never trusted.
//
// | bytes  | field                                                       |
// |--------|-------------------------------------------------------------|
// | 0..7   | magic: "SVrecip" and a byte that no text has                |
// | 8..15  | format version                                              |
// | 16..23 | length of the whole                                         |
// | 24..31 | checksum of version, length and all that follows            |
// | 32..   | fields in the order of the structures; numbers in the width |
// |        | of their type, counts 64 bits, text and code after a count  |
#include <selvage/codegen/recipe.hpp>
#include <selvage/error.hpp>
#include <selvage/ir/image.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace selvage::inline v0::codegen {
namespace {

static_assert(std::endian::native == std::endian::little, "compiled kernels are stored little-endian");

constexpr std::uint64_t recipe_magic = 0x9d70696365725653U;
constexpr std::uint64_t recipe_version = 1;
constexpr std::size_t header_bytes = 32;

[[noreturn]] void refuse(const std::string& what) {
  throw error(error_code::invalid_file, "compiled kernel: " + what + "; delete the file, it will be made again");
}

/// Every step of `mix` is a bijection of the hash, so a change of any one word is always seen.
std::uint64_t checksum_of(std::uint64_t version, std::uint64_t length, std::span<const std::byte> payload) {
  std::uint64_t hash = ir::mix(ir::mix(0, version), length);
  for (std::size_t at = 0; at < payload.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, payload.data() + at, std::min<std::size_t>(8, payload.size() - at));
    hash = ir::mix(hash, word);
  }
  return hash;
}

class writer {
 public:
  explicit writer(std::vector<std::byte>& out) : out_(out) {}

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(const T& v) { raw(&v, sizeof v); }
  void operator()(const std::string& text) { count(text.size()), raw(text.data(), text.size()); }
  void operator()(const std::vector<std::byte>& code) { count(code.size()), raw(code.data(), code.size()); }

  template <class Item, class Each>
  void list(const std::vector<Item>& items, Each each) {
    count(items.size());
    for (const Item& item : items) each(*this, item);
  }
  template <class E>
  void choice(const E& v, E /*last*/, const char* /*what*/) {
    (*this)(v);
  }

 private:
  void count(std::size_t n) { (*this)(static_cast<std::uint64_t>(n)); }
  void raw(const void* from, std::size_t bytes) {
    const auto* first = static_cast<const std::byte*>(from);
    out_.insert(out_.end(), first, first + bytes);
  }

  std::vector<std::byte>& out_;
};

class reader {
 public:
  explicit reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(T& v) {
    const auto from = take(sizeof v);
    if constexpr (std::is_same_v<T, bool>)
      v = from[0] != std::byte{0};
    else
      std::memcpy(&v, from.data(), sizeof v);
  }
  void operator()(std::string& text) {
    const auto from = take(count(1));
    text.assign(reinterpret_cast<const char*>(from.data()), from.size());
  }
  void operator()(std::vector<std::byte>& code) {
    const auto from = take(count(1));
    code.assign(from.begin(), from.end());
  }

  template <class Item, class Each>
  void list(std::vector<Item>& items, Each each) {
    // An item takes at least a byte, so a count never makes more memory than the file has.
    items.resize(count(1));
    for (Item& item : items) each(*this, item);
  }
  template <class E>
  void choice(E& v, E last, const char* what) {
    (*this)(v);
    if (v > last) refuse(fmt::format("{} {} is unknown", what, static_cast<unsigned>(v)));
  }

  bool at_end() const { return bytes_.empty(); }

 private:
  std::size_t count(std::size_t bytes_each) {
    std::uint64_t n = 0;
    (*this)(n);
    if (n > bytes_.size() / bytes_each)
      refuse(fmt::format("{} items are announced where {} bytes are left", n, bytes_.size()));
    return static_cast<std::size_t>(n);
  }
  std::span<const std::byte> take(std::size_t n) {
    if (n > bytes_.size()) refuse("the bytes end too early");
    const auto taken = bytes_.first(n);
    bytes_ = bytes_.subspan(n);
    return taken;
  }

  std::span<const std::byte> bytes_;
};

// One walk over the structures serves both directions: `io` is a writer and the values are const, or a reader.

constexpr auto walk_size = [](auto& io, auto& size) {
  io.list(size.rows, [](auto& rows_io, auto& row) {
    rows_io.choice(row.op, size_expression::code::maximum, "operation of a size");
    rows_io(row.a), rows_io(row.b), rows_io(row.value);
  });
};

constexpr auto walk_slot = [](auto& io, auto& slot) {
  io.choice(slot.from, argument_slot::source::scratch, "source of an argument");
  io(slot.parameter), io(slot.dimension), io(slot.offset), io(slot.size);
};

constexpr auto walk_step = [](auto& io, auto& one) {
  io.choice(one.what, step::kind::clear, "kind of step");
  io(one.entry);
  for (auto& size : one.grid) walk_size(io, size);
  for (auto& extent : one.group) io(extent);
  io(one.shared_bytes), io(one.block_bytes);
  io.list(one.slots, walk_slot);
  io(one.scratch), io(one.fill);
};

constexpr auto walk_kernel = [](auto& io, auto& kernel) {
  auto& recipe = kernel.recipe;
  io(recipe.kernel), io(recipe.content_hash), io(recipe.target);
  io(recipe.assumes.guarded), io(recipe.assumes.contiguous), io(recipe.assumes.wide_grid), io(recipe.assumes.contract);
  io(recipe.assumes.narrow);
  io.list(recipe.scratch, walk_size);
  io.list(recipe.steps, walk_step);
  io.choice(kernel.format, last_code_format, "format of code");
  io(kernel.code);
};

/// What the runtime relies on without looking again: operands before their row, slots inside the block.
void check(const size_expression& size) {
  using code = size_expression::code;
  for (std::size_t k = 0; k < size.rows.size(); ++k) {
    const auto& row = size.rows[k];
    const bool leaf = row.op == code::literal || row.op == code::domain_extent || row.op == code::parameter_extent;
    if (!leaf && (row.a >= k || row.b >= k)) refuse("a row of a size uses a later row");
  }
}

void check(const launch_recipe& recipe) {
  for (const auto& size : recipe.scratch) check(size);
  for (const step& s : recipe.steps) {
    for (const auto& size : s.grid) check(size);
    if (s.what == step::kind::clear && s.scratch >= recipe.scratch.size())
      refuse(fmt::format("a step clears scratch memory {}, there are {}", s.scratch, recipe.scratch.size()));
    for (const argument_slot& slot : s.slots) {
      if (slot.offset > s.block_bytes || slot.size > s.block_bytes - slot.offset)
        refuse(fmt::format("an argument at byte {} leaves a block of {} bytes", slot.offset, s.block_bytes));
      if (slot.from == argument_slot::source::scratch && slot.parameter >= recipe.scratch.size())
        refuse(fmt::format("an argument is scratch memory {}, there are {}", slot.parameter, recipe.scratch.size()));
    }
  }
}

}  // namespace

std::vector<std::byte> serialise(const compiled_kernel& kernel) {
  std::vector<std::byte> bytes(header_bytes);
  writer out(bytes);
  walk_kernel(out, kernel);
  const std::uint64_t length = bytes.size();
  const std::uint64_t header[] = {recipe_magic, recipe_version, length,
                                  checksum_of(recipe_version, length, std::span(bytes).subspan(header_bytes))};
  std::memcpy(bytes.data(), header, sizeof header);
  return bytes;
}

compiled_kernel deserialise(std::span<const std::byte> bytes) {
  std::uint64_t header[4];
  static_assert(sizeof header == header_bytes);
  if (bytes.size() < header_bytes) refuse(fmt::format("{} bytes are too few for a header", bytes.size()));
  std::memcpy(header, bytes.data(), sizeof header);
  const auto [magic, version, length, checksum] = header;
  if (magic != recipe_magic) refuse("the first bytes are not those of a compiled kernel");
  if (version != recipe_version)
    refuse(fmt::format("format version {} is not {}, the one of this library", version, recipe_version));
  if (length != bytes.size()) refuse(fmt::format("{} bytes where the header says {}", bytes.size(), length));
  const auto payload = bytes.subspan(header_bytes);
  if (checksum_of(version, length, payload) != checksum) refuse("the checksum does not fit");

  compiled_kernel kernel;
  reader in(payload);
  walk_kernel(in, kernel);
  if (!in.at_end()) refuse("bytes are left over");
  check(kernel.recipe);
  return kernel;
}

}  // namespace selvage::inline v0::codegen
