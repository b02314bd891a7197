// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which code runs on which NVIDIA GPU, for the back ends that drive them.
#pragma once

#include <selvage/codegen/recipe.hpp>

#include <charconv>
#include <string_view>

namespace selvage::inline v0::backend {

/// The number of "sm_90"; 0 of other names, and of those whose code is for one GPU alone, such as "sm_90a".
inline int compute_capability(std::string_view name) {
  if (!name.starts_with("sm_")) return 0;
  name.remove_prefix(3);
  int number = 0;
  const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), number);
  return status == std::errc() && end == name.data() + name.size() ? number : 0;
}

/// backend::device::suits: machine code runs on later GPUs of its generation (CUDA C++ Programming Guide, "Binary
/// Compatibility"), PTX on all later ones, and is compiled anew by the driver.
inline int nvidia_suits(std::string_view architecture, std::string_view target, codegen::code_format format) {
  const bool machine_code = format == codegen::code_format::cubin;
  if (!machine_code && format != codegen::code_format::ptx) return 0;
  if (target == architecture) return machine_code ? 1000 : 900;
  if (target == "ptx") return 1;
  const int here = compute_capability(architecture);
  const int there = compute_capability(target);
  if (here == 0 || there == 0 || there > here) return 0;
  if (machine_code) return there / 10 == here / 10 ? 1000 - (here - there) : 0;
  return here - there < 890 ? 891 - (here - there) : 1;
}

}  // namespace selvage::inline v0::backend
