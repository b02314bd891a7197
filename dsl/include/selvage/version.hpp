// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of the library; the inline namespace `selvage::v0` carries the major one into every symbol.
#pragma once

#define SELVAGE_VERSION_MAJOR 0
#define SELVAGE_VERSION_MINOR 1
#define SELVAGE_VERSION_PATCH 0

/// Version as one number, `major * 10000 + minor * 100 + patch`, for `#if`.
#define SELVAGE_VERSION (SELVAGE_VERSION_MAJOR * 10000 + SELVAGE_VERSION_MINOR * 100 + SELVAGE_VERSION_PATCH)
