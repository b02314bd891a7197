// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device: where kernels run.
#pragma once

#include <selvage/error.hpp>
#include <selvage/runtime/backend.hpp>
#include <selvage/runtime/export.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace selvage::inline v0 {

class queue;
namespace detail {
class device_state;
}

/// What a device has been asked to do since the program started. Copies are those of buffers between host and device.
struct device_statistics {
  std::uint64_t launches = 0;  ///< device launches: one a kernel step that had something to do
  std::uint64_t copies_to_device = 0;
  std::uint64_t bytes_to_device = 0;
  std::uint64_t copies_to_host = 0;
  std::uint64_t bytes_to_host = 0;
  std::uint64_t allocations = 0;       ///< of device memory, ever
  std::uint64_t bytes_in_use = 0;      ///< of device memory, now
  std::uint64_t events = 0;            ///< made for another queue or for the host
  std::uint64_t synchronisations = 0;  ///< of the host with the device
  std::uint64_t kernels_loaded = 0;
};

/// A handle on a device; copying is cheap, and equal handles are the same device. Devices live until the program ends
/// (one from `own` as long as anything uses it), so handles, queues and buffers may be destroyed in any order. Any
/// member may be called from several threads at once.
class SELVAGE_RUNTIME_API device {
 public:
  /// The best device here: the first GPU, else the host. The environment variable SELVAGE_DEVICE overrides: `host`,
  /// `offload` (the first GPU), `offload:1`, `cuda` (the first NVIDIA GPU, by its driver alone), `null` (accepts
  /// everything and computes nothing). Throws no_device.
  device();

  /// By name, as in SELVAGE_DEVICE. Throws no_device, or no_plugin.
  explicit device(std::string_view name);

  /// All devices that compute, each once: the GPUs, then the host. `problems`, if given, gets a line for each back end
  /// that could not be used.
  static std::vector<device> all(std::vector<std::string>* problems = nullptr);

  /// As `all`, but a GPU that several back ends reach is there once for each, and is a device of its own in each: what
  /// selvage-info lists.
  static std::vector<device> all_by_every_back_end(std::vector<std::string>* problems = nullptr);

  /// A device through a back end of the caller's own.
  static device own(std::shared_ptr<backend::device> implementation, std::string name);

  std::string name() const;  ///< as SELVAGE_DEVICE takes it, such as "offload:1"
  const backend::description& describe() const;
  device_statistics statistics() const;

  /// The queue that launches on a device use: in order, one a device.
  queue default_queue() const;

  /// Waits for all work on all queues of this device. Throws as event::wait does.
  void synchronise() const;

  friend bool operator==(const device& a, const device& b) { return a.state_ == b.state_; }

  explicit device(std::shared_ptr<detail::device_state> state) : state_(std::move(state)) {}
  const std::shared_ptr<detail::device_state>& state() const { return state_; }

 private:
  std::shared_ptr<detail::device_state> state_;
};

}  // namespace selvage::inline v0
