// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes pictures as PNG files, through libpng.
#pragma once

#include <png.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace samples {

/// Red, green and blue, 8 bits each, row by row from the top without gaps.
struct picture {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::uint8_t> pixels;  ///< rows * columns * 3
};

/// Any PNG file: grey, palette, 16 bits and interlacing are converted, transparency is laid on black.
/// Throws std::runtime_error with the file's name and libpng's reason.
inline picture read_png(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  picture result;
  png_color black{};
  if (png_image_begin_read_from_file(&image, path.c_str()) != 0) {
    image.format = PNG_FORMAT_RGB;
    result.rows = image.height;
    result.columns = image.width;
    result.pixels.resize(static_cast<std::size_t>(image.height) * image.width * 3);
    png_image_finish_read(&image, &black, result.pixels.data(), 0, nullptr);
  }
  const std::string reason = image.message;
  png_image_free(&image);
  if (PNG_IMAGE_FAILED(image)) throw std::runtime_error("cannot read '" + path + "' as a PNG file: " + reason);
  return result;
}

/// Throws std::runtime_error with the file's name and libpng's reason.
inline void write_png(const std::string& path, const picture& from) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(from.columns);
  image.height = static_cast<png_uint_32>(from.rows);
  image.format = PNG_FORMAT_RGB;
  png_image_write_to_file(&image, path.c_str(), 0, from.pixels.data(), 0, nullptr);
  if (PNG_IMAGE_FAILED(image)) throw std::runtime_error("cannot write '" + path + "': " + image.message);
}

}  // namespace samples
