// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue: work on a device, in order.
#pragma once

#include <selvage/runtime/device.hpp>
#include <selvage/runtime/event.hpp>
#include <selvage/runtime/export.hpp>

#include <memory>

namespace selvage::inline v0 {

/// Work put on one queue runs in order. Work on different queues may run at once, except that launches that conflict on
/// a buffer (one writes what the other uses) run in the order in which they were launched, whatever their queues and
/// devices. Raw device views are not watched: order launches on them by `wait`.
///
/// A handle; copying is cheap. Any member may be called from several threads at once; launches from several threads on
/// one queue run one after the other in some order. The last handle may be destroyed with work in flight.
class SELVAGE_RUNTIME_API queue {
 public:
  /// A new queue of the default device.
  queue() : queue(selvage::device()) {}
  explicit queue(const selvage::device& on);

  selvage::device device() const;

  /// Waits for everything put on this queue so far. Throws as event::wait does.
  void synchronise() const;

  /// What is put on this queue from now on starts after `e`, which may be of any queue or device.
  void wait(const event& e) const;

  /// The point after everything put on this queue so far.
  event record() const;

  friend bool operator==(const queue& a, const queue& b) { return a.state_ == b.state_; }

  explicit queue(std::shared_ptr<detail::queue_state> state) : state_(std::move(state)) {}
  const std::shared_ptr<detail::queue_state>& state() const { return state_; }

 private:
  std::shared_ptr<detail::queue_state> state_;
};

}  // namespace selvage::inline v0
