// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The back ends that there are, and the devices they have.
#pragma once

#include "device_state.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace selvage::inline v0::detail {

/// A device by its name: "host", "offload", "offload:1", "cuda", "opencl", "null". `source` tells where the name stands, for the
/// message. Throws no_device or no_plugin.
std::shared_ptr<device_state> device_by_name(std::string_view name, std::string_view source);

/// What SELVAGE_DEVICE says, else the best one.
std::shared_ptr<device_state> default_device();

/// Those that compute, the best first. A device that several back ends reach is there once, or once for each.
std::vector<std::shared_ptr<device_state>> all_devices(std::vector<std::string>* problems, bool by_every_back_end);

}  // namespace selvage::inline v0::detail
