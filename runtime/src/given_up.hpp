// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory whose owner is gone while work that uses it is in flight: freed as soon as that work is over.
#pragma once

#include "queue_state.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace selvage::inline v0::detail {

struct given_up_memory {
  std::shared_ptr<device_state> device;  ///< null: the host's, from allocate_host
  void* memory = nullptr;
  std::uint64_t bytes = 0;
  std::vector<use> uses;
};

/// Frees now if nothing uses the memory any more, else later. Never waits.
void give_up(given_up_memory memory) noexcept;

/// Frees what is no longer used. Never waits.
void free_given_up() noexcept;

/// Waits for what uses given up memory of this device, and frees that. True if there was any.
bool free_given_up_of(const device_state& device);

/// Host memory for a buffer's contents, undefined. Throws out_of_memory.
void* allocate_host(std::uint64_t bytes, const char* purpose);
void free_host(void* memory) noexcept;

}  // namespace selvage::inline v0::detail
