// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// selvagec --bundle: every kernel for every target, in an object file.
#pragma once

#include "kernel_files.hpp"

#include <selvage/codegen/compile.hpp>

#include <string>
#include <vector>

namespace tools {

struct bundle_request {
  std::vector<std::string> targets;
  std::string output;    ///< the object file; compiled kernels are kept beside it, in the folder OUTPUT.cache
  unsigned threads = 0;  ///< 0: one a core
};

/// Compiles what is not in the folder of compiled kernels, writes the object file, and tells what was done in a few
/// lines. Throws selvage::error: a target is unknown or cannot run a kernel, a file cannot be written.
std::string make_bundle(const kernel_files& kernels, const bundle_request& request,
                        selvage::codegen::generator& generator);

}  // namespace tools
