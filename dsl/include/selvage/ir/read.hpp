// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images from bytes: one image in memory, or all images in a file of any kind.
#pragma once

#include <selvage/ir/image.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace selvage::inline v0::ir {

/// The image that begins at the first of these bytes; more may follow. Nothing is copied: the view is of these bytes,
/// which must be 8-aligned. Everything is checked: magic, version, length, checksum, content hash and structure.
/// Throws selvage::error (invalid_file) that says what is wrong.
image_view read_image(std::span<const std::byte> bytes);

/// The bytes of an image, as read_image takes them (a vector's bytes are aligned).
std::vector<std::byte> write_image(const image_view& image);

/// An image that was found in a file. Copies share the image's bytes, which live as long as one of them does.
struct found_image {
  std::string name;          ///< the kernel's; followed by \#HASH if kernels with other content have the same name
  std::uint64_t offset = 0;  ///< where it was found first, in bytes
  image_view image;
  std::shared_ptr<const std::vector<std::byte>> storage;
};

/// All images in an object file, archive, executable or anything else, each content once, in order of appearance.
/// `file_name` is for messages. Throws selvage::error (invalid_file): an image is damaged or of a newer format, or the
/// file was made for link-time optimisation and holds no images yet. A file without images is no error.
std::vector<found_image> find_images(std::span<const std::byte> file, std::string_view file_name);

}  // namespace selvage::inline v0::ir
