// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundles: kernels compiled ahead of time for several targets, linked into the program. A bundle is a row of LLVM
// OffloadBinary images (llvm/Object/OffloadBinary.h, version 1), each the machine code of one variant of one kernel with
// its launch recipe among the strings. Reading needs no LLVM.
#pragma once

#include <selvage/codegen/recipe.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace selvage::inline v0::codegen {

/// One image of a bundle, seen: what is asked of it before it is chosen. Does not own.
struct bundled_kernel {
  std::string_view kernel;  ///< its name
  std::uint64_t content_hash = 0;
  std::string_view target;  ///< as asked for, such as "sm_90"
  codegen::variant assumes;
  code_format format = code_format::shared_object;
  std::string_view recipe;  ///< serialised, in hexadecimal digits
  std::span<const std::byte> code;
};

/// The images of a bundle, in its order; padding between them is passed over. No byte outside the span is read, whatever
/// the bytes say. Throws selvage::error (invalid_file) that says what is wrong where.
std::vector<bundled_kernel> read_bundle(std::span<const std::byte> bytes);

/// The whole of one image. Throws selvage::error (invalid_file) if its recipe is damaged or belongs to another image.
compiled_kernel unpack(const bundled_kernel& image);

/// The keys of the strings that describe an image; "triple" and "arch" are LLVM's.
namespace bundle_key {
inline constexpr std::string_view triple = "triple";
inline constexpr std::string_view target = "arch";
inline constexpr std::string_view kernel = "selvage.kernel";
inline constexpr std::string_view content_hash = "selvage.hash";  ///< 16 hexadecimal digits
inline constexpr std::string_view variant = "selvage.variant";    ///< its key, in decimal digits
inline constexpr std::string_view format = "selvage.format";      ///< code_format, in decimal digits
inline constexpr std::string_view recipe = "selvage.recipe";
}  // namespace bundle_key

/// The C function of the runtime that a bundle's object file calls before main: (first byte, number of bytes).
inline constexpr const char* register_symbol = "selvage_register_bundle_v1";

}  // namespace selvage::inline v0::codegen
