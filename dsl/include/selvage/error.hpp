// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one exception of Selvage.
#pragma once

#include <stdexcept>
#include <string>

namespace selvage::inline v0 {

/// What kind of thing went wrong; the message says the rest.
enum class error_code {
  invalid_argument,   ///< a launch or a call was given something that it cannot take
  out_of_bounds,      ///< an index leaves its extent, before or during a launch
  overlap,            ///< arguments of a launch overlap and one is written
  out_of_memory,
  no_device,          ///< no such device, driver or back end
  no_plugin,          ///< a library that is opened at need cannot be
  unsupported,        ///< the device or target lacks what the kernel needs
  unknown_target,
  invalid_file,       ///< bytes are not what they should be
  device_failure,     ///< a driver's call failed
};

/// Thrown by the runtime's and the code generator's entry points. Lower case, no final period; says what was found, what
/// was expected and what to change.
class error : public std::runtime_error {
 public:
  error(error_code code, const std::string& message) : std::runtime_error(message), code_(code) {}
  error_code code() const noexcept { return code_; }

 private:
  error_code code_;
};

}  // namespace selvage::inline v0
