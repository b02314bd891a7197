// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffer's public face, untyped.
#include <selvage/runtime/buffer.hpp>

#include "buffer_state.hpp"

#include <fmt/format.h>

namespace selvage::inline v0::detail {

std::shared_ptr<buffer_state> make_buffer(ir::type element, std::span<const std::int64_t> extents) {
  return std::make_shared<buffer_state>(element, extents);
}

std::shared_ptr<buffer_state> borrow_buffer(ir::type element, std::span<const std::int64_t> extents, void* memory,
                                            std::size_t elements, bool read_only) {
  auto b = std::make_shared<buffer_state>(element, extents);
  b->borrowed = true;
  b->read_only = read_only;
  const std::uint64_t needed = b->bytes / static_cast<std::uint64_t>(ir::properties(element).bytes);
  if (needed != elements)
    throw error(error_code::invalid_argument,
                fmt::format("a buffer of extents [{}] borrows a span of {} elements; it needs {}",
                            fmt::join(extents, ", "), elements, needed));
  b->host().memory = memory;
  b->host().valid = true;
  return b;
}

namespace {
buffer_state& not_moved_from(const std::shared_ptr<buffer_state>& buffer) {
  if (buffer == nullptr)
    throw error(error_code::invalid_argument,
                "a buffer is used that was moved from: assign another buffer to it first");
  return *buffer;
}
}  // namespace

void* access_buffer(const std::shared_ptr<buffer_state>& buffer, host_access how) {
  return not_moved_from(buffer).access(how);
}

void prefetch_buffer(const std::shared_ptr<buffer_state>& of, const device& on) {
  buffer_state& buffer = not_moved_from(of);
  const std::lock_guard lock(buffer.mutex);
  if (!buffer.defined())
    throw error(error_code::invalid_argument,
                "a buffer is to be prefetched, but nobody has written its contents; fill it through write() first");
  place& p = buffer.on(*on.state());
  buffer.provide(p, "for a buffer that is prefetched");
  buffer.bring(p, *on.state()->default_queue());
}

void give_back(buffer_state& buffer) noexcept {
  buffer.give_back();
}

void throw_extent_too_large(std::uint64_t extent) {
  throw error(error_code::invalid_argument, fmt::format("extent {} does not fit 64 signed bits", extent));
}

}  // namespace selvage::inline v0::detail
