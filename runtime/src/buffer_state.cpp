// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a buffer's contents are, and how they move.
#include "buffer_state.hpp"

#include "given_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace selvage::inline v0::detail {
namespace {

/// Starts a copy between host and device on a queue, and counts it.
std::uint64_t submit_copy(queue_state& q, void* to, const void* from, std::uint64_t bytes, backend::direction way) {
  device_state& device = q.device();
  const std::uint64_t sequence =
      q.submit([&](backend::queue* on) { device.back_end().copy(on, to, from, bytes, way); });
  const bool up = way == backend::direction::to_device;
  add(up ? device.count().copies_to_device : device.count().copies_to_host);
  add(up ? device.count().bytes_to_device : device.count().bytes_to_host, bytes);
  return sequence;
}

/// Work put on `q` from now on may read the copy.
void order_reading(queue_state& q, place& p) {
  if (!p.ready.over()) q.wait_for(*p.ready.queue, p.ready.sequence);
}

/// Work put on `q` from now on may write the copy.
void order_writing(queue_state& q, place& p) {
  order_reading(q, p);
  for (use& u : p.readers)
    if (!u.over()) q.wait_for(*u.queue, u.sequence);
}

}  // namespace

buffer_state::buffer_state(ir::type element_type, std::span<const std::int64_t> extents_of_dimensions)
    : element(element_type), rank(static_cast<int>(extents_of_dimensions.size())) {
  bytes = static_cast<std::uint64_t>(ir::properties(element).bytes);
  for (std::size_t k = 0; k < extents_of_dimensions.size(); ++k) {
    const std::int64_t e = extents_of_dimensions[k];
    if (e < 0)
      throw error(error_code::invalid_argument,
                  fmt::format("extent {} of a buffer is {}; an extent is not negative", k, e));
    extents[k] = e;
    // Addresses have 47 bits; anything near 2^63 would wrap in kernels' index arithmetic.
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(e), &bytes) || bytes >> 60 != 0)
      throw error(error_code::out_of_memory, fmt::format("a buffer of extents [{}] is larger than any memory",
                                                         fmt::join(extents_of_dimensions, ", ")));
  }
}

buffer_state::~buffer_state() {
  const auto give = [&](place& p) {
    given_up_memory m{p.device, p.memory, bytes, std::move(p.readers)};
    m.uses.push_back(std::move(p.ready));
    give_up(std::move(m));
  };
  if (!borrowed) give(host_);
  for (const auto& p : devices_) give(*p);
}

place& buffer_state::on(device_state& device) {
  if (device.shares_host_memory()) return host_;
  for (const auto& p : devices_)
    if (p->device.get() == &device) return *p;
  devices_.push_back(std::make_unique<place>());
  devices_.back()->device = device.shared_from_this();
  return *devices_.back();
}

void buffer_state::provide(place& p, const std::string& purpose) {
  if (p.memory != nullptr || bytes == 0) return;
  p.memory = p.device ? p.device->allocate(bytes, purpose) : allocate_host(bytes, purpose.c_str());
}

bool buffer_state::defined() const {
  if (bytes == 0 || host_.valid) return true;
  return std::any_of(devices_.begin(), devices_.end(), [](const auto& p) { return p->valid; });
}

const std::optional<failure>& buffer_state::broken() {
  std::erase_if(doubtful_, [&](use& u) {
    if (!u.queue->known_complete(u.sequence)) return false;
    if (!broken_) broken_ = u.queue->failure_of(u.sequence);
    return true;
  });
  return broken_;
}

void buffer_state::settle() {
  for (const use& u : doubtful_) u.queue->await(u.sequence);
}

void buffer_state::mark_broken(const std::string& why) {
  broken_ = failure{0, error_code::device_failure, why};
}

void buffer_state::bring_home() {
  if (host_.valid || bytes == 0) return;
  const auto source = std::find_if(devices_.begin(), devices_.end(), [](const auto& p) { return p->valid; });
  if (source == devices_.end()) return;
  place& p = **source;
  provide(host_, "for the host's copy of a buffer");
  // Behind the work that wrote it: the same queue needs no event.
  const std::shared_ptr<queue_state> q = p.ready.queue ? p.ready.queue : p.device->default_queue();
  order_reading(*q, p);
  order_writing(*q, host_);
  const std::uint64_t sequence = submit_copy(*q, host_.memory, p.memory, bytes, backend::direction::to_host);
  mark_read(p, *q, sequence);
  host_.valid = true;
  host_.ready = {q, sequence};
  host_.readers.clear();
}

void buffer_state::bring(place& p, queue_state& q) {
  if (p.valid || bytes == 0) return;
  bring_home();
  if (p.valid) return;
  order_reading(q, host_);
  order_writing(q, p);
  const std::uint64_t sequence = submit_copy(q, p.memory, host_.memory, bytes, backend::direction::to_device);
  mark_read(host_, q, sequence);
  p.valid = true;
  p.ready = {q.self(), sequence};
  p.readers.clear();
}

void buffer_state::mark_read(place& p, queue_state& q, std::uint64_t sequence) {
  for (use& u : p.readers)
    if (u.queue.get() == &q) {
      u.sequence = std::max(u.sequence, sequence);
      return;
    }
  std::erase_if(p.readers, [](use& u) { return u.over(); });
  p.readers.push_back({q.self(), sequence});
}

void buffer_state::mark_written(place& p, queue_state& q, std::uint64_t sequence, bool wholly, bool may_fail) {
  host_.valid = false;
  for (const auto& other : devices_) other->valid = false;
  p.valid = true;
  if (p.ready.queue.get() == &q)
    p.ready.sequence = sequence;
  else
    p.ready = {q.self(), sequence};
  p.readers.clear();
  if (wholly) forget_failures();
  if (!may_fail) return;
  // Those that are over need not be remembered: at most as many stay as a queue watches.
  if (doubtful_.size() >= 16) broken();
  doubtful_.push_back(p.ready);
}

void buffer_state::await_for_writing(place& p) {
  if (!p.ready.over()) p.ready.queue->await(p.ready.sequence);
  for (use& u : p.readers)
    if (!u.over()) u.queue->await(u.sequence);
  p.readers.clear();
}

void* buffer_state::access(host_access how) {
  const std::lock_guard lock(mutex);
  const bool reads = how != host_access::write;
  if (how != host_access::read && read_only)
    throw error(error_code::invalid_argument,
                "a buffer that borrows read-only memory cannot be written; borrow a span of non-const elements");
  if (reads && !defined())
    throw error(error_code::invalid_argument,
                "the contents of a buffer are read, but nobody has written them; fill it through write() first");
  provide(host_, "for the host's copy of a buffer");
  if (reads) {
    bring_home();
    if (!host_.ready.over()) {
      const use last = host_.ready;
      last.queue->synchronise(last.sequence);
    }
    // Whoever wrote it before the last writer may have failed, too.
    for (const use& u : doubtful_) u.queue->synchronise(u.sequence);
    if (broken())
      throw error(broken_->code, broken_->message + "; what it wrote is not valid until it is written anew");
  }
  if (how != host_access::read) {
    await_for_writing(host_);
    for (const auto& p : devices_) p->valid = false;
    host_.valid = true;
    if (how == host_access::write) forget_failures();
  }
  return host_.memory;
}

void buffer_state::give_back() noexcept {
  if (!borrowed) return;
  const std::lock_guard lock(mutex);
  try {
    settle();
    if (!read_only && !broken()) bring_home();
    await_for_writing(host_);
  } catch (...) {  // a destructor does not throw; what failed is met again at the queue's next synchronisation
  }
}

}  // namespace selvage::inline v0::detail
