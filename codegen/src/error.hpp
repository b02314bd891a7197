// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's three ways to report an error (llvm::Error, diagnostics, fatal errors) as selvage::error, here and nowhere
// else.
#pragma once

#include <selvage/error.hpp>

#include "llvm.hpp"

#include <string>

namespace selvage::inline v0::codegen {

/// LLVM met what it takes for fatal. Its objects of this compilation are in an unknown state: they must not be
/// destroyed.
struct fatal_error : error {
  using error::error;
};

/// While one lives, a fatal error on its thread is thrown as fatal_error instead of ending the process. Fatal errors of
/// other users of LLVM in this process stay as they are.
class fatal_errors_thrown {
 public:
  fatal_errors_thrown();
  ~fatal_errors_thrown();
  fatal_errors_thrown(const fatal_errors_thrown&) = delete;
  fatal_errors_thrown& operator=(const fatal_errors_thrown&) = delete;
};

/// Collects the context's diagnostics, which would otherwise end the process if they are errors.
void collect_diagnostics(llvm::LLVMContext& context);
/// Throws selvage::error (unsupported) if an error was collected. `doing` says what was attempted.
void throw_if_diagnosed(llvm::LLVMContext& context, const std::string& doing);

/// Throws an llvm::Error as selvage::error.
[[noreturn]] void raise(error_code code, const std::string& doing, llvm::Error problem);

}  // namespace selvage::inline v0::codegen
