// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executors that need no device: the interpreter, and code for the host from the code generator.
#pragma once

#include "launch_case.hpp"

namespace selvage::test {

/// Throws std::runtime_error if the interpreter finds a problem: then the case is wrong.
outcome interpreted(const launch_case& one, const codegen::variant& v);

/// Compiles for the host and runs it in two halves of the fastest axis.
outcome on_host(const launch_case& one, const codegen::variant& v);

}  // namespace selvage::test
