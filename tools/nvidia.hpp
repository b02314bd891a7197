// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code for NVIDIA GPUs from PTX, by what is on this machine: NVIDIA's assembler, else a GPU's driver.
#pragma once

#include <selvage/codegen/recipe.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace tools {

class cuda_linker;

/// Assembles the PTX of bundles. Several threads may use one.
class nvidia_assembler {
 public:
  /// Takes what SELVAGE_PTXAS names, else ptxas on PATH, else in /usr/local/cuda, else the driver of a GPU here.
  /// SELVAGE_PTXAS that names no program: neither.
  nvidia_assembler();
  ~nvidia_assembler();
  nvidia_assembler(const nvidia_assembler&) = delete;
  nvidia_assembler& operator=(const nvidia_assembler&) = delete;

  /// Replaces PTX for one architecture by machine code; leaves other code alone, and PTX that the driver cannot
  /// assemble. Throws selvage::error (unsupported) with ptxas's own text.
  void assemble(selvage::codegen::compiled_kernel& kernel) const;

  /// What makes the machine code, for the key of a cache.
  const std::string& maker() const { return maker_; }

  /// A target and what kind of code it got: "sm_90 (machine code)", "sm_90 (PTX: ...)", "ptx (PTX)".
  std::string describe(std::string_view target, selvage::codegen::code_format format) const;

 private:
  std::string maker_;  ///< path of ptxas, or the driver's name; empty if there is neither
  std::unique_ptr<cuda_linker> driver_;
};

}  // namespace tools
