// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a queue knows: how far its work has come, which launches may still report a fault, and which did.
#pragma once

#include "device_state.hpp"

#include <selvage/ir/fault.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace selvage::inline v0::detail {

struct loaded_kernel;

/// Why a launch's results are not valid.
struct failure {
  std::uint64_t sequence = 0;
  error_code code = error_code::out_of_bounds;
  std::string message;
};

/// Work is numbered from 1 in the order in which it is put on the queue. Nothing of the device is asked for it, until
/// somebody must know how far the queue has come: only then an event is made.
class queue_state : public std::enable_shared_from_this<queue_state> {
 public:
  /// The device's own queue if `keep` is null, else one that keeps its device alive.
  queue_state(device_state& device, std::shared_ptr<device_state> keep);
  queue_state(const queue_state&) = delete;
  queue_state& operator=(const queue_state&) = delete;
  ~queue_state();  // waits for work in flight

  device_state& device() const { return device_; }
  /// A handle that keeps this queue.
  std::shared_ptr<queue_state> self();
  std::uint64_t submitted() const { return submitted_.load(std::memory_order_relaxed); }
  bool known_complete(std::uint64_t sequence) const { return completed_.load(std::memory_order_acquire) >= sequence; }

  /// Puts work on the queue: `work` gets the back end's queue; nothing else is put on it meanwhile. Returns its number.
  template <class Work>
  std::uint64_t submit(Work&& work) {
    const std::lock_guard lock(mutex_);
    work(back_end_queue_);
    return advance();
  }

  /// A launch, which may need a fault record and scratch memory: `prepare` has been called with the same needs. `work`
  /// gets the back end's queue, the record (or null) and the addresses of the scratch memory.
  struct launch_needs {
    const loaded_kernel* kernel = nullptr;
    bool fault_record = false;
    std::span<const std::uint64_t> scratch_bytes;
  };
  template <class Work>
  std::uint64_t submit(const launch_needs& needs, Work&& work) {
    const std::lock_guard lock(mutex_);
    ir::fault_record* record = needs.fault_record ? free_record() : nullptr;
    try {
      work(back_end_queue_, record, std::span<void* const>(scratch_));
    } catch (...) {
      // Some steps may be in flight already: count them, so that what they use is waited for.
      const std::uint64_t sequence = advance();
      if (record != nullptr) watch(sequence, needs.kernel, record);
      throw;
    }
    const std::uint64_t sequence = advance();
    if (record != nullptr) watch(sequence, needs.kernel, record);
    return sequence;
  }

  /// Makes sure that a launch will have what it needs, so that it cannot fail for want of memory later on.
  void prepare(const launch_needs& needs);

  /// Work put on this queue from now on starts after work `sequence` of `other`. Waits on the host if the two devices
  /// cannot wait for each other.
  void wait_for(queue_state& other, std::uint64_t sequence);

  /// Whether work `sequence` has finished. Does not wait.
  bool complete(std::uint64_t sequence);

  /// Waits on the host for work `sequence`, and throws the first failure among the work up to it that nobody has been
  /// told yet.
  void synchronise(std::uint64_t sequence);
  /// The same without throwing failures; they stay to be told.
  void await(std::uint64_t sequence);

  /// How work `sequence`, known to be complete, failed.
  std::optional<failure> failure_of(std::uint64_t sequence);

 private:
  struct mark {
    std::uint64_t sequence;
    std::shared_ptr<backend::event> event;
  };
  struct watched {
    std::uint64_t sequence;
    const loaded_kernel* kernel;
    ir::fault_record* record;
  };
  struct foreign {
    const queue_state* queue;
    std::uint64_t identity;
    std::uint64_t sequence;
  };

  std::uint64_t advance() {
    const std::uint64_t next = submitted_.load(std::memory_order_relaxed) + 1;
    submitted_.store(next, std::memory_order_relaxed);
    return next;
  }
  ir::fault_record* free_record();
  void watch(std::uint64_t sequence, const loaded_kernel* kernel, ir::fault_record* record) {
    watched_.push_back({sequence, kernel, record});
  }
  /// An event after work `sequence`; null if that is known to be complete.
  mark mark_after(std::uint64_t sequence);
  mark mark_after_locked(std::uint64_t sequence);
  void completed_up_to(std::uint64_t sequence);
  void completed_up_to_locked(std::uint64_t sequence);

  device_state& device_;
  std::shared_ptr<device_state> keep_;
  std::uint64_t identity_;
  std::mutex mutex_;
  backend::queue* back_end_queue_;
  std::atomic<std::uint64_t> submitted_{0};
  std::atomic<std::uint64_t> completed_{0};
  std::vector<mark> marks_;          // by sequence
  std::vector<foreign> waited_for_;  // what this queue already starts after
  std::vector<watched> watched_;     // by sequence
  std::vector<ir::fault_record*> free_records_;
  std::vector<ir::fault_record*> record_slabs_;
  std::vector<void*> scratch_;
  std::vector<std::uint64_t> scratch_bytes_;
  std::vector<failure> failures_;  // all, by sequence
  std::uint64_t told_ = 0;         // failures up to here have been thrown
};

/// A piece of work, by queue and number.
struct use {
  std::shared_ptr<queue_state> queue;
  std::uint64_t sequence = 0;

  /// Known to be over, without asking the device. Lets go of the queue if so.
  bool over() {
    if (!queue) return true;
    if (!queue->known_complete(sequence)) return false;
    queue.reset();
    return true;
  }
};

}  // namespace selvage::inline v0::detail
