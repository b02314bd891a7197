// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The back ends that are part of the runtime's own library.
#pragma once

#include <selvage/runtime/backend.hpp>

namespace selvage::inline v0::backend {

provider* cuda_provider();
provider* host_provider();
provider* null_provider();
provider* opencl_provider();

}  // namespace selvage::inline v0::backend
