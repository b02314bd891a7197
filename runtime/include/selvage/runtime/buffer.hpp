// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer: an array with a host copy and device copies that are kept coherent by access mode.
#pragma once

#include <selvage/error.hpp>
#include <selvage/ir/image.hpp>
#include <selvage/ir/launch.hpp>
#include <selvage/ir/types.hpp>
#include <selvage/runtime/device.hpp>
#include <selvage/runtime/export.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <utility>

namespace selvage::inline v0 {

namespace detail {

class buffer_state;

/// What a host access is about to do with the contents.
enum class host_access : std::uint8_t { read, write, read_write };

SELVAGE_RUNTIME_API std::shared_ptr<buffer_state> make_buffer(ir::type element, std::span<const std::int64_t> extents);
SELVAGE_RUNTIME_API std::shared_ptr<buffer_state> borrow_buffer(ir::type element, std::span<const std::int64_t> extents,
                                                                void* memory, std::size_t elements, bool read_only);
SELVAGE_RUNTIME_API void* access_buffer(const std::shared_ptr<buffer_state>& buffer, host_access how);
SELVAGE_RUNTIME_API void prefetch_buffer(const std::shared_ptr<buffer_state>& buffer, const device& on);
/// Brings borrowed memory up to date and waits for what uses it. Nothing for a buffer that owns its memory.
SELVAGE_RUNTIME_API void give_back(buffer_state& buffer) noexcept;
[[noreturn]] SELVAGE_RUNTIME_API void throw_extent_too_large(std::uint64_t extent);

template <std::integral I>
constexpr std::int64_t to_extent(I extent) {
  if (!std::in_range<std::int64_t>(extent)) throw_extent_too_large(static_cast<std::uint64_t>(extent));
  return static_cast<std::int64_t>(extent);
}

/// Memory of elements T that may be read and not written, and that outlives the expression it stands in.
template <class Range, class T>
concept only_readable_as = std::ranges::borrowed_range<Range> && std::convertible_to<Range, std::span<const T>> &&
                           !std::convertible_to<Range, std::span<T>>;

}  // namespace detail

/// An array of Rank dimensions, row-major (the last index runs fastest), with a copy on the host and one on each device
/// that uses it. Memory is allocated where it is first needed; data move only when a copy that is out of date is read:
///
/// - a launch copies to its device what its kernel reads (`in`, `inout`), and never what it only writes (`out`);
/// - `read` and `read_write` bring the data home, once; `write` says that all elements will be overwritten, and moves
///   nothing.
///
/// A device that shares the host's memory (the host) works on the host copy itself.
///
/// Contents are undefined until somebody writes them, and after a launch that wrote them failed; reading them then
/// throws invalid_argument, or the failure. Launches hold what they use: a buffer may be destroyed with work in flight.
///
/// Threads: launches, `read` and `prefetch` of one buffer may run at once in several threads. `write` and `read_write`
/// may not run at once with another thread's use of the spans that they and `read` return; the calls themselves are
/// safe. Moving, assigning and destroying are not to run at once with anything else on the same object.
///
/// A buffer that was moved from has no contents: it may be assigned to or destroyed, and any other use of it throws
/// invalid_argument.
template <ir::element T, int Rank = 1>
class buffer {
 public:
  static_assert(Rank >= 0 && Rank <= ir::maximum_rank, "selvage: a buffer has 0 to 3 dimensions");
  using element = T;
  static constexpr int rank = Rank;
  using coordinates = std::array<std::int64_t, static_cast<std::size_t>(Rank)>;

  /// Undefined contents: `buffer<double, 2> a(rows, columns)`.
  template <std::integral... Extents>
    requires(sizeof...(Extents) == Rank)
  explicit buffer(Extents... extents) : buffer(coordinates{detail::to_extent(extents)...}) {}

  explicit buffer(const coordinates& extents)
      : extents_(extents), state_(detail::make_buffer(ir::type_of<T>(), extents_)) {}

  /// Borrows the caller's memory (a vector, an array, a span) as its host copy. The memory must stay until the buffer
  /// is destroyed; the destructor waits, and brings the data home. Meanwhile the caller touches it only through `read`,
  /// `write` and `read_write`.
  template <std::integral... Extents>
    requires(sizeof...(Extents) == Rank)
  explicit buffer(std::span<T> memory, Extents... extents)
      : extents_{detail::to_extent(extents)...},
        state_(detail::borrow_buffer(ir::type_of<T>(), extents_, memory.data(), memory.size(), false)) {}

  /// The same for memory that must not be written (a const vector, a span of const): a launch that would is refused.
  template <detail::only_readable_as<T> Range, std::integral... Extents>
    requires(sizeof...(Extents) == Rank)
  explicit buffer(Range&& memory, Extents... extents)
      : buffer(read_only_tag{}, std::span<const T>(memory), coordinates{detail::to_extent(extents)...}) {}

  /// One dimension: the whole memory.
  explicit buffer(std::span<T> memory)
    requires(Rank == 1)
      : buffer(memory, memory.size()) {}
  template <detail::only_readable_as<T> Range>
    requires(Rank == 1)
  explicit buffer(Range&& memory) : buffer(std::span<const T>(memory), std::span<const T>(memory).size()) {}

  buffer(buffer&& other) noexcept = default;
  buffer& operator=(buffer&& other) noexcept {
    if (this != &other) {
      if (state_) detail::give_back(*state_);
      extents_ = other.extents_;
      state_ = std::move(other.state_);
    }
    return *this;
  }
  ~buffer() {
    if (state_) detail::give_back(*state_);
  }

  const coordinates& extents() const { return extents_; }
  std::int64_t extent(int dimension) const { return extents_[static_cast<std::size_t>(dimension)]; }
  /// Number of elements.
  std::int64_t size() const {
    std::int64_t n = 1;
    for (const std::int64_t e : extents_) n *= e;
    return n;
  }

  /// The contents, row-major: waits for the last writer and copies home if the host copy is out of date. The span is
  /// good until the next launch, `write` or `read_write` that writes the buffer. Throws as event::wait does.
  std::span<const T> read() const { return span_of<const T>(detail::host_access::read); }
  /// To be overwritten wholly; the old contents are given up. Waits for what still uses the host copy.
  std::span<T> write() { return span_of<T>(detail::host_access::write); }
  /// To be changed in part. As `read`, and then the device copies are out of date.
  std::span<T> read_write() { return span_of<T>(detail::host_access::read_write); }

  /// Starts to copy the contents to a device, ahead of the launch that needs them, on its default queue.
  void prefetch(const device& on) const { detail::prefetch_buffer(state_, on); }

  const std::shared_ptr<detail::buffer_state>& state() const { return state_; }

 private:
  struct read_only_tag {};
  buffer(read_only_tag, std::span<const T> memory, const coordinates& extents)
      : extents_(extents),
        state_(detail::borrow_buffer(ir::type_of<T>(), extents_, const_cast<T*>(memory.data()), memory.size(), true)) {}

  template <class U>
  std::span<U> span_of(detail::host_access how) const {
    return {static_cast<U*>(detail::access_buffer(state_, how)), static_cast<std::size_t>(size())};
  }

  coordinates extents_;
  std::shared_ptr<detail::buffer_state> state_;
};

/// `buffer b(v)` and `buffer b(v, rows, columns)` of a vector, an array or a span.
/// \cond
// Doxygen takes the colon for that of initialisers.
template <std::ranges::contiguous_range Range, std::integral... Extents>
buffer(Range&&, Extents...)
    -> buffer<std::ranges::range_value_t<Range>, sizeof...(Extents) == 0 ? 1 : static_cast<int>(sizeof...(Extents))>;
/// \endcond

}  // namespace selvage::inline v0
