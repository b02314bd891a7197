// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A point in a queue's work that can be waited for.
#pragma once

#include <selvage/runtime/export.hpp>

#include <cstdint>
#include <memory>

namespace selvage::inline v0 {

namespace detail {
class queue_state;
}

/// What a launch returns: the point after it in its queue. Copying is cheap; a default-constructed event has passed.
/// Any member may be called from several threads at once.
class SELVAGE_RUNTIME_API event {
 public:
  event() = default;
  event(std::shared_ptr<detail::queue_state> queue, std::uint64_t sequence);

  /// Waits until everything before this point has finished. Throws what a launch before it recorded and nobody has been
  /// told yet: out_of_bounds for an access that left its array.
  void wait() const;

  /// Whether everything before this point has finished. Never throws because of a fault: `wait` does.
  bool done() const;

  const std::shared_ptr<detail::queue_state>& state() const { return queue_; }
  std::uint64_t sequence() const { return sequence_; }

 private:
  std::shared_ptr<detail::queue_state> queue_;
  std::uint64_t sequence_ = 0;
};

}  // namespace selvage::inline v0
