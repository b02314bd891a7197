// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launching: from a plan and its arguments to work on a queue.
#include <selvage/runtime/launch.hpp>

#include "buffer_state.hpp"
#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace selvage::inline v0 {

/// Plans of a kernel, the last used first.
struct kernel_slot::memory {
  std::mutex mutex;
  std::vector<std::shared_ptr<const detail::launch_plan>> plans;
  enum class floats : std::uint8_t { unknown, matter, do_not };
  /// Whether the values of floating-point arguments are part of a key.
  std::atomic<floats> about_floats{floats::unknown};

  bool floats_matter(const ir::image_view& image) {
    floats f = about_floats.load(std::memory_order_relaxed);
    if (f == floats::unknown) {
      f = detail::floats_matter(image) ? floats::matter : floats::do_not;
      about_floats.store(f, std::memory_order_relaxed);
    }
    return f == floats::matter;
  }
};

kernel_slot::~kernel_slot() {
  delete memory_.load();
}

kernel_slot::memory& kernel_slot::get() {
  if (memory* m = memory_.load(std::memory_order_acquire)) return *m;
  auto fresh = std::make_unique<memory>();
  memory* expected = nullptr;
  if (memory_.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *expected;
}

namespace detail {
namespace {

constexpr std::size_t most_plans = 16;
constexpr std::size_t largest_block_on_stack = 1024;

/// One argument, as it is used on the launch's device.
struct bound_argument {
  buffer_state* buffer = nullptr;
  place* at = nullptr;
  bool reads = false;
  bool writes = false;
};

/// The locks of all buffers of a launch, taken in the order of their addresses, each once.
class buffer_locks {
 public:
  explicit buffer_locks(std::span<const bound_argument> arguments) {
    for (const bound_argument& a : arguments)
      if (a.buffer != nullptr) locked_[count_++] = a.buffer;
    std::sort(locked_.begin(), locked_.begin() + static_cast<std::ptrdiff_t>(count_), std::less<>());
    count_ = static_cast<std::size_t>(
        std::unique(locked_.begin(), locked_.begin() + static_cast<std::ptrdiff_t>(count_)) - locked_.begin());
    for (std::size_t k = 0; k < count_; ++k) locked_[k]->mutex.lock();
  }
  buffer_locks(const buffer_locks&) = delete;
  buffer_locks& operator=(const buffer_locks&) = delete;
  ~buffer_locks() {
    for (std::size_t k = count_; k-- > 0;) locked_[k]->mutex.unlock();
  }

 private:
  std::array<buffer_state*, ir::maximum_parameters> locked_;
  std::size_t count_ = 0;
};

class one_launch {
 public:
  one_launch(const ir::image_view& image, const launch_plan& plan, queue_state& q, std::span<const argument> arguments)
      : image_(image), plan_(plan), queue_(q), arguments_(arguments) {}

  /// What needs no code: whether the contents are there, and whether arguments overlap.
  void check() {
    bind();
    const buffer_locks locks(used());
    check_contents();
    place_buffers();
    check_overlap();
  }

  event run() {
    if (plan_.kernel == nullptr) return {queue_.self(), queue_.submitted()};
    bind();
    const buffer_locks locks(used());
    check_contents();
    place_buffers();
    check_overlap();
    const queue_state::launch_needs needs{plan_.kernel, plan_.may_fault, plan_.scratch_bytes};
    if (plan_.may_fault || !plan_.scratch_bytes.empty()) queue_.prepare(needs);
    for (std::size_t k = 0; k < arguments_.size(); ++k)
      if (bound_[k].buffer != nullptr && bound_[k].at->memory == nullptr)
        bound_[k].buffer->provide(*bound_[k].at, "for " + name_of_argument(image_, k));
    // From here on nothing is refused.
    for (const bound_argument& b : used())
      if (b.reads && b.buffer != nullptr) b.buffer->bring(*b.at, queue_);
    for (const bound_argument& b : used())
      if (b.buffer != nullptr) order(b);
    std::uint64_t sequence = 0;
    try {
      sequence = queue_.submit(needs, [&](backend::queue* on, ir::fault_record* fault, std::span<void* const> scratch) {
        submit_steps(on, fault, scratch);
      });
    } catch (const error& e) {
      if (submitted_a_step_) lose_written(e.what());
      throw;
    }
    for (const bound_argument& b : used()) {
      if (b.buffer == nullptr) continue;
      if (b.writes)
        b.buffer->mark_written(*b.at, queue_, sequence, !b.reads, plan_.may_fault);
      else if (b.buffer->bytes != 0)
        buffer_state::mark_read(*b.at, queue_, sequence);
    }
    return {queue_.self(), sequence};
  }

 private:
  std::span<const bound_argument> used() const { return {bound_.data(), arguments_.size()}; }

  void bind() {
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      const argument& a = arguments_[k];
      if (a.what == argument::kind::value) continue;
      const ir::access mode = image_.parameters[k].mode;
      bound_[k].reads = mode == ir::access::in || mode == ir::access::inout;
      bound_[k].writes = ir::is_written(mode);
      if (a.what != argument::kind::buffer) continue;
      bound_[k].buffer = a.buffer->get();
      if (bound_[k].buffer == nullptr)
        throw error(error_code::invalid_argument,
                    fmt::format("{}: the buffer was moved from; assign another buffer to it first",
                                name_of_argument(image_, k)));
    }
  }

  void place_buffers() {
    for (std::size_t k = 0; k < arguments_.size(); ++k)
      if (bound_[k].buffer != nullptr) bound_[k].at = &bound_[k].buffer->on(queue_.device());
  }

  void check_contents() {
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      const bound_argument& b = bound_[k];
      if (b.buffer == nullptr) continue;
      if (b.writes && b.buffer->read_only)
        throw error(
            error_code::invalid_argument,
            fmt::format("{} is written, but its buffer borrows read-only memory; borrow a span of non-const elements",
                        name_of_argument(image_, k)));
      if (!b.reads) continue;
      if (!b.buffer->defined())
        throw error(error_code::invalid_argument,
                    fmt::format("{} is '{}' and is read, but nobody has written the buffer's contents; fill it through "
                                "write(), or by a kernel",
                                name_of_argument(image_, k), ir::name(image_.parameters[k].mode)));
      if (const auto& why = b.buffer->broken())
        throw error(why->code, fmt::format("{} has no valid contents, since a launch that wrote them failed: {}",
                                           name_of_argument(image_, k), why->message));
    }
  }

  /// First element's address on the launch's device; null if the copy there has no memory yet and so overlaps nothing.
  void* address(std::size_t k) const {
    const argument& a = arguments_[k];
    return a.what == argument::kind::view ? a.pointer : bound_[k].at->memory;
  }

  /// What the kernel gets: never null, which it is promised for empty arrays too.
  const void* pointer(std::size_t k) const {
    alignas(64) static const std::byte nothing[64]{};
    const void* const p = address(k);
    return p != nullptr ? p : nothing;
  }

  void check_overlap() const {
    for (std::size_t w = 0; w < arguments_.size(); ++w) {
      if (!bound_[w].writes) continue;
      for (std::size_t o = 0; o < arguments_.size(); ++o) {
        if (o == w || arguments_[o].what == argument::kind::value || (bound_[o].writes && o < w)) continue;
        check_pair(w, o);
      }
    }
  }

  void check_pair(std::size_t w, std::size_t o) const {
    const layout& lw = plan_.layouts[w];
    const layout& lo = plan_.layouts[o];
    const buffer_state* bw = bound_[w].buffer;
    const buffer_state* bo = bound_[o].buffer;
    if (bw != nullptr && bw == bo) {
      if (bw->bytes != 0) refuse_overlap(w, o, "they are the same buffer");
      return;
    }
    // Memory of the library's own overlaps nothing but views that were made from it.
    if (bw != nullptr && bo != nullptr) {
      if (bw->borrowed && bo->borrowed)
        check_addresses(w, o, home(*bound_[w].buffer), lw, home(*bound_[o].buffer), lo, "host");
      return;
    }
    void* const aw = address(w);
    void* const ao = address(o);
    if (aw != nullptr && ao != nullptr) check_addresses(w, o, aw, lw, ao, lo, "device");
  }

  static void* home(buffer_state& b) { return b.host().memory; }

  void check_addresses(std::size_t w, std::size_t o, const void* aw, const layout& lw, const void* ao, const layout& lo,
                       const char* where) const {
    const auto pw = reinterpret_cast<std::uintptr_t>(aw);
    const auto po = reinterpret_cast<std::uintptr_t>(ao);
    if (!overlap(pw, lw, po, lo)) return;
    const auto range = [](std::uintptr_t p, const layout& l) {
      const byte_range r = bytes_of(l).value_or(byte_range{});
      return fmt::format("[{:#x}, {:#x})", p + static_cast<std::uintptr_t>(r.first),
                         p + static_cast<std::uintptr_t>(r.last));
    };
    refuse_overlap(w, o, fmt::format("{} bytes {} and {}", where, range(pw, lw), range(po, lo)));
  }

  [[noreturn]] void refuse_overlap(std::size_t w, std::size_t o, const std::string& how) const {
    throw error(
        error_code::overlap,
        fmt::format("kernel '{}': arguments {} and {} overlap, and argument {} is written: {}; pass different memory",
                    image_.name, std::min(w, o), std::max(w, o), w, how));
  }

  /// Orders the launch behind everything that conflicts with it.
  void order(const bound_argument& b) {
    use& ready = b.at->ready;
    if (!ready.over()) queue_.wait_for(*ready.queue, ready.sequence);
    if (!b.writes) return;
    for (use& u : b.at->readers)
      if (!u.over()) queue_.wait_for(*u.queue, u.sequence);
  }

  void submit_steps(backend::queue* on, ir::fault_record* fault, std::span<void* const> scratch) {
    device_state& device = queue_.device();
    for (const planned_step& s : plan_.steps) {
      if (s.entry == nullptr) {
        device.back_end().fill(on, scratch[s.scratch], s.fill, plan_.scratch_bytes[s.scratch]);
        submitted_a_step_ = true;
        continue;
      }
      alignas(16) std::array<std::byte, largest_block_on_stack> small;
      std::vector<std::byte> large;
      std::byte* block = small.data();
      if (s.block.size() > small.size()) large.resize(s.block.size()), block = large.data();
      if (!s.block.empty()) std::memcpy(block, s.block.data(), s.block.size());
      for (const patch& p : s.patches) {
        std::uint64_t v = 0;
        switch (p.from) {
          case patch::source::pointer:
            v = reinterpret_cast<std::uintptr_t>(pointer(p.number));
            break;
          case patch::source::value:
            v = arguments_[p.number].bits;
            break;
          case patch::source::fault:
            v = reinterpret_cast<std::uintptr_t>(fault);
            break;
          case patch::source::scratch:
            v = reinterpret_cast<std::uintptr_t>(scratch[p.number]);
            break;
        }
        // Little-endian: the low bytes of a narrower value come first.
        std::memcpy(block + p.offset, &v, p.size);
      }
      device.back_end().launch(on, s.entry, s.grid, {block, s.block.size()});
      submitted_a_step_ = true;
      add(device.count().launches);
    }
  }

  void lose_written(const char* why) {
    const std::uint64_t sequence = queue_.submitted();
    for (const bound_argument& b : used()) {
      if (b.buffer == nullptr) continue;
      if (b.writes) {
        b.buffer->mark_written(*b.at, queue_, sequence, true, false);
        b.buffer->mark_broken(fmt::format("kernel '{}' was launched in part: {}", image_.name, why));
      } else {
        buffer_state::mark_read(*b.at, queue_, sequence);
      }
    }
  }

  const ir::image_view& image_;
  const launch_plan& plan_;
  queue_state& queue_;
  std::span<const argument> arguments_;
  std::array<bound_argument, ir::maximum_parameters> bound_{};
  bool submitted_a_step_ = false;
};

std::shared_ptr<const launch_plan> find_plan(kernel_slot::memory& m, std::uint64_t device,
                                             std::span<const std::uint64_t> key) {
  const std::lock_guard lock(m.mutex);
  for (std::size_t k = 0; k < m.plans.size(); ++k) {
    const launch_plan& plan = *m.plans[k];
    if (plan.device != device || !std::equal(plan.key.begin(), plan.key.end(), key.begin(), key.end())) continue;
    std::rotate(m.plans.begin(), m.plans.begin() + static_cast<std::ptrdiff_t>(k),
                m.plans.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    return m.plans.front();
  }
  return nullptr;
}

std::shared_ptr<const launch_plan> remember(kernel_slot::memory& m, launch_plan plan,
                                            std::span<const std::uint64_t> key) {
  plan.key.assign(key.begin(), key.end());
  auto kept = std::make_shared<const launch_plan>(std::move(plan));
  const std::lock_guard lock(m.mutex);
  if (m.plans.size() >= most_plans) m.plans.pop_back();
  m.plans.insert(m.plans.begin(), kept);
  return kept;
}

}  // namespace
}  // namespace detail

event launch(const ir::image_view& image, kernel_slot& slot, const queue& on, std::span<const argument> arguments,
             const std::optional<ir::extents>& over) {
  detail::queue_state& q = *on.state();
  kernel_slot::memory& m = slot.get();
  // More arguments than any kernel has: draft_plan says so.
  std::array<std::uint64_t, detail::maximum_key> words;
  const bool too_many = arguments.size() > ir::maximum_parameters;
  const std::size_t n = too_many ? 0 : detail::key_of(arguments, m.floats_matter(image), over, words.data());
  const std::span<const std::uint64_t> key(words.data(), n);
  std::shared_ptr<const detail::launch_plan> plan = detail::find_plan(m, q.device().identity(), key);
  if (!plan) {
    detail::launch_plan fresh = detail::draft_plan(image, q.device(), arguments, over);
    if (!fresh.nothing) detail::one_launch(image, fresh, q, arguments).check();
    detail::finish_plan(fresh, image, q.device(), nullptr);
    plan = detail::remember(m, std::move(fresh), key);
  }
  return detail::one_launch(image, *plan, q, arguments).run();
}

event launch_compiled(const codegen::compiled_kernel& kernel, const ir::image_view& image, const queue& on,
                      std::span<const argument> arguments, const std::optional<ir::extents>& over) {
  detail::queue_state& q = *on.state();
  detail::launch_plan plan = detail::draft_plan(image, q.device(), arguments, over);
  detail::finish_plan(plan, image, q.device(), &kernel);
  return detail::one_launch(image, plan, q, arguments).run();
}

}  // namespace selvage::inline v0
