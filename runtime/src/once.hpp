// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that is done once, and tried again if it throws.
#pragma once

#include <atomic>
#include <mutex>

namespace selvage::inline v0::detail {

/// As std::call_once, which ThreadSanitizer makes a deadlock of when the work throws.
class once {
 public:
  template <class Work>
  void operator()(Work&& work) {
    if (done_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    work();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> done_ = false;
};

}  // namespace selvage::inline v0::detail
