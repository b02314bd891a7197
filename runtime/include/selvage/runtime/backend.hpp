// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface behind which every back end stands: what the runtime asks of a device, with the conditions of each
// call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace selvage::inline v0::codegen {
enum class code_format : std::uint8_t;
struct step;
}

namespace selvage::inline v0::backend {

/// A back end's own objects; only the back end that made one knows what it points to.
struct queue;
struct event;
struct module;
struct entry;

/// What is known of a device before it is used.
struct description {
  std::string name;          ///< as a user knows it, such as "NVIDIA H200"
  std::string architecture;  ///< the code generator's name of the target, such as "sm_90" or "host"
  std::string driver;        ///< its version, empty if there is none
  std::uint64_t memory_bytes = 0;
  std::uint32_t compute_units = 0;
  std::uint32_t maximum_group = 1;                     ///< work-items in a group
  std::array<std::uint64_t, 3> maximum_grid{1, 1, 1};  ///< groups, x first
  bool float64 = true;                                 ///< has double precision
  bool fast_in_32_bits = false;                        ///< computes addresses of 32 bits faster than of 64
  bool is_host_processor = false;                      ///< the host's processor by another driver: after `host`
  bool shares_host_memory = false;                     ///< kernels run on the host's own memory: nothing is ever copied
};

enum class memory : std::uint8_t {
  device,  ///< for kernels; the host may not touch it unless the device shares the host's memory
  mapped,  ///< host memory that kernels reach under the same address, for fault records
};

enum class direction : std::uint8_t { to_device, to_host };

/// How many work-items a launch has. No entry is zero.
struct grid {
  std::array<std::uint64_t, 3> groups{1, 1, 1};  ///< x, the fastest, first
  std::array<std::uint32_t, 3> group{1, 1, 1};   ///< work-items of a group
  std::uint32_t shared_bytes = 0;                ///< dynamic shared memory of a group
};

/// One device of a back end.
///
/// Failure: a call throws selvage::error that says what was attempted and the driver's own text; after a throw the call
/// has done nothing. `noexcept` calls cannot fail: what goes wrong there is the device's loss, and is met again
/// elsewhere.
///
/// Threads: calls on different queues may run at once, and so may those without a queue. The calls that put work on one
/// queue (copy, fill, launch, record, wait) come from one thread at a time, while others may be in done or synchronise.
///
/// Order: work on one queue runs in the order of the calls, each after the one before has finished; none of the calls
/// that put work on a queue waits for it, except that a copy may.
class device {
 public:
  virtual ~device() = default;

  /// Constant over the device's life.
  virtual const description& describe() const = 0;
  /// How well machine code that was compiled for `target` runs here: 0 not at all, 1000 the device's own architecture.
  virtual int suits(std::string_view target, codegen::code_format format) const {
    static_cast<void>(format);
    return target == describe().architecture ? 1000 : 0;
  }

  /// At least `bytes` (never 0) bytes, aligned to 64, undefined. Throws out_of_memory.
  virtual void* allocate(std::size_t bytes, memory kind) = 0;
  /// No work that uses it is in flight.
  virtual void free(void* allocation, memory kind) noexcept = 0;

  virtual queue* open_queue() = 0;
  /// All work on it has finished, and all its events are released.
  virtual void close_queue(queue* on) noexcept = 0;

  /// Copies between the host's memory and the device's. Both ranges stay untouched by the host until the copy has
  /// finished. `bytes` may be 0, here and in fill; the ranges' addresses are then not looked at.
  virtual void copy(queue* on, void* to, const void* from, std::size_t bytes, direction way) = 0;
  /// Sets device memory, byte by byte.
  virtual void fill(queue* on, void* to, std::uint8_t value, std::size_t bytes) = 0;

  /// Makes machine code ready to run; the bytes need not outlive the call. Throws unsupported for a format that is not
  /// the device's.
  virtual module* load(std::span<const std::byte> code, codegen::code_format format) = 0;
  /// No kernel of it is in flight.
  virtual void unload(module* loaded) noexcept = 0;
  /// The entry of a step, which has its name and where its arguments stand in the block; it lives as long as its module.
  virtual entry* find(module* in, const codegen::step& of) = 0;

  /// Runs an entry. The block is copied before the call returns.
  virtual void launch(queue* on, entry* what, const grid& over, std::span<const std::byte> block) = 0;

  /// An event that is reached when all work put on the queue before has finished.
  virtual event* record(queue* on) = 0;
  /// Work put on the queue from now on starts after the event; the event is of a device of the same provider, and may
  /// be released as soon as the call returns.
  virtual void wait(queue* on, event* until) = 0;
  /// Whether the event is reached. Does not wait.
  virtual bool done(event* e) = 0;
  /// Waits on the host.
  virtual void synchronise(event* e) = 0;
  /// Waits on the host for all work put on the queue before.
  virtual void synchronise(queue* on) = 0;
  virtual void release(event* e) noexcept = 0;
};

/// A back end: its devices, found once. It and its devices live until the process ends.
class provider {
 public:
  virtual ~provider() = default;
  /// Throws no_device that says why there is none (no driver, no hardware).
  virtual std::vector<std::shared_ptr<device>> devices() = 0;
  /// After `devices`: a sentence for each device that is there and cannot be used.
  virtual std::vector<std::string> left_out() { return {}; }
};

/// A plug-in's one C symbol: `provider* selvage_backend_v1()`; the object lives as long as the plug-in.
inline constexpr const char* plugin_symbol = "selvage_backend_v1";
using plugin_function = provider* (*)();

}  // namespace selvage::inline v0::backend
