// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads images from untrusted bytes. No byte is read that the span does not hold, whatever the bytes say.
#include <selvage/error.hpp>
#include <selvage/ir/read.hpp>
#include <selvage/ir/structure.hpp>

#include "object_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

namespace selvage::inline v0::ir {
namespace {

static_assert(std::endian::native == std::endian::little, "images are little-endian");

[[noreturn]] void fail(const std::string& message) {
  throw error(error_code::invalid_file, message);
}

image_header header_of(std::span<const std::byte> bytes) {
  image_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

image_layout layout_of(const image_header& h) {
  return image_layout::of(h.parameters, h.nodes, h.operands, std::uint64_t{h.name_length} + h.file_length);
}

bool padding_is_zero(std::span<const std::byte> bytes, const image_layout& layout, const image_header& h) {
  const auto zero = [&](std::uint64_t from, std::uint64_t to) {
    return std::ranges::all_of(bytes.subspan(from, to - from), [](std::byte b) { return b == std::byte{0}; });
  };
  return zero(layout.operands + std::uint64_t{h.operands} * sizeof(std::uint32_t), layout.text) &&
         zero(layout.text + h.name_length + h.file_length, layout.length);
}

/// The tables of an image of this version whose layout fits its length.
image_view view_of(std::span<const std::byte> bytes) {
  const image_header header = header_of(bytes);
  const image_layout layout = layout_of(header);
  const std::byte* base = bytes.data();
  const char* text = reinterpret_cast<const char*>(base + layout.text);
  return {header,
          {reinterpret_cast<const parameter*>(base + layout.parameters), header.parameters},
          {reinterpret_cast<const node*>(base + layout.nodes), header.nodes},
          {reinterpret_cast<const std::uint32_t*>(base + layout.operands), header.operands},
          {text, header.name_length},
          {text + header.name_length, header.file_length}};
}

/// What is wrong with the header of an image, of any version, or nothing.
std::optional<std::string> header_damage(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(image_header))
    return fmt::format("{} bytes are too few for an image's header of {}", bytes.size(), sizeof(image_header));
  const image_header header = header_of(bytes);
  if (header.magic != magic) return fmt::format("it begins with {:#018x} instead of an image's magic", header.magic);
  if (header_checksum(header) != header.checksum) return "its header's checksum does not match";
  if (header.length % 8 != 0 || header.length < sizeof(image_header))
    return fmt::format("its length is {}, which no image has", header.length);
  if (header.length > bytes.size())
    return fmt::format("it is cut off: its length is {}, but only {} bytes are there", header.length, bytes.size());
  return std::nullopt;
}

/// What is wrong behind a good header of this version, or nothing.
std::optional<std::string> content_damage(std::span<const std::byte> bytes) {
  const image_header header = header_of(bytes);
  const image_layout layout = layout_of(header);
  if (layout.length != header.length)
    return fmt::format("its tables take {} bytes, but its length is {}", layout.length, header.length);
  if (!padding_is_zero(bytes, layout, header)) return "its padding is not zero";
  if (content_hash(view_of(bytes)) != header.content_hash) return "its content hash does not match its content";
  if (source_hash(view_of(bytes)) != header.source_hash) return "its source hash does not match its lines and file";
  return std::nullopt;
}

std::optional<std::string> damage(std::span<const std::byte> bytes) {
  if (const auto wrong = header_damage(bytes)) return wrong;
  return header_of(bytes).version == format_version ? content_damage(bytes) : std::nullopt;
}

}  // namespace

image_view read_image(std::span<const std::byte> bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0) fail("kernel image: its address is not a multiple of 8");
  const std::optional<std::string> wrong = damage(bytes);
  if (bytes.size() >= sizeof(image_header)) {
    // Said first of a newer version, since its length may be meant otherwise.
    const image_header header = header_of(bytes);
    if (header.magic == magic && header.version > format_version)
      fail(fmt::format("image format version {} is newer than this library's {}", header.version, format_version));
  }
  if (wrong) fail(fmt::format("kernel image: {}", *wrong));
  if (header_of(bytes).version != format_version)
    fail(fmt::format("image format version {} is not this library's {}", header_of(bytes).version, format_version));
  const image_view image = view_of(bytes);
  check_structure(image);
  return image;
}

std::vector<std::byte> write_image(const image_view& image) {
  std::vector<std::byte> bytes(image.header.length);
  const image_layout layout = layout_of(image.header);
  const auto put = [&](std::uint64_t offset, const void* data, std::size_t size) {
    if (size != 0) std::memcpy(bytes.data() + offset, data, size);
  };
  put(0, &image.header, sizeof(image_header));
  put(layout.parameters, image.parameters.data(), image.parameters.size_bytes());
  put(layout.nodes, image.nodes.data(), image.nodes.size_bytes());
  put(layout.operands, image.operands.data(), image.operands.size_bytes());
  put(layout.text, image.name.data(), image.name.size());
  put(layout.text + image.name.size(), image.file.data(), image.file.size());
  return bytes;
}

namespace {

/// An allocation of bytes is aligned for everything.
found_image copy_of(std::span<const std::byte> bytes, std::uint64_t offset) {
  auto storage = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  const image_view image = read_image(*storage);
  return {std::string(image.name), offset, image, std::move(storage)};
}

/// As `damage`, for bytes at any address.
std::optional<std::string> damage_anywhere(std::span<const std::byte> bytes) {
  if (const auto wrong = header_damage(bytes)) return wrong;
  const std::vector<std::byte> aligned(bytes.begin(), bytes.begin() + header_of(bytes).length);
  return damage(aligned);
}

/// Kernels of one name and different content get their hash into it.
void tell_apart(std::vector<found_image>& images) {
  std::map<std::string, int> count;
  for (const found_image& i : images) ++count[i.name];
  for (found_image& i : images)
    if (count[i.name] > 1) i.name += fmt::format("#{:016x}", i.image.header.content_hash);
}

}  // namespace

std::vector<found_image> find_images(std::span<const std::byte> file, std::string_view file_name) {
  std::vector<found_image> images;
  std::set<std::uint64_t> seen;
  std::string first_damage;
  // The magic also stands as a number in the code of every program that reads images: what does not go on like an image
  // is passed over, unless there is nothing else.
  std::size_t at = 0;
  while (at < file.size()) {
    const void* hit = memmem(file.data() + at, file.size() - at, &magic, sizeof(magic));
    if (hit == nullptr) break;
    at = static_cast<std::size_t>(static_cast<const std::byte*>(hit) - file.data());
    const std::span<const std::byte> rest = file.subspan(at);
    if (const std::optional<std::string> wrong = damage_anywhere(rest)) {
      const bool likely = rest.size() >= sizeof(image_header) && header_of(rest).version == format_version &&
                          layout_of(header_of(rest)).length == header_of(rest).length;
      if (likely && first_damage.empty())
        first_damage = fmt::format("{}: kernel image at byte {}: {}", file_name, at, *wrong);
      at += sizeof(magic);
      continue;
    }
    const std::size_t length = header_of(rest).length;
    if (!seen.contains(header_of(rest).content_hash)) {
      try {
        images.push_back(copy_of(rest.first(length), at));
      } catch (const error& e) {
        fail(fmt::format("{}: at byte {}: {}", file_name, at, e.what()));
      }
      seen.insert(header_of(rest).content_hash);
    }
    at += length;
  }
  if (images.empty() && !first_damage.empty()) fail(first_damage);
  if (images.empty() && is_for_link_time_optimisation(file))
    fail(fmt::format(
        "{} was compiled for link-time optimisation, so that it holds no kernel images before it is linked: "
        "give the linked executable or library instead, or compile it with -fno-lto",
        file_name));
  tell_apart(images);
  return images;
}

}  // namespace selvage::inline v0::ir
