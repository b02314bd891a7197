// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads bundles, which are never trusted. The format is that of llvm/Object/OffloadBinary.h, version 1: a header, an
// entry, a table of pairs of strings and the image; offsets are from the header's beginning.
#include <selvage/codegen/bundle.hpp>
#include <selvage/error.hpp>

#include <fmt/format.h>

#include <boost/algorithm/hex.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <map>

namespace selvage::inline v0::codegen {
namespace {

constexpr std::uint8_t magic[] = {0x10, 0xff, 0x10, 0xad};

struct binary_header {
  std::uint8_t magic[4];
  std::uint32_t version;
  std::uint64_t size, entry_offset, entry_size;
};
struct binary_entry {
  std::uint16_t image_kind, offload_kind;
  std::uint32_t flags;
  std::uint64_t string_offset, strings, image_offset, image_size;
};
struct string_entry {
  std::uint64_t key, value;
};

class binary {
 public:
  binary(std::span<const std::byte> bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  template <class T>
  T read(std::uint64_t offset, const char* what) const {
    T value;
    std::memcpy(&value, part(offset, sizeof(T), what).data(), sizeof(T));
    return value;
  }
  std::span<const std::byte> part(std::uint64_t offset, std::uint64_t size, const char* what) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) fail("its {} lies outside it", what);
    return bytes_.subspan(offset, size);
  }
  std::string_view text(std::uint64_t offset) const {
    const auto rest = part(offset, bytes_.size() - std::min<std::uint64_t>(offset, bytes_.size()), "string");
    const auto end = std::ranges::find(rest, std::byte{0});
    if (end == rest.end()) fail("a {} has no end", "string");
    return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
  }
  template <class... A>
  [[noreturn]] void fail(fmt::format_string<A...> what, A&&... arguments) const {
    throw error(error_code::invalid_file, fmt::format("bundle of kernels: the image at byte {}: {}; build it again", at_,
                                                      fmt::format(what, std::forward<A>(arguments)...)));
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_;
};

template <class T>
T number(const binary& b, std::string_view text, int base, std::string_view what) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || status != std::errc() || end != text.data() + text.size())
    b.fail("'{}' is no {}", text.substr(0, 40), what);
  return value;
}

bundled_kernel read_image(const binary& b, const binary_header& header) {
  const auto entry = b.read<binary_entry>(header.entry_offset, "entry");
  std::map<std::string_view, std::string_view> strings;
  if (entry.strings > header.size / sizeof(string_entry)) b.fail("it announces {} strings", entry.strings);
  for (std::uint64_t k = 0; k < entry.strings; ++k) {
    const auto pair = b.read<string_entry>(entry.string_offset + k * sizeof(string_entry), "table of strings");
    strings[b.text(pair.key)] = b.text(pair.value);
  }
  const auto get = [&](std::string_view key) {
    const auto found = strings.find(key);
    if (found == strings.end()) b.fail("it lacks the string '{}'", key);
    return found->second;
  };
  bundled_kernel k;
  k.kernel = get(bundle_key::kernel);
  k.content_hash = number<std::uint64_t>(b, get(bundle_key::content_hash), 16, "content hash");
  k.target = get(bundle_key::target);
  k.assumes = variant::from_key(number<std::uint32_t>(b, get(bundle_key::variant), 10, "variant"));
  const auto format = number<std::uint32_t>(b, get(bundle_key::format), 10, "format of code");
  if (format > static_cast<std::uint32_t>(last_code_format)) b.fail("format of code {} is unknown", format);
  k.format = static_cast<code_format>(format);
  k.recipe = get(bundle_key::recipe);
  k.code = b.part(entry.image_offset, entry.image_size, "machine code");
  return k;
}

}  // namespace

std::vector<bundled_kernel> read_bundle(std::span<const std::byte> bytes) {
  std::vector<bundled_kernel> images;
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (bytes[at] == std::byte{0}) {  // linkers pad between the bundles of several object files
      ++at;
      continue;
    }
    const binary rest(bytes.subspan(at), at);
    const auto header = rest.read<binary_header>(0, "header");
    if (std::memcmp(header.magic, magic, sizeof magic) != 0) rest.fail("it does not begin as an OffloadBinary does");
    if (header.version != 1) rest.fail("version {} of the format is not 1, which this library reads", header.version);
    const binary whole(rest.part(0, header.size, "end"), at);
    if (header.size < sizeof(binary_header)) rest.fail("its size is {}", header.size);
    images.push_back(read_image(whole, header));
    at += header.size;
  }
  return images;
}

compiled_kernel unpack(const bundled_kernel& image) {
  std::vector<std::byte> bytes;
  try {
    std::string digits;
    boost::algorithm::unhex(image.recipe.begin(), image.recipe.end(), std::back_inserter(digits));
    const auto part = std::as_bytes(std::span(digits));
    bytes.assign(part.begin(), part.end());
  } catch (const boost::algorithm::hex_decode_error&) {
    throw error(error_code::invalid_file,
                fmt::format("bundle of kernels: the recipe of '{}' for {} is not hexadecimal; build it again", image.kernel,
                            image.target));
  }
  compiled_kernel kernel = deserialise(bytes);
  if (kernel.recipe.content_hash != image.content_hash || kernel.recipe.target != image.target ||
      kernel.recipe.assumes != image.assumes || kernel.format != image.format)
    throw error(error_code::invalid_file,
                fmt::format("bundle of kernels: the recipe of '{}' for {} belongs to another image; build it again",
                            image.kernel, image.target));
  kernel.code.assign(image.code.begin(), image.code.end());
  return kernel;
}

}  // namespace selvage::inline v0::codegen
