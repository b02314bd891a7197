// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for the offload plug-in: the cuda back end under that name.
#include "backends/back_ends.hpp"

extern "C" __attribute__((visibility("default"))) selvage::backend::provider* selvage_backend_v1() {
  return selvage::backend::cuda_provider();
}
