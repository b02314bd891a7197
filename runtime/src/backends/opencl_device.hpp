// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the devices of the opencl back end.
#pragma once

#include "opencl_api.hpp"

#include <selvage/runtime/backend.hpp>

#include <memory>

namespace selvage::inline v0::backend::opencl {

std::shared_ptr<device> make_device(const loader& cl, cl_platform_id platform, cl_device_id handle, description about,
                                    intake way, memory_model memory);

}  // namespace selvage::inline v0::backend::opencl
