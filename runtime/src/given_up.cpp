// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory whose owner is gone while work that uses it is in flight.
#include "given_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <utility>

namespace selvage::inline v0::detail {
namespace {

struct graveyard {
  std::mutex mutex;
  std::vector<given_up_memory> entries;
  std::atomic<std::size_t> count{0};
};

/// Never destroyed: objects with static storage may give up memory until the very end.
graveyard& entries_of_all() {
  static auto* const all = new graveyard;
  return *all;
}

void free_memory(const given_up_memory& m) noexcept {
  if (m.memory == nullptr) return;
  if (m.device)
    m.device->free(m.memory, m.bytes);
  else
    free_host(m.memory);
}

bool over(given_up_memory& m) noexcept {
  return std::all_of(m.uses.begin(), m.uses.end(), [](use& u) {
    if (u.over()) return true;
    try {
      return u.queue->complete(u.sequence);
    } catch (...) {
      return true;  // the device is lost, and nothing runs there any more
    }
  });
}

}  // namespace

void give_up(given_up_memory memory) noexcept {
  free_given_up();
  if (std::all_of(memory.uses.begin(), memory.uses.end(), [](use& u) { return u.over(); })) {
    free_memory(memory);
    return;
  }
  graveyard& all = entries_of_all();
  const std::lock_guard lock(all.mutex);
  all.entries.push_back(std::move(memory));
  all.count.store(all.entries.size(), std::memory_order_relaxed);
}

void free_given_up() noexcept {
  graveyard& all = entries_of_all();
  if (all.count.load(std::memory_order_relaxed) == 0) return;
  std::vector<given_up_memory> finished;
  {
    const std::lock_guard lock(all.mutex);
    const auto rest =
        std::partition(all.entries.begin(), all.entries.end(), [](given_up_memory& m) { return !over(m); });
    finished.assign(std::move_iterator(rest), std::move_iterator(all.entries.end()));
    all.entries.erase(rest, all.entries.end());
    all.count.store(all.entries.size(), std::memory_order_relaxed);
  }
  for (const given_up_memory& m : finished) free_memory(m);
}

bool free_given_up_of(const device_state& device) {
  graveyard& all = entries_of_all();
  std::vector<given_up_memory> mine;
  {
    const std::lock_guard lock(all.mutex);
    const auto rest = std::partition(all.entries.begin(), all.entries.end(),
                                     [&](const given_up_memory& m) { return m.device.get() != &device; });
    mine.assign(std::move_iterator(rest), std::move_iterator(all.entries.end()));
    all.entries.erase(rest, all.entries.end());
    all.count.store(all.entries.size(), std::memory_order_relaxed);
  }
  for (given_up_memory& m : mine) {
    for (use& u : m.uses) {
      try {
        if (!u.over()) u.queue->await(u.sequence);
      } catch (...) {  // the device is lost: nothing runs there any more
      }
    }
    free_memory(m);
  }
  return !mine.empty();
}

void* allocate_host(std::uint64_t bytes, const char* purpose) {
  // Whole cache lines, so that vectors may be loaded aligned and no line is shared with a neighbour.
  // A process has 47 bits of addresses; more need not be tried.
  void* memory = bytes >> 47 != 0 ? nullptr : std::aligned_alloc(64, (bytes / 64 + 1) * 64);
  if (memory == nullptr)
    throw error(error_code::out_of_memory, fmt::format("the host has no {} bytes left {}", bytes, purpose));
  return memory;
}

void free_host(void* memory) noexcept {
  std::free(memory);
}

}  // namespace selvage::inline v0::detail
