// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device for tests: memory of its own, a thread a queue, and a gate that holds all work back until a test lets it go.
#pragma once

#include <selvage/codegen/recipe.hpp>
#include <selvage/error.hpp>
#include <selvage/runtime/backend.hpp>

#include <doctest/doctest.h>

#include <dlfcn.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace selvage::test {

class test_device final : public backend::device {
 public:
  explicit test_device(std::uint64_t memory_bytes = std::uint64_t{1} << 30) {
    about_.name = "device for tests";
    about_.architecture = "host";
    about_.memory_bytes = memory_bytes;
    about_.maximum_grid = {1 << 30, 65535, 65535};
    library_ = dlopen(SELVAGE_TEST_KERNELS, RTLD_NOW | RTLD_LOCAL);
  }
  ~test_device() override {
    CHECK(live_.empty());
    CHECK(events == 0);
    if (library_ != nullptr) dlclose(library_);
  }

  /// No work runs from now on, until `release`.
  void hold() { set_held(true); }
  void release() { set_held(false); }
  std::atomic<int> events{0};  ///< that are not released
  std::atomic<int> events_recorded{0};
  std::atomic<int> waits{0};  ///< of queues for events
  std::atomic<int> running{0};
  std::atomic<bool> fail_next_launch{false};
  std::uint64_t bytes_in_use() {
    const std::lock_guard lock(memory_mutex_);
    return in_use_;
  }

  const backend::description& describe() const override { return about_; }

  void* allocate(std::size_t bytes, backend::memory) override {
    const std::lock_guard lock(memory_mutex_);
    if (in_use_ + bytes > about_.memory_bytes) throw error(error_code::out_of_memory, "test device: full");
    void* p = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    std::memset(p, 0xa5, bytes);
    live_[p] = bytes;
    in_use_ += bytes;
    return p;
  }
  void free(void* p, backend::memory) noexcept override {
    const std::lock_guard lock(memory_mutex_);
    in_use_ -= live_.at(p);
    live_.erase(p);
    std::free(p);
  }

  backend::queue* open_queue() override { return reinterpret_cast<backend::queue*>(new work_queue(*this)); }
  void close_queue(backend::queue* q) noexcept override { delete of(q); }

  void copy(backend::queue* q, void* to, const void* from, std::size_t bytes, backend::direction) override {
    of(q)->put([=] { std::memcpy(to, from, bytes); });
  }
  void fill(backend::queue* q, void* to, std::uint8_t value, std::size_t bytes) override {
    of(q)->put([=] { std::memset(to, value, bytes); });
  }

  backend::module* load(std::span<const std::byte>, codegen::code_format) override {
    return reinterpret_cast<backend::module*>(this);
  }
  void unload(backend::module*) noexcept override {}
  backend::entry* find(backend::module*, const codegen::step& of) override {
    const std::string& name = of.entry;
    void* const symbol = dlsym(library_, name.c_str());
    if (symbol == nullptr) throw error(error_code::invalid_file, "test device: no entry " + name);
    return static_cast<backend::entry*>(symbol);
  }

  void launch(backend::queue* q, backend::entry* what, const backend::grid& over,
              std::span<const std::byte> block) override {
    if (fail_next_launch.exchange(false)) throw error(error_code::device_failure, "test device: told to fail");
    using entry = void (*)(const void*, const std::int64_t*, const std::int64_t*);
    std::vector<std::byte> copied(block.begin(), block.end());
    of(q)->put([this, what, over, copied = std::move(copied)] {
      ++running;
      const std::int64_t begin[3] = {0, 0, 0};
      const std::int64_t end[3] = {static_cast<std::int64_t>(over.groups[0]), static_cast<std::int64_t>(over.groups[1]),
                                   static_cast<std::int64_t>(over.groups[2])};
      reinterpret_cast<entry>(what)(copied.data(), begin, end);
      --running;
    });
  }

  backend::event* record(backend::queue* q) override {
    ++events;
    ++events_recorded;
    const auto reached = std::make_shared<flag>();
    of(q)->put([reached] { reached->set(); });
    return reinterpret_cast<backend::event*>(new std::shared_ptr<flag>(reached));
  }
  void wait(backend::queue* q, backend::event* e) override {
    ++waits;
    of(q)->put([reached = *of(e)] { reached->await(); });
  }
  bool done(backend::event* e) override { return (*of(e))->is_set(); }
  void synchronise(backend::event* e) override { (*of(e))->await(); }
  void synchronise(backend::queue* q) override {
    const auto reached = std::make_shared<flag>();
    of(q)->put([reached] { reached->set(); });
    reached->await();
  }
  void release(backend::event* e) noexcept override {
    --events;
    delete of(e);
  }

 private:
  class flag {
   public:
    void set() {
      const std::lock_guard lock(mutex_);
      set_ = true;
      changed_.notify_all();
    }
    void await() {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return set_; });
    }
    bool is_set() {
      const std::lock_guard lock(mutex_);
      return set_;
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool set_ = false;
  };

  class work_queue {
   public:
    explicit work_queue(test_device& device) : device_(device), thread_([this] { run(); }) {}
    ~work_queue() {
      put({});
      thread_.join();
    }
    void put(std::function<void()> work) {
      const std::lock_guard lock(mutex_);
      work_.push_back(std::move(work));
      changed_.notify_all();
    }

   private:
    void run() {
      for (;;) {
        std::function<void()> next;
        {
          std::unique_lock lock(mutex_);
          changed_.wait(lock, [&] { return !work_.empty(); });
          next = std::move(work_.front());
          work_.pop_front();
        }
        if (!next) return;
        device_.await_gate();
        next();
      }
    }
    test_device& device_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> work_;
    std::thread thread_;
  };

  static work_queue* of(backend::queue* q) { return reinterpret_cast<work_queue*>(q); }
  static std::shared_ptr<flag>* of(backend::event* e) { return reinterpret_cast<std::shared_ptr<flag>*>(e); }

  void set_held(bool held) {
    const std::lock_guard lock(gate_mutex_);
    held_ = held;
    gate_.notify_all();
  }
  void await_gate() {
    std::unique_lock lock(gate_mutex_);
    gate_.wait(lock, [&] { return !held_; });
  }

  backend::description about_;
  void* library_ = nullptr;
  std::mutex memory_mutex_;
  std::map<void*, std::size_t> live_;
  std::uint64_t in_use_ = 0;
  std::mutex gate_mutex_;
  std::condition_variable gate_;
  bool held_ = false;
};

}  // namespace selvage::test
