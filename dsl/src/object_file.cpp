// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises objects made for link-time optimisation. Reads within the span, whatever the bytes say.
#include "object_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace selvage::inline v0::ir {
namespace {

using namespace std::string_view_literals;

template <class T>
std::optional<T> read_at(std::span<const std::byte> file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

std::string_view text_at(std::span<const std::byte> file, std::uint64_t offset, std::uint64_t length) {
  if (offset > file.size()) return {};
  const std::size_t size = std::min<std::uint64_t>(length, file.size() - offset);
  return {reinterpret_cast<const char*>(file.data()) + offset, size};
}

bool is_bitcode(std::span<const std::byte> file) {
  const std::string_view start = text_at(file, 0, 4);
  return start == "BC\xC0\xDE"sv || start == "\xDE\xC0\x17\x0B"sv;  // plain, or in its wrapper
}

/// A relocatable 64-bit ELF object's sections. (Executables may well hold such names as strings.)
bool has_optimisation_section(std::span<const std::byte> file) {
  if (text_at(file, 0, 6) !=
      "\x7f"
      "ELF\2\1"sv)
    return false;
  const auto table = read_at<std::uint64_t>(file, 0x28);
  const auto size = read_at<std::uint16_t>(file, 0x3a);
  const auto count = read_at<std::uint16_t>(file, 0x3c);
  const auto names = read_at<std::uint16_t>(file, 0x3e);
  if (!table || !size || !count || !names || *table > file.size()) return false;
  const auto names_at = read_at<std::uint64_t>(file, *table + std::uint64_t{*names} * *size + 0x18);
  if (!names_at || *names_at > file.size()) return false;
  for (std::uint64_t k = 0; k < *count; ++k) {
    const auto name = read_at<std::uint32_t>(file, *table + k * *size);
    if (!name) return false;
    const std::string_view text = text_at(file, *names_at + *name, 9);
    if (text == ".gnu.lto_"sv || text == ".llvm.lto"sv) return true;
  }
  return false;
}

/// Calls `visit` with each member's bytes until it says true.
template <class Visitor>
bool any_member(std::span<const std::byte> archive, Visitor visit) {
  constexpr std::uint64_t header = 60;
  std::uint64_t at = 8;
  while (at + header <= archive.size()) {
    std::string_view digits = text_at(archive, at + 48, 10);
    digits = digits.substr(0, digits.find(' '));
    std::uint64_t size = 0;
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (wrong != std::errc{} || end != digits.data() + digits.size()) return false;
    at += header;
    if (size > archive.size() - at) return false;
    if (visit(archive.subspan(at, size))) return true;
    at += size + size % 2;
  }
  return false;
}

}  // namespace

bool is_for_link_time_optimisation(std::span<const std::byte> file) {
  const auto one = [](std::span<const std::byte> object) {
    return is_bitcode(object) || has_optimisation_section(object);
  };
  if (text_at(file, 0, 8) == "!<arch>\n"sv) return any_member(file, one);
  return one(file);
}

}  // namespace selvage::inline v0::ir
