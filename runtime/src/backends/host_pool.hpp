// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's threads, and the queues whose work they do.
#pragma once

#include <selvage/runtime/backend.hpp>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace selvage::inline v0::backend {

/// A kernel on the host: runs the work-items of the box [begin, end), x first.
using host_entry = void (*)(const void* block, const std::int64_t* begin, const std::int64_t* end);

class host_queue;

/// Reached when its queue has done as many commands.
struct host_event {
  std::shared_ptr<host_queue> queue;
  std::uint64_t count = 0;
};

struct host_command {
  enum class kind : std::uint8_t { launch, copy, fill, wait };
  kind what = kind::launch;
  std::uint8_t value = 0;      ///< fill
  void* to = nullptr;          ///< copy, fill
  const void* from = nullptr;  ///< copy
  std::uint64_t bytes = 0;     ///< copy, fill
  host_entry entry = nullptr;  ///< launch
  std::array<std::int64_t, 3> extents{1, 1, 1};
  std::vector<std::byte> block;
  host_event until;  ///< wait
};

/// A kernel that is running: boxes of work-items that any thread may take.
class host_job {
 public:
  host_job(host_entry entry, const void* block, const std::array<std::int64_t, 3>& extents, std::size_t threads);

  /// Takes boxes until none is left.
  void work();
  /// Takes one box; false if none was left.
  bool work_once();
  bool exhausted() const { return next_.load(std::memory_order_relaxed) >= count_; }
  std::int64_t boxes() const { return count_; }

  int helpers = 0;  ///< threads but the first that are in work(); guarded by the pool's mutex

 private:
  host_entry entry_;
  const void* block_;
  std::array<std::int64_t, 3> extents_;
  std::array<std::int64_t, 3> box_{1, 1, 1};
  std::array<std::int64_t, 3> boxes_{1, 1, 1};
  std::int64_t count_ = 1;
  std::atomic<std::int64_t> next_{0};
};

/// A queue's commands, in order. At most one thread, its driver, does them. All members are guarded by the pool's
/// mutex.
class host_queue : public std::enable_shared_from_this<host_queue> {
 public:
  std::deque<std::unique_ptr<host_command>> commands;
  std::vector<std::unique_ptr<host_command>> spare;
  std::uint64_t submitted = 0;
  std::atomic<std::uint64_t> completed{0};  ///< written under the mutex
  enum class state : std::uint8_t {
    idle,    ///< nothing to do
    ready,   ///< in the pool's list
    driven,  ///< a thread does its commands
    parked,  ///< its first command waits for another queue
  } now = state::idle;
  std::vector<std::shared_ptr<host_queue>> parked_behind;  ///< queues whose first command waits for this one
};

/// As many threads as the process may use cores, started at the first work.
///
/// A launch's driver does the first box alone; if that took so long that help pays, the other threads join. A thread
/// that waits for a queue drives it itself if nobody does, so short work needs no change of thread.
class host_pool {
 public:
  host_pool();
  /// Never destroyed: work may be in flight until the process ends.
  ~host_pool() = delete;

  std::size_t threads() const { return threads_; }

  /// An unused command, to be filled and given to `put`.
  std::unique_ptr<host_command> command(host_queue& q);
  void put(host_queue& q, std::unique_ptr<host_command> c);
  std::uint64_t submitted(host_queue& q);
  void await(host_queue& q, std::uint64_t count);

 private:
  void start();
  void run();
  void drive(const std::shared_ptr<host_queue>& q, std::unique_lock<std::mutex>& lock, std::uint64_t until);
  void execute(host_command& c);
  void run_job(host_job& job);
  void help(host_job& job, std::unique_lock<std::mutex>& lock);
  void make_ready(const std::shared_ptr<host_queue>& q);

  std::size_t threads_;
  std::mutex mutex_;
  std::condition_variable work_;      // a queue is ready, or a job takes helpers
  std::condition_variable progress_;  // a queue has completed a command, or a helper has left
  std::size_t idle_ = 0;              // threads that wait for work
  std::size_t waiting_ = 0;           // threads that wait for progress
  bool started_ = false;
  std::deque<std::shared_ptr<host_queue>> ready_;
  std::vector<host_job*> jobs_;  // that take helpers
};

}  // namespace selvage::inline v0::backend
