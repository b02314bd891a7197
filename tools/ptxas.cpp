// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code for NVIDIA GPUs by ptxas.
#include "ptxas.hpp"

#include "process.hpp"

#include <selvage/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

namespace tools {

std::string find_ptxas() {
  if (const char* named = std::getenv("SELVAGE_PTXAS"); named != nullptr) return is_program(named) ? named : "";
  if (const std::string found = find_program("ptxas"); !found.empty()) return found;
  const std::string usual = "/usr/local/cuda/bin/ptxas";
  return is_program(usual) ? usual : "";
}

void assemble(selvage::codegen::compiled_kernel& kernel, const std::string& ptxas) {
  const temporary_folder folder;
  const std::string from = folder / "kernel.ptx";
  const std::string to = folder / "kernel.cubin";
  std::ofstream(from, std::ios::binary)
      .write(reinterpret_cast<const char*>(kernel.code.data()), static_cast<std::streamsize>(kernel.code.size() - 1));
  const run_result ran = run_program({ptxas, "-O3", "-arch=" + kernel.recipe.target, "-o", to, from});
  if (ran.status != 0)
    throw selvage::error(selvage::error_code::unsupported,
                         fmt::format("kernel '{}' for {}: '{}' failed: {}", kernel.recipe.kernel, kernel.recipe.target,
                                     ptxas, ran.output));
  const std::string code = content_of(to);
  const auto* first = reinterpret_cast<const std::byte*>(code.data());
  kernel.code.assign(first, first + code.size());
  kernel.format = selvage::codegen::code_format::cubin;
}

}  // namespace tools
