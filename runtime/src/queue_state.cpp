// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a queue's work has come, and what its launches reported.
#include "queue_state.hpp"

#include "given_up.hpp"
#include "kernel_cache.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace selvage::inline v0::detail {
namespace {

/// Launches that may fault and are not known to be over. More would let the list grow without bound when the host never
/// waits; at this many it waits for half of them.
constexpr std::size_t most_watched = 1024;
constexpr std::size_t records_in_a_slab = 64;

std::atomic<std::uint64_t> next_identity{1};

}  // namespace

queue_state::queue_state(device_state& device, std::shared_ptr<device_state> keep)
    : device_(device),
      keep_(std::move(keep)),
      identity_(next_identity.fetch_add(1, std::memory_order_relaxed)),
      back_end_queue_(device.back_end().open_queue()) {}

queue_state::~queue_state() {
  backend::device& back_end = device_.back_end();
  try {
    if (!known_complete(submitted())) back_end.synchronise(back_end_queue_);
  } catch (...) {  // the device is lost: nothing runs there any more
  }
  marks_.clear();
  for (ir::fault_record* slab : record_slabs_) back_end.free(slab, backend::memory::mapped);
  for (std::size_t k = 0; k < scratch_.size(); ++k) device_.free(scratch_[k], scratch_bytes_[k]);
  back_end.close_queue(back_end_queue_);
}

ir::fault_record* queue_state::free_record() {
  if (free_records_.empty() && watched_.size() >= most_watched) {
    const mark half = mark_after_locked(watched_[watched_.size() / 2].sequence);
    if (half.event) device_.back_end().synchronise(half.event.get());
    completed_up_to_locked(half.sequence);
  }
  if (free_records_.empty()) {
    void* memory = device_.back_end().allocate(records_in_a_slab * sizeof(ir::fault_record), backend::memory::mapped);
    std::memset(memory, 0, records_in_a_slab * sizeof(ir::fault_record));
    auto* slab = static_cast<ir::fault_record*>(memory);
    record_slabs_.push_back(slab);
    for (std::size_t k = 0; k < records_in_a_slab; ++k) free_records_.push_back(slab + k);
  }
  ir::fault_record* record = free_records_.back();
  free_records_.pop_back();
  return record;
}

std::shared_ptr<queue_state> queue_state::self() {
  // The device's own queue has no owner but the device.
  return keep_ ? shared_from_this() : std::shared_ptr<queue_state>(device_.shared_from_this(), this);
}

void queue_state::prepare(const launch_needs& needs) {
  std::size_t k = 0;
  std::unique_lock lock(mutex_);
  if (needs.fault_record) free_records_.push_back(free_record());
  while (k < needs.scratch_bytes.size()) {
    if (scratch_.size() <= k) scratch_.push_back(nullptr), scratch_bytes_.push_back(0);
    const std::uint64_t bytes = std::max<std::uint64_t>(needs.scratch_bytes[k], 8);
    if (scratch_bytes_[k] >= bytes) {
      ++k;
      continue;
    }
    // Allocating may wait for this very queue, so not under its lock.
    lock.unlock();
    void* memory = device_.allocate(bytes, "for the scratch memory of kernel '" + needs.kernel->recipe.kernel + "'");
    lock.lock();
    given_up_memory old{device_.shared_from_this(), memory, bytes, {}};
    if (scratch_bytes_[k] < bytes) {
      // Launches in flight may still use what is replaced.
      std::swap(scratch_[k], old.memory), std::swap(scratch_bytes_[k], old.bytes);
      old.uses.push_back({self(), submitted()});
    }
    lock.unlock();
    give_up(std::move(old));
    lock.lock();
  }
}

queue_state::mark queue_state::mark_after(std::uint64_t sequence) {
  const std::lock_guard lock(mutex_);
  return mark_after_locked(sequence);
}

queue_state::mark queue_state::mark_after_locked(std::uint64_t sequence) {
  if (known_complete(sequence)) return {sequence, nullptr};
  for (const mark& m : marks_)
    if (m.sequence >= sequence) return m;
  backend::device& back_end = device_.back_end();
  const std::shared_ptr<backend::event> event(back_end.record(back_end_queue_),
                                              [&back_end](backend::event* e) { back_end.release(e); });
  add(device_.count().events);
  marks_.push_back({submitted(), event});
  return marks_.back();
}

void queue_state::wait_for(queue_state& other, std::uint64_t sequence) {
  if (&other == this || other.known_complete(sequence)) return;
  const auto same = [&](const foreign& f) { return f.queue == &other && f.identity == other.identity_; };
  {
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(waited_for_.begin(), waited_for_.end(), same);
    if (known != waited_for_.end() && known->sequence >= sequence) return;
  }
  if (!device_.can_wait_for(other.device_)) {
    other.await(sequence);
    return;
  }
  const mark reached = other.mark_after(sequence);
  if (!reached.event) return;
  const std::lock_guard lock(mutex_);
  device_.back_end().wait(back_end_queue_, reached.event.get());
  const auto known = std::find_if(waited_for_.begin(), waited_for_.end(), same);
  if (known != waited_for_.end()) {
    known->sequence = std::max(known->sequence, reached.sequence);
  } else {
    if (waited_for_.size() >= 16) waited_for_.erase(waited_for_.begin());
    waited_for_.push_back({&other, other.identity_, reached.sequence});
  }
}

bool queue_state::complete(std::uint64_t sequence) {
  const mark reached = mark_after(sequence);
  if (!reached.event) return true;
  if (!device_.back_end().done(reached.event.get())) return false;
  completed_up_to(reached.sequence);
  return true;
}

void queue_state::await(std::uint64_t sequence) {
  if (known_complete(sequence)) return;
  mark reached{0, nullptr};
  {
    const std::lock_guard lock(mutex_);
    const bool marked =
        std::any_of(marks_.begin(), marks_.end(), [&](const mark& m) { return m.sequence >= sequence; });
    // The end of the queue needs no event: the queue itself can be waited for.
    if (!marked && sequence >= submitted())
      reached.sequence = submitted();
    else
      reached = mark_after_locked(sequence);
  }
  add(device_.count().synchronisations);
  if (reached.event)
    device_.back_end().synchronise(reached.event.get());
  else if (!known_complete(reached.sequence))
    device_.back_end().synchronise(back_end_queue_);
  completed_up_to(reached.sequence);
  free_given_up();
}

void queue_state::synchronise(std::uint64_t sequence) {
  await(sequence);
  const std::lock_guard lock(mutex_);
  for (const failure& f : failures_) {
    if (f.sequence <= told_ || f.sequence > sequence) continue;
    told_ = std::max(told_, sequence);
    throw error(f.code, f.message);
  }
}

std::optional<failure> queue_state::failure_of(std::uint64_t sequence) {
  const std::lock_guard lock(mutex_);
  for (const failure& f : failures_)
    if (f.sequence == sequence) return f;
  return std::nullopt;
}

void queue_state::completed_up_to(std::uint64_t sequence) {
  const std::lock_guard lock(mutex_);
  completed_up_to_locked(sequence);
}

void queue_state::completed_up_to_locked(std::uint64_t sequence) {
  if (known_complete(sequence)) return;
  std::size_t over = 0;
  for (; over < watched_.size() && watched_[over].sequence <= sequence; ++over) {
    const watched& w = watched_[over];
    if (std::atomic_ref(w.record->claimed).load(std::memory_order_acquire) != 0) {
      failures_.push_back({w.sequence, error_code::out_of_bounds, fault_sentence(*w.kernel, *w.record)});
      std::memset(w.record, 0, sizeof *w.record);
    }
    free_records_.push_back(w.record);
  }
  watched_.erase(watched_.begin(), watched_.begin() + static_cast<std::ptrdiff_t>(over));
  const auto first = std::find_if(marks_.begin(), marks_.end(), [&](const mark& m) { return m.sequence > sequence; });
  marks_.erase(marks_.begin(), first);
  completed_.store(sequence, std::memory_order_release);
}

}  // namespace selvage::inline v0::detail
