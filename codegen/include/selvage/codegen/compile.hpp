// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code generator's door: images in, machine code and launch recipes out. It is a plug-in, opened at first need.
#pragma once

#include <selvage/codegen/recipe.hpp>
#include <selvage/ir/image.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace selvage::inline v0::codegen {

/// What `generator::emit` prints.
enum class emission : std::uint8_t {
  llvm,      ///< LLVM IR after optimisation
  llvm_raw,  ///< LLVM IR as emitted, before optimisation
  assembly,  ///< the target's own text: PTX, x86 assembly
};

/// The interface of the plug-in. Safe to use from several threads.
class generator {
 public:
  virtual ~generator() = default;

  /// Compiles one kernel. `target` is an architecture: "host" (this machine), "x86-64", "x86-64-v3", ..., "sm_80", ...
  /// Throws selvage::error: unknown_target, or unsupported (the kernel needs what the target lacks).
  virtual compiled_kernel compile(const ir::image_view& image, std::string_view target, variant v) = 0;

  /// The text of one stage; `annotated`, with comments that name the node of the image that each part comes from.
  /// Throws as compile does.
  virtual std::string emit(const ir::image_view& image, std::string_view target, variant v, emission what,
                           bool annotated = false) = 0;

  /// The variants that a bundle should have for a target, so that every launch finds one whose assumptions hold.
  virtual std::vector<variant> variants(std::string_view target) const = 0;

  /// An object file for this machine with these kernels as LLVM OffloadBinary images, which registers them with the
  /// runtime before main (bundle.hpp).
  virtual std::vector<std::byte> object_with(std::span<const compiled_kernel> kernels) = 0;

  /// Names of all targets, for messages and `--help`.
  virtual std::vector<std::string> targets() const = 0;

  /// Identifies compiler and options: part of the key of every cache.
  virtual std::string version() const = 0;
};

/// The plug-in's one C symbol: `generator* selvage_codegen_v1()`; the object lives as long as the plug-in.
inline constexpr const char* plugin_symbol = "selvage_codegen_v1";
using plugin_function = generator* (*)();

}  // namespace selvage::inline v0::codegen
