// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The language of kernels: all of selvage/dsl/.
#pragma once

#include <selvage/dsl/atomics.hpp>
#include <selvage/dsl/builtins.hpp>
#include <selvage/dsl/domain.hpp>
#include <selvage/dsl/expr.hpp>
#include <selvage/dsl/folds.hpp>
#include <selvage/dsl/kernel.hpp>
#include <selvage/dsl/operators.hpp>
#include <selvage/dsl/scope.hpp>
#include <selvage/dsl/view.hpp>
#include <selvage/version.hpp>
