// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime knows of a buffer: where its copies are, which are up to date, and what work still uses them.
#pragma once

#include "queue_state.hpp"

#include <selvage/ir/launch.hpp>
#include <selvage/runtime/buffer.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace selvage::inline v0::detail {

/// One copy of a buffer's contents: the host's, which devices that share the host's memory use too, or a device's.
///
/// What writes a copy comes after `ready` and all `readers`; what reads it comes after `ready`. Work on other copies
/// does not matter: so a host copy may be written while kernels still read the device's.
struct place {
  std::shared_ptr<device_state> device;  ///< null: the host
  void* memory = nullptr;                ///< null until it is needed
  bool valid = false;                    ///< up to date
  use ready;                             ///< after this it holds what it is said to hold
  std::vector<use> readers;              ///< since then, one a queue
};

/// All members but `mutex` and the constants are guarded by `mutex`. Several buffers are locked in the order of their
/// addresses; a queue's lock may be taken inside, never the other way round.
class buffer_state {
 public:
  buffer_state(ir::type element_type, std::span<const std::int64_t> extents_of_dimensions);
  buffer_state(const buffer_state&) = delete;
  buffer_state& operator=(const buffer_state&) = delete;
  ~buffer_state();

  const ir::type element;
  const int rank;
  ir::extents extents{1, 1, 1};
  std::uint64_t bytes = 0;
  bool borrowed = false;
  bool read_only = false;  ///< borrowed memory that must not be written

  std::mutex mutex;

  /// The copy that kernels on this device use.
  place& on(device_state& device);
  place& host() { return host_; }
  /// Gives a copy its memory. Throws out_of_memory.
  void provide(place& p, const std::string& purpose);
  /// Somebody has written the contents, or there are none.
  bool defined() const;
  /// Why the contents are not valid although somebody wrote them: a launch that did has failed.
  const std::optional<failure>& broken();
  /// Makes a copy up to date, by work on `q` and, if it comes from another device, by waiting. It has memory.
  void bring(place& p, queue_state& q);

  /// Work `u` has been put on its queue, and reads the copy.
  static void mark_read(place& p, queue_state& q, std::uint64_t sequence);
  /// Work has been put on its queue, and writes the copy: wholly, or in part. `may_fail`: it may report a fault.
  void mark_written(place& p, queue_state& q, std::uint64_t sequence, bool wholly, bool may_fail);
  /// The contents are lost: a launch that writes them was put on its queue in part.
  void mark_broken(const std::string& why);

  void* access(host_access how);
  void give_back() noexcept;

 private:
  void forget_failures() { broken_.reset(), doubtful_.clear(); }
  /// Waits until it is known whether the launches that wrote the contents have failed.
  void settle();
  void await_for_writing(place& p);
  /// Makes the host's copy up to date: once `host_.ready` is over.
  void bring_home();

  place host_;
  std::vector<std::unique_ptr<place>> devices_;
  std::vector<use> doubtful_;  ///< launches that wrote the contents since they were last written wholly, and may fail
  std::optional<failure> broken_;
};

}  // namespace selvage::inline v0::detail
