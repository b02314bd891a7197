// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples' reader and writer of PNG files.
#include "support/png.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace {

std::string scratch(const char* name) {
  return (std::filesystem::temp_directory_path() / name).string();
}

}  // namespace

TEST_CASE("png: a picture comes back as it was written") {
  samples::picture p{2, 3, {}};
  for (int k = 0; k < 18; ++k) p.pixels.push_back(static_cast<std::uint8_t>(k * 14));
  const std::string path = scratch("selvage_png_test.png");
  samples::write_png(path, p);
  const samples::picture q = samples::read_png(path);
  CHECK(q.rows == 2);
  CHECK(q.columns == 3);
  CHECK(q.pixels == p.pixels);
  std::remove(path.c_str());
}

TEST_CASE("png: an unreadable file is named, with the reason") {
  CHECK_THROWS_WITH_AS(samples::read_png("/nonexistent.png"),
                       doctest::Contains("cannot read '/nonexistent.png' as a PNG file: "), std::runtime_error);
  const std::string path = scratch("selvage_png_test_bad.png");
  std::ofstream(path) << "this is no PNG file";
  CHECK_THROWS_WITH_AS(samples::read_png(path), doctest::Contains("as a PNG file: "), std::runtime_error);
  std::remove(path.c_str());
}

TEST_CASE("png: a file cut short is refused") {
  samples::picture p{64, 64, std::vector<std::uint8_t>(64 * 64 * 3, 7)};
  for (std::size_t k = 0; k < p.pixels.size(); ++k) p.pixels[k] = static_cast<std::uint8_t>(k * k >> 3);
  const std::string path = scratch("selvage_png_test_short.png");
  samples::write_png(path, p);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  CHECK_THROWS_WITH_AS(samples::read_png(path), doctest::Contains("as a PNG file: "), std::runtime_error);
  std::remove(path.c_str());
}

TEST_CASE("png: a folder that is not there is named") {
  const samples::picture p{1, 1, {1, 2, 3}};
  CHECK_THROWS_WITH_AS(samples::write_png("/nonexistent/x.png", p),
                       doctest::Contains("cannot write '/nonexistent/x.png': "), std::runtime_error);
}
