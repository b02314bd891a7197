// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images from bytes: found anywhere, each once; damage, newer versions and link-time optimisation are said.
#include <selvage/ir/read.hpp>

#include "images.hpp"

#include <cstring>

namespace selvage::test {
namespace {

using bytes = std::vector<std::byte>;

built_image named(const std::string& name, double factor) {
  image_builder b(name);
  const auto y = b.inout(type::float64);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.multiply(b.load(y, {i}), b.literal(factor)));
  return b.finish();
}

bytes copy(const built_image& image) {
  return {image.bytes().begin(), image.bytes().end()};
}

void append(bytes& to, std::span<const std::byte> from) {
  for (const std::byte b : from) to.push_back(b);
}
void append(bytes& to, std::string_view text) {
  append(to, std::as_bytes(std::span(text)));
}

/// Changes a field of the header at `offset` and makes the checksum good again.
template <class T>
bytes altered(const built_image& image, std::size_t offset, T v) {
  bytes b = copy(image);
  std::memcpy(b.data() + offset, &v, sizeof(v));
  ir::image_header h;
  std::memcpy(&h, b.data(), sizeof(h));
  h.checksum = ir::header_checksum(h);
  std::memcpy(b.data(), &h, sizeof(h));
  return b;
}

TEST_CASE("read: an image comes back whole, without a copy") {
  const built_image image = named("scale", 2.0);
  const bytes b = copy(image);
  const ir::image_view v = ir::read_image(b);
  CHECK(v.name == "scale");
  CHECK(v.file == "by_hand.cpp");
  CHECK(v.header == image.view().header);
  CHECK(std::equal(v.nodes.begin(), v.nodes.end(), image.view().nodes.begin(), image.view().nodes.end()));
  CHECK(static_cast<const void*>(v.nodes.data()) == b.data() + sizeof(ir::image_header) + 8);
  CHECK(ir::write_image(v) == b);
}

TEST_CASE("read: every bit matters") {
  const bytes good = copy(named("scale", 2.0));
  for (std::size_t k = 0; k < good.size() * 8; ++k) {
    bytes b = good;
    b[k / 8] ^= std::byte{1} << (k % 8);
    CAPTURE(k);
    CHECK(!error_of([&] { ir::read_image(b); }).empty());
  }
}

TEST_CASE("read: every shorter span is refused") {
  const bytes good = copy(named("scale", 2.0));
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK(!error_of([&] { ir::read_image(std::span(good).first(size)); }).empty());
}

TEST_CASE("read: says what is wrong") {
  const built_image image = named("scale", 2.0);
  const bytes newer = altered(image, offsetof(ir::image_header, version), ir::format_version + 1);
  check_error([&] { ir::read_image(newer); }, "image format version 3 is newer than this library's 2");
  check_error([&] { ir::find_images(newer, "a.o"); }, "a.o: at byte 0: image format version 3 is newer");
  const bytes other_hash = altered(image, offsetof(ir::image_header, content_hash), std::uint64_t{7});
  check_error([&] { ir::read_image(other_hash); }, "its content hash does not match");
  const bytes other_count = altered(image, offsetof(ir::image_header, nodes), std::uint32_t{0xffffffff});
  check_error([&] { ir::read_image(other_count); }, "its tables take");
  bytes damaged = copy(image);
  damaged[offsetof(ir::image_header, features)] ^= std::byte{8};
  check_error([&] { ir::read_image(damaged); }, "its header's checksum does not match");
  check_error([&] { ir::find_images(damaged, "a.o"); }, "a.o: kernel image at byte 0: its header's checksum does not");
  check_error([&] { ir::read_image(std::span(damaged).subspan(1)); }, "not a multiple of 8");
  bytes cut = copy(image);
  cut.resize(cut.size() - 8);
  check_error([&] { ir::read_image(cut); }, "it is cut off");
}

TEST_CASE("find: at any alignment, between anything, each content once, in order") {
  const built_image a = named("a", 1.0);
  const built_image b = named("b", 1.0);
  for (std::size_t gap = 0; gap < 9; ++gap) {
    bytes file;
    append(file, std::string(gap, 'x'));
    append(file, b.bytes());
    append(file, std::string_view("SVimag"));  // the beginning of a magic
    append(file, a.bytes());
    append(file, b.bytes());
    append(file, std::as_bytes(std::span(&ir::magic, 1)));
    const std::vector<ir::found_image> found = ir::find_images(file, "file");
    REQUIRE(found.size() == 2);
    CHECK(found[0].name == "b");
    CHECK(found[0].offset == gap);
    CHECK(found[1].name == "a");
    CHECK(found[1].image.nodes.size() == a.view().nodes.size());
  }
}

TEST_CASE("find: one name with two contents is told apart by hash") {
  const built_image a = named("same", 1.0);
  const built_image b = named("same", 2.0);
  bytes file = copy(a);
  append(file, b.bytes());
  append(file, named("other", 1.0).bytes());
  const std::vector<ir::found_image> found = ir::find_images(file, "file");
  REQUIRE(found.size() == 3);
  CHECK(found[0].name.starts_with("same#"));
  CHECK(found[0].name.size() == 5 + 16);
  CHECK(found[0].name != found[1].name);
  CHECK(found[2].name == "other");
}

TEST_CASE("find: images outlive the file's bytes") {
  std::vector<ir::found_image> found;
  {
    const bytes file = copy(named("kept", 3.0));
    found = ir::find_images(file, "file");
  }
  REQUIRE(found.size() == 1);
  CHECK(found[0].image.name == "kept");
}

TEST_CASE("find: a damaged image beside a good one is passed over, files without images are no error") {
  bytes file = copy(named("bad", 1.0));
  file[90] ^= std::byte{4};
  append(file, named("good", 1.0).bytes());
  const std::vector<ir::found_image> found = ir::find_images(file, "file");
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "good");
  CHECK(ir::find_images({}, "empty").empty());
  bytes text;
  append(text, std::string_view("nothing to see"));
  CHECK(ir::find_images(text, "text").empty());
}

/// A minimal ELF object with one section of this name.
bytes elf_with_section(const std::string& section) {
  bytes file(64);
  std::memcpy(file.data(),
              "\x7f"
              "ELF\2\1\1",
              7);
  const std::uint64_t table = 64 + 32;
  const std::uint16_t sizes[3] = {64, 2, 1};  // size of an entry, entries, the names' section
  std::memcpy(file.data() + 0x28, &table, 8);
  std::memcpy(file.data() + 0x3a, sizes, 6);
  append(file, std::string(1, '\0') + section);
  file.resize(table + 2 * 64);
  const std::uint32_t name = 1;
  const std::uint64_t names = 64;
  std::memcpy(file.data() + table, &name, 4);
  std::memcpy(file.data() + table + 64 + 0x18, &names, 8);
  return file;
}

TEST_CASE("find: objects for link-time optimisation get one sentence") {
  const std::string sentence = "was compiled for link-time optimisation";
  bytes bitcode;
  append(bitcode, std::string_view("BC\xC0\xDE rest"));
  check_error([&] { ir::find_images(bitcode, "a.o"); }, "a.o " + sentence);
  bytes wrapped;
  append(wrapped, std::string_view("\xDE\xC0\x17\x0B rest"));
  check_error([&] { ir::find_images(wrapped, "a.o"); }, sentence);
  check_error([&] { ir::find_images(elf_with_section(".gnu.lto_.symtab"), "a.o"); }, sentence);
  check_error([&] { ir::find_images(elf_with_section(".llvm.lto"), "a.o"); }, sentence);
  CHECK(ir::find_images(elf_with_section(".text"), "a.o").empty());
  bytes archive;
  append(archive, std::string_view("!<arch>\nname.o/         0           0     0     644     9         `\n"));
  append(archive, std::string_view("BC\xC0\xDE rest"));
  check_error([&] { ir::find_images(archive, "a.a"); }, sentence);
  // Objects that hold both have images.
  bytes fat = elf_with_section(".gnu.lto_.symtab");
  append(fat, named("fat", 1.0).bytes());
  CHECK(ir::find_images(fat, "fat.o").size() == 1);
}

}  // namespace
}  // namespace selvage::test
