// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the fuzzers' first inputs into folders: random images, as images and within a file, and an archive's
// beginning; and the parts of a program's bundle.
#include <random_image.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace {

void write(const std::filesystem::path& path, std::string_view before, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(before.data(), static_cast<std::streamsize>(before.size()));
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

void write_images(const std::filesystem::path& folder) {
  constexpr std::string_view image("\1", 1);
  constexpr std::string_view file("\0", 1);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const selvage::test::launch_case one = selvage::test::random_case(seed);
    write(folder / ("image_" + std::to_string(seed)), image, one.image.bytes());
    if (seed % 10 == 0) write(folder / ("file_" + std::to_string(seed)), file, one.image.bytes());
  }
  const std::string archive = "!<arch>\nname.o/         0           0     0     644     9         `\nBC\xC0\xDE rest";
  write(folder / "archive", file, std::as_bytes(std::span(archive)));
}

/// The OffloadBinary images in a file, found by their magic.
void write_bundles(const std::filesystem::path& folder, const char* program) {
  std::ifstream file(program, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  int count = 0;
  for (std::size_t at = text.find("\x10\xff\x10\xad"); at != std::string::npos;
       at = text.find("\x10\xff\x10\xad", at + 4)) {
    std::uint64_t size = 0;
    if (text.size() - at >= 16) std::memcpy(&size, text.data() + at + 8, sizeof size);
    if (size == 0 || size > text.size() - at) continue;
    write(folder / ("bundle_" + std::to_string(++count)), {}, std::as_bytes(std::span(text).subspan(at, size)));
  }
  if (count == 0) throw std::runtime_error(std::string(program) + " has no bundle");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: make_corpus FOLDER PROGRAM\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder / "images");
  std::filesystem::create_directories(folder / "bundles");
  write_images(folder / "images");
  write_bundles(folder / "bundles", argv[2]);
}
