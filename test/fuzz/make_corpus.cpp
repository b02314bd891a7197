// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the fuzzer's first inputs into a folder: random images, as images and within a file, and an archive's
// beginning.
#include <random_image.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

void write(const std::filesystem::path& path, char mode, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.put(mode);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_corpus FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const selvage::test::launch_case one = selvage::test::random_case(seed);
    write(folder / ("image_" + std::to_string(seed)), '\1', one.image.bytes());
    if (seed % 10 == 0) write(folder / ("file_" + std::to_string(seed)), '\0', one.image.bytes());
  }
  const std::string archive = "!<arch>\nname.o/         0           0     0     644     9         `\nBC\xC0\xDE rest";
  write(folder / "archive", '\0', std::as_bytes(std::span(archive)));
}
