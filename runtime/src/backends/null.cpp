// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The back end that accepts everything and computes nothing: for tests and for measuring the runtime itself. It has
// memory of its own, so that copies are made and counted as on a GPU.
#include "back_ends.hpp"

#include <selvage/codegen/recipe.hpp>
#include <selvage/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

namespace selvage::inline v0::backend {
namespace {

/// All work is over when the call that puts it on the queue returns, so queues, events, modules and entries have no
/// state.
class null_device final : public device {
 public:
  null_device() {
    about_.name = "nothing";
    about_.architecture = "host";
    about_.compute_units = 1;
    about_.maximum_group = 1024;
    about_.maximum_grid = {~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}};
  }
  const description& describe() const override { return about_; }

  void* allocate(std::size_t bytes, memory) override {
    void* p = bytes > SIZE_MAX - 63 ? nullptr : std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (p == nullptr) throw error(error_code::out_of_memory, fmt::format("null: no {} bytes of memory", bytes));
    return p;
  }
  void free(void* p, memory) noexcept override { std::free(p); }

  queue* open_queue() override { return reinterpret_cast<queue*>(this); }
  void close_queue(queue*) noexcept override {}
  void copy(queue*, void* to, const void* from, std::size_t bytes, direction) override {
    if (bytes != 0) std::memcpy(to, from, bytes);
  }
  void fill(queue*, void* to, std::uint8_t value, std::size_t bytes) override { std::memset(to, value, bytes); }

  module* load(std::span<const std::byte>, codegen::code_format) override { return reinterpret_cast<module*>(this); }
  void unload(module*) noexcept override {}
  entry* find(module*, const codegen::step&) override { return reinterpret_cast<entry*>(this); }
  void launch(queue*, entry*, const grid&, std::span<const std::byte>) override {}

  event* record(queue*) override { return reinterpret_cast<event*>(this); }
  void wait(queue*, event*) override {}
  bool done(event*) override { return true; }
  void synchronise(event*) override {}
  void synchronise(queue*) override {}
  void release(event*) noexcept override {}

 private:
  description about_;
};

class null_back_end final : public provider {
 public:
  std::vector<std::shared_ptr<device>> devices() override { return {std::make_shared<null_device>()}; }
};

}  // namespace

provider* null_provider() {
  static auto* const p = new null_back_end;
  return p;
}

}  // namespace selvage::inline v0::backend
