// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's threads, and the queues whose work they do.
#include "host_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace selvage::inline v0::backend {
namespace {

using clock = std::chrono::steady_clock;

/// Work that is shorter is not worth waking another thread for.
constexpr std::chrono::microseconds worth_help{10};
/// Boxes of fewer work-items cost more to hand out than they gain.
constexpr std::int64_t least_box = 64;
/// Boxes a thread: so many that uneven work is shared evenly.
constexpr std::int64_t boxes_a_thread = 8;

std::size_t usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
  return n > 0 ? static_cast<std::size_t>(n) : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

host_job::host_job(host_entry entry, const void* block, const std::array<std::int64_t, 3>& extents, std::size_t threads)
    : entry_(entry), block_(block), extents_(extents) {
  const std::int64_t pieces = static_cast<std::int64_t>(threads) * boxes_a_thread;
  const std::int64_t total = extents[0] * extents[1] * extents[2];
  std::int64_t left = std::max(least_box, ceil_divide(total, pieces));
  // Boxes are rows, or planes, as far as they go: neighbours in memory belong to one thread.
  for (std::size_t d = 0; d < 3; ++d) {
    box_[d] = std::min(extents[d], left);
    // Whole cache lines of the smallest elements, so that threads do not write to one.
    if (d == 0 && box_[d] < extents[d]) box_[d] = std::min(extents[d], ceil_divide(box_[d], least_box) * least_box);
    left = std::max<std::int64_t>(1, left / box_[d]);
    boxes_[d] = ceil_divide(extents[d], box_[d]);
  }
  count_ = boxes_[0] * boxes_[1] * boxes_[2];
}

bool host_job::work_once() {
  const std::int64_t n = next_.fetch_add(1, std::memory_order_relaxed);
  if (n >= count_) return false;
  const std::int64_t at[3] = {n % boxes_[0], n / boxes_[0] % boxes_[1], n / boxes_[0] / boxes_[1]};
  std::int64_t begin[3];
  std::int64_t end[3];
  for (std::size_t d = 0; d < 3; ++d) {
    begin[d] = at[d] * box_[d];
    end[d] = std::min(begin[d] + box_[d], extents_[d]);
  }
  entry_(block_, begin, end);
  return true;
}

void host_job::work() {
  while (work_once()) {
  }
}

host_pool::host_pool() : threads_(usable_cores()) {}

std::unique_ptr<host_command> host_pool::command(host_queue& q) {
  const std::lock_guard lock(mutex_);
  if (q.spare.empty()) return std::make_unique<host_command>();
  std::unique_ptr<host_command> c = std::move(q.spare.back());
  q.spare.pop_back();
  return c;
}

void host_pool::start() {
  started_ = true;
  // Detached, since nobody ever joins them: the pool lives as long as the process.
  for (std::size_t k = 0; k < threads_; ++k) std::thread([this] { run(); }).detach();
}

void host_pool::make_ready(const std::shared_ptr<host_queue>& q) {
  q->now = host_queue::state::ready;
  ready_.push_back(q);
  if (!started_) start();
  if (idle_ > 0) work_.notify_one();
}

void host_pool::put(host_queue& q, std::unique_ptr<host_command> c) {
  const std::lock_guard lock(mutex_);
  q.commands.push_back(std::move(c));
  ++q.submitted;
  if (q.now == host_queue::state::idle) make_ready(q.shared_from_this());
}

std::uint64_t host_pool::submitted(host_queue& q) {
  const std::lock_guard lock(mutex_);
  return q.submitted;
}

void host_pool::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!jobs_.empty()) {
      help(*jobs_.front(), lock);
    } else if (!ready_.empty()) {
      const std::shared_ptr<host_queue> q = std::move(ready_.front());
      ready_.pop_front();
      drive(q, lock, ~std::uint64_t{0});
    } else {
      ++idle_;
      work_.wait(lock);
      --idle_;
    }
  }
}

void host_pool::help(host_job& job, std::unique_lock<std::mutex>& lock) {
  ++job.helpers;
  lock.unlock();
  job.work();
  lock.lock();
  // Nobody else need come: there is nothing left to take.
  std::erase(jobs_, &job);
  if (--job.helpers == 0 && waiting_ > 0) progress_.notify_all();
}

void host_pool::run_job(host_job& job) {
  const clock::time_point begin = clock::now();
  if (!job.work_once() || job.exhausted()) return;
  std::int64_t done = 1;
  // Goes on alone until it is clear whether what is left is worth help.
  while (clock::now() - begin < worth_help)
    if (!job.work_once())
      return;
    else
      ++done;
  const auto rest = (clock::now() - begin) / done * (job.boxes() - done);
  if (rest < worth_help || threads_ == 1) return job.work();
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    if (idle_ > 0) work_.notify_all();
  }
  job.work();
  std::unique_lock lock(mutex_);
  std::erase(jobs_, &job);
  ++waiting_;
  progress_.wait(lock, [&] { return job.helpers == 0; });
  --waiting_;
}

void host_pool::execute(host_command& c) {
  switch (c.what) {
    case host_command::kind::launch: {
      host_job job(c.entry, c.block.data(), c.extents, threads_);
      run_job(job);
      break;
    }
    case host_command::kind::copy:
      std::memcpy(c.to, c.from, c.bytes);
      break;
    case host_command::kind::fill:
      std::memset(c.to, c.value, c.bytes);
      break;
    case host_command::kind::wait:
      break;
  }
}

void host_pool::drive(const std::shared_ptr<host_queue>& q, std::unique_lock<std::mutex>& lock, std::uint64_t until) {
  q->now = host_queue::state::driven;
  while (!q->commands.empty() && q->completed.load(std::memory_order_relaxed) < until) {
    host_command& first = *q->commands.front();
    if (first.what == host_command::kind::wait) {
      host_queue& other = *first.until.queue;
      if (other.completed.load(std::memory_order_relaxed) < first.until.count) {
        q->now = host_queue::state::parked;
        other.parked_behind.push_back(q);
        return;
      }
      first.until.queue.reset();
    }
    std::unique_ptr<host_command> c = std::move(q->commands.front());
    q->commands.pop_front();
    lock.unlock();
    execute(*c);
    lock.lock();
    if (q->spare.size() < 16) q->spare.push_back(std::move(c));
    q->completed.fetch_add(1, std::memory_order_release);
    // Each tries again whether what it waits for is reached.
    for (const std::shared_ptr<host_queue>& parked : q->parked_behind) make_ready(parked);
    q->parked_behind.clear();
    if (waiting_ > 0) progress_.notify_all();
  }
  if (q->commands.empty())
    q->now = host_queue::state::idle;
  else
    make_ready(q);
}

void host_pool::await(host_queue& q, std::uint64_t count) {
  std::unique_lock lock(mutex_);
  while (q.completed.load(std::memory_order_relaxed) < count) {
    if (q.now == host_queue::state::ready) {
      const std::shared_ptr<host_queue> self = q.shared_from_this();
      std::erase(ready_, self);
      drive(self, lock, count);
      continue;
    }
    ++waiting_;
    if (!jobs_.empty()) {
      --waiting_;
      help(*jobs_.front(), lock);
      continue;
    }
    progress_.wait(lock);
    --waiting_;
  }
}

}  // namespace selvage::inline v0::backend
