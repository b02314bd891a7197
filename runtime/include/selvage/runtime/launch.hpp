// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launching an image, untyped: what the typed layer in bound_kernel.hpp, tools and tests call.
#pragma once

#include <selvage/ir/image.hpp>
#include <selvage/ir/launch.hpp>
#include <selvage/runtime/buffer.hpp>
#include <selvage/runtime/event.hpp>
#include <selvage/runtime/export.hpp>
#include <selvage/runtime/queue.hpp>
#include <selvage/runtime/view.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

namespace selvage::inline v0::codegen {
struct compiled_kernel;
}

namespace selvage::inline v0 {

/// One argument of a launch. It refers to its buffer and must not outlive it.
struct argument {
  enum class kind : std::uint8_t { buffer, view, value };

  kind what = kind::value;
  ir::type element = ir::type::none;
  std::uint8_t rank = 0;
  bool read_only = false;  ///< of a view: may not be written
  const std::shared_ptr<detail::buffer_state>* buffer = nullptr;
  void* pointer = nullptr;       ///< of a view
  ir::extents extents{1, 1, 1};  ///< of a buffer or view; 1 beyond the rank
  ir::extents strides{};         ///< of a view, in elements
  std::uint64_t bits = 0;        ///< of a value, as ir::to_bits gives it
};

template <class T, int Rank>
argument make_argument(const buffer<T, Rank>& b) {
  argument a{.what = argument::kind::buffer, .element = ir::type_of<T>(), .rank = Rank, .buffer = &b.state()};
  for (std::size_t k = 0; k < Rank; ++k) a.extents[k] = b.extents()[k];
  return a;
}

template <class T, int Rank>
argument make_argument(const view<T, Rank>& v) {
  argument a{.what = argument::kind::view,
             .element = ir::type_of<std::remove_const_t<T>>(),
             .rank = Rank,
             .read_only = std::is_const_v<T>,
             .pointer = const_cast<std::remove_const_t<T>*>(v.data())};
  for (std::size_t k = 0; k < Rank; ++k) a.extents[k] = v.extents()[k], a.strides[k] = v.strides()[k];
  return a;
}

template <ir::element T>
argument make_argument(T value) {
  return {.what = argument::kind::value, .element = ir::type_of<T>(), .bits = ir::to_bits(value)};
}

/// What the runtime remembers of one kernel between its launches, so that a repeated launch (same device, extents,
/// strides and integer values) neither hashes, nor looks up text, nor allocates. One static object a kernel.
class SELVAGE_RUNTIME_API kernel_slot {
 public:
  constexpr kernel_slot() = default;
  kernel_slot(const kernel_slot&) = delete;
  kernel_slot& operator=(const kernel_slot&) = delete;
  ~kernel_slot();

  struct memory;
  memory& get();

 private:
  std::atomic<memory*> memory_{nullptr};
};

/// Launches a kernel: checks everything that can be checked, moves what the kernel reads, compiles if need be, and puts
/// the work on the queue. `over` is the domain, for a kernel that does not take it from its arguments.
///
/// Throws selvage::error, and then nothing was launched, moved or marked: invalid_argument (number, type or rank of
/// arguments, domain, contents that nobody wrote), overlap, out_of_bounds (an access that certainly leaves its array),
/// out_of_memory, unsupported, no_plugin (the code generator cannot be opened), device_failure.
/// What a kernel does wrong while it runs is thrown by the next synchronisation: see event::wait.
///
/// May be called from several threads at once, with the same slot, queue and buffers too.
SELVAGE_RUNTIME_API event launch(const ir::image_view& image, kernel_slot& slot, const queue& on,
                                 std::span<const argument> arguments, const std::optional<ir::extents>& over = {});

/// Launches what was compiled before, such as bytes that codegen::deserialise read; needs no code generator. `image` is
/// the kernel's own, which the checks need. Throws as `launch` does, and unsupported if the compiled kernel assumes
/// what this launch does not fulfil.
SELVAGE_RUNTIME_API event launch_compiled(const codegen::compiled_kernel& kernel, const ir::image_view& image,
                                          const queue& on, std::span<const argument> arguments,
                                          const std::optional<ir::extents>& over = {});

}  // namespace selvage::inline v0
