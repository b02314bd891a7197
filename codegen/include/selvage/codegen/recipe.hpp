// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch recipe: how to launch a compiled kernel, step by step, as plain data without any trace of LLVM. The
// runtime follows it; the JIT, the cache and bundles store it beside the machine code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace selvage::inline v0::codegen {

/// What a compiled kernel assumes. The launch chooses a variant whose assumptions hold.
struct variant {
  bool guarded = true;  ///< launch-decidable accesses are checked in the kernel; otherwise the launch has proved them
  bool contiguous = false;  ///< every view is row-major without gaps; otherwise strides are read
  bool wide_grid = false;   ///< work-items loop over the axes but the fastest, since the device's grid does not reach
  bool contract = true;     ///< a * b + c may be rounded once
  bool narrow = false;      ///< addresses are computed in 32 bits: extents and distances are at most greatest_narrow

  /// In elements. So much less than 2^31 that a distance without its literal parts is below 2^31 as well.
  static constexpr std::int64_t greatest_narrow = (std::int64_t{1} << 31) - 8192;

  constexpr std::uint32_t key() const {
    return guarded * 1U + contiguous * 2U + wide_grid * 4U + contract * 8U + narrow * 16U;
  }
  static constexpr variant from_key(std::uint32_t key) {
    return {(key & 1) != 0, (key & 2) != 0, (key & 4) != 0, (key & 8) != 0, (key & 16) != 0};
  }
  friend bool operator==(const variant&, const variant&) = default;
};

/// A size that depends on the launch: an expression in postfix order, so that the last row is the value.
/// Arithmetic is in signed 64 bits; ceil_divide rounds up.
struct size_expression {
  enum class code : std::uint8_t {
    literal,
    domain_extent,
    parameter_extent,
    add,
    multiply,
    ceil_divide,
    minimum,
    maximum
  };
  struct row {
    code op = code::literal;
    std::uint32_t a = 0;     ///< domain_extent: axis; parameter_extent: parameter; else a row before this one
    std::uint32_t b = 0;     ///< parameter_extent: dimension; else a row before this one
    std::int64_t value = 0;  ///< of a literal
    friend bool operator==(const row&, const row&) = default;
  };
  std::vector<row> rows;

  friend bool operator==(const size_expression&, const size_expression&) = default;
};

/// One field of a launch's argument block.
struct argument_slot {
  enum class source : std::uint8_t {
    pointer,        ///< parameter's first element, 8 bytes
    extent,         ///< of parameter, dimension, int64
    stride,         ///< of parameter, dimension, in elements, int64
    value,          ///< the scalar, in its own type (bool: one byte, 0 or 1)
    domain_extent,  ///< of axis `dimension`, int64
    fault,          ///< pointer to the launch's ir::fault_record
    scratch,        ///< pointer to scratch memory number `parameter`
  };
  source from = source::pointer;
  std::uint32_t parameter = 0;
  std::uint32_t dimension = 0;
  std::uint32_t offset = 0;  ///< in the block, in bytes
  std::uint32_t size = 8;    ///< in bytes
  friend bool operator==(const argument_slot&, const argument_slot&) = default;
};

/// One step of a launch. Steps run one after the other on the launch's queue.
struct step {
  enum class kind : std::uint8_t {
    kernel,  ///< launch `entry` over `grid` groups of `group` work-items, x (index 0) fastest
    clear,   ///< set all bytes of scratch memory number `scratch` to `fill`
  };
  kind what = kind::kernel;
  std::string entry;
  std::array<size_expression, 3> grid;  ///< in groups; a zero means that there is nothing to launch
  std::array<std::uint32_t, 3> group{1, 1, 1};
  std::uint32_t shared_bytes = 0;
  std::uint32_t block_bytes = 0;  ///< size of the argument block
  std::vector<argument_slot> slots;
  std::uint32_t scratch = 0;
  std::uint8_t fill = 0;
  friend bool operator==(const step&, const step&) = default;
};

/// How to launch one variant of one kernel on one target.
struct launch_recipe {
  std::string kernel;              ///< its name
  std::uint64_t content_hash = 0;  ///< of its image
  std::string target;              ///< as asked for, such as "sm_90" or "x86-64-v3"
  codegen::variant assumes;
  std::vector<size_expression> scratch;  ///< bytes of each scratch memory, device memory that lives for the launch
  std::vector<step> steps;
  friend bool operator==(const launch_recipe&, const launch_recipe&) = default;
};

/// What the machine code is.
enum class code_format : std::uint8_t {
  shared_object,  ///< ELF shared object for the host; entry(const void* block, const int64_t begin[3], const int64_t
                  ///< end[3])
  ptx,            ///< text, zero-terminated
  cubin,
  code_object,  ///< ELF shared object for one AMD architecture
  spirv,        ///< module for OpenCL
};
inline constexpr code_format last_code_format = code_format::spirv;

/// A compiled kernel: all that a launch needs.
struct compiled_kernel {
  launch_recipe recipe;
  code_format format = code_format::shared_object;
  std::vector<std::byte> code;
  friend bool operator==(const compiled_kernel&, const compiled_kernel&) = default;
};

/// A compiled kernel as bytes (little-endian, versioned, checksummed), and back. Throws selvage::error (invalid_file)
/// that says what is wrong with the bytes.
std::vector<std::byte> serialise(const compiled_kernel& kernel);
compiled_kernel deserialise(std::span<const std::byte> bytes);

}  // namespace selvage::inline v0::codegen
