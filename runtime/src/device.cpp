// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, queues and events: what stands behind the public handles.
#include <selvage/runtime/device.hpp>

#include "device_state.hpp"
#include "given_up.hpp"
#include "kernel_cache.hpp"
#include "registry.hpp"

#include <selvage/runtime/event.hpp>
#include <selvage/runtime/queue.hpp>

#include <fmt/format.h>

namespace selvage::inline v0 {
namespace detail {
namespace {
std::atomic<std::uint64_t> next_identity{1};
}

device_state::device_state(std::shared_ptr<backend::device> implementation, std::string name, const void* provider)
    : implementation_(std::move(implementation)),
      name_(std::move(name)),
      provider_(provider),
      identity_(next_identity.fetch_add(1, std::memory_order_relaxed)),
      kernels_(std::make_unique<kernel_cache>(*this)) {}

device_state::~device_state() {
  default_queue_.reset();  // waits for work in flight, before its kernels go
  kernels_.reset();
}

void* device_state::allocate(std::uint64_t bytes, const std::string& purpose) {
  free_given_up();
  for (bool last = false;; last = true) {
    try {
      void* memory = implementation_->allocate(bytes, backend::memory::device);
      add(counters_.allocations);
      add(counters_.bytes_in_use, bytes);
      return memory;
    } catch (const error& e) {
      if (e.code() != error_code::out_of_memory) throw;
      if (!last && free_given_up_of(*this)) continue;
      throw error(
          error_code::out_of_memory,
          fmt::format("device '{}' ({}) has no {} bytes left {}: {} of its {} bytes are in use by this program's "
                      "buffers; destroy some, or work on smaller pieces ({})",
                      name_, describe().name, bytes, purpose, counters_.bytes_in_use.load(std::memory_order_relaxed),
                      describe().memory_bytes, e.what()));
    }
  }
}

void device_state::free(void* memory, std::uint64_t bytes) noexcept {
  if (memory == nullptr) return;
  implementation_->free(memory, backend::memory::device);
  counters_.bytes_in_use.fetch_sub(bytes, std::memory_order_relaxed);
}

std::shared_ptr<queue_state> device_state::default_queue() {
  const std::lock_guard lock(mutex_);
  if (!default_queue_) default_queue_ = std::make_unique<queue_state>(*this, nullptr);
  return {shared_from_this(), default_queue_.get()};
}

std::shared_ptr<queue_state> device_state::new_queue() {
  auto q = std::make_shared<queue_state>(*this, shared_from_this());
  const std::lock_guard lock(mutex_);
  std::erase_if(queues_, [](const std::weak_ptr<queue_state>& w) { return w.expired(); });
  queues_.push_back(q);
  return q;
}

std::vector<std::shared_ptr<queue_state>> device_state::queues() {
  std::vector<std::shared_ptr<queue_state>> all{default_queue()};
  const std::lock_guard lock(mutex_);
  for (const auto& w : queues_)
    if (auto q = w.lock()) all.push_back(std::move(q));
  return all;
}

device_statistics device_state::statistics() const {
  const auto get = [](const std::atomic<std::uint64_t>& c) { return c.load(std::memory_order_relaxed); };
  const counters& c = counters_;
  return {.launches = get(c.launches),
          .copies_to_device = get(c.copies_to_device),
          .bytes_to_device = get(c.bytes_to_device),
          .copies_to_host = get(c.copies_to_host),
          .bytes_to_host = get(c.bytes_to_host),
          .allocations = get(c.allocations),
          .bytes_in_use = get(c.bytes_in_use),
          .events = get(c.events),
          .synchronisations = get(c.synchronisations),
          .kernels_loaded = get(c.kernels_loaded)};
}

}  // namespace detail

device::device() : state_(detail::default_device()) {}
device::device(std::string_view name) : state_(detail::device_by_name(name, "the device's name")) {}

std::vector<device> device::all(std::vector<std::string>* problems) {
  std::vector<device> devices;
  for (auto& state : detail::all_devices(problems, false)) devices.emplace_back(std::move(state));
  return devices;
}

std::vector<device> device::all_by_every_back_end(std::vector<std::string>* problems) {
  std::vector<device> devices;
  for (auto& state : detail::all_devices(problems, true)) devices.emplace_back(std::move(state));
  return devices;
}

device device::own(std::shared_ptr<backend::device> implementation, std::string name) {
  return device(std::make_shared<detail::device_state>(std::move(implementation), std::move(name), nullptr));
}

std::string device::name() const {
  return state_->name();
}
const backend::description& device::describe() const {
  return state_->describe();
}
device_statistics device::statistics() const {
  return state_->statistics();
}
queue device::default_queue() const {
  return queue(state_->default_queue());
}

void device::synchronise() const {
  // Every queue is waited for before the first failure is thrown.
  const auto queues = state_->queues();
  for (const auto& q : queues) q->await(q->submitted());
  for (const auto& q : queues) q->synchronise(q->submitted());
}

queue::queue(const selvage::device& on) : state_(on.state()->new_queue()) {}
device queue::device() const {
  return selvage::device(state_->device().shared_from_this());
}
void queue::synchronise() const {
  state_->synchronise(state_->submitted());
}
event queue::record() const {
  return {state_, state_->submitted()};
}
void queue::wait(const event& e) const {
  if (e.state()) state_->wait_for(*e.state(), e.sequence());
}

event::event(std::shared_ptr<detail::queue_state> queue, std::uint64_t sequence)
    : queue_(std::move(queue)), sequence_(sequence) {}
void event::wait() const {
  if (queue_) queue_->synchronise(sequence_);
}
bool event::done() const {
  return !queue_ || queue_->known_complete(sequence_) || queue_->complete(sequence_);
}

}  // namespace selvage::inline v0
