// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a test sees and decides of the stand-in for NVIDIA's driver (fake_cuda.cpp).
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace selvage::test {

struct fake_cuda {
  std::recursive_mutex mutex;
  std::vector<std::string> log;         ///< the calls that put work somewhere, in their order
  std::map<std::string, int> failures;  ///< these functions return this code and do nothing
  int devices = 2;
  std::size_t memory_bytes = 1 << 20;                                 ///< of each device
  std::size_t contexts = 0;                                           ///< primary contexts that were made
  std::size_t allocations = 0, streams = 0, events = 0, modules = 0;  ///< that are alive
  std::size_t foreign_frees = 0;  ///< of what was never given out, or without a context
};

}  // namespace selvage::test

/// Its one symbol besides the driver's own.
using fake_cuda_function = selvage::test::fake_cuda* (*)();
