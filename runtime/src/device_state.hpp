// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime knows of a device: its back end's object, its memory, its queues and its loaded kernels.
#pragma once

#include <selvage/error.hpp>
#include <selvage/runtime/backend.hpp>
#include <selvage/runtime/device.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace selvage::inline v0::detail {

class kernel_cache;
class queue_state;

class device_state : public std::enable_shared_from_this<device_state> {
 public:
  /// `provider` tells which devices can wait for each other's events; null: none but itself.
  device_state(std::shared_ptr<backend::device> implementation, std::string name, const void* provider);
  device_state(const device_state&) = delete;
  device_state& operator=(const device_state&) = delete;
  ~device_state();

  backend::device& back_end() const { return *implementation_; }
  const backend::description& describe() const { return implementation_->describe(); }
  bool shares_host_memory() const { return describe().shares_host_memory; }
  const std::string& name() const { return name_; }
  /// Never used twice, so that a cache may hold it without holding the device.
  std::uint64_t identity() const { return identity_; }
  bool can_wait_for(const device_state& other) const {
    return this == &other || (provider_ != nullptr && provider_ == other.provider_);
  }

  /// Device memory. When there is none left, waits for memory that is given up but still in use, and tries again.
  /// `purpose` ends the sentence of the error: "for argument 0 of kernel 'daxpy'".
  void* allocate(std::uint64_t bytes, const std::string& purpose);
  void free(void* memory, std::uint64_t bytes) noexcept;

  std::shared_ptr<queue_state> default_queue();
  std::shared_ptr<queue_state> new_queue();
  /// All queues in use.
  std::vector<std::shared_ptr<queue_state>> queues();

  kernel_cache& kernels() { return *kernels_; }

  struct counters {
    std::atomic<std::uint64_t> launches{0}, copies_to_device{0}, bytes_to_device{0}, copies_to_host{0},
        bytes_to_host{0}, allocations{0}, bytes_in_use{0}, events{0}, synchronisations{0}, kernels_loaded{0};
  };
  counters& count() { return counters_; }
  device_statistics statistics() const;

 private:
  std::shared_ptr<backend::device> implementation_;
  std::string name_;
  const void* provider_;
  std::uint64_t identity_;
  counters counters_;
  std::mutex mutex_;
  std::unique_ptr<queue_state> default_queue_;
  std::vector<std::weak_ptr<queue_state>> queues_;
  std::unique_ptr<kernel_cache> kernels_;
};

inline void add(std::atomic<std::uint64_t>& counter, std::uint64_t n = 1) {
  counter.fetch_add(n, std::memory_order_relaxed);
}

}  // namespace selvage::inline v0::detail
