// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selvage: the language of kernels and the runtime.
#pragma once

#include <selvage/dsl.hpp>
#include <selvage/runtime.hpp>
