// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as the code generator makes them for the host, written by hand: so the runtime is tested without it. Built as
// a shared object, whose bytes are the machine code.
#include <selvage/ir/fault.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

using namespace selvage;

/// Reads an argument block field by field, each naturally aligned.
class block_reader {
 public:
  explicit block_reader(const void* block) : at_(static_cast<const char*>(block)) {}
  template <class T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T v;
    std::memcpy(&v, at_ + offset_, sizeof v);
    offset_ += sizeof v;
    return v;
  }

 private:
  const char* at_;
  std::size_t offset_ = 0;
};

template <class T, std::size_t Rank = 1>
struct array {
  T* data;
  std::int64_t extents[Rank];
  std::int64_t strides[Rank];

  explicit array(block_reader& b) : data(b.next<T*>()) {
    for (auto& e : extents) e = b.next<std::int64_t>();
    for (auto& s : strides) s = b.next<std::int64_t>();
  }
  T& operator()(std::int64_t i) const { return data[i * strides[0]]; }
  T& operator()(std::int64_t i, std::int64_t j) const { return data[i * strides[0] + j * strides[1]]; }
};

void report(ir::fault_record* fault, std::uint32_t node, std::uint32_t parameter, std::int64_t index,
            std::int64_t extent, std::int64_t id) {
  std::uint32_t expected = 0;
  if (!std::atomic_ref(fault->claimed).compare_exchange_strong(expected, 1)) return;
  fault->node = node;
  fault->parameter = parameter;
  fault->index = index;
  fault->extent = extent;
  fault->id[0] = id;
}

}  // namespace

#define KERNEL(name)                                                                                        \
  extern "C" __attribute__((visibility("default"))) void name(const void* block, const std::int64_t* begin, \
                                                              const std::int64_t* end)

KERNEL(daxpy) {
  block_reader b(block);
  const array<double> y(b);
  const array<double> x(b);
  const auto a = b.next<double>();
  for (std::int64_t i = begin[0]; i < end[0]; ++i) y(i) += a * x(i);
}

KERNEL(fill) {
  block_reader b(block);
  const array<double> y(b);
  const auto a = b.next<double>();
  for (std::int64_t i = begin[0]; i < end[0]; ++i) y(i) = a;
}

KERNEL(copy) {
  block_reader b(block);
  const array<double> y(b);
  const array<double> x(b);
  for (std::int64_t i = begin[0]; i < end[0]; ++i) y(i) = x(i);
}

/// Two dimensions: index 0 of the box is x, the fastest axis.
KERNEL(add_one) {
  block_reader b(block);
  const array<double, 2> y(b);
  for (std::int64_t i = begin[1]; i < end[1]; ++i)
    for (std::int64_t j = begin[0]; j < end[0]; ++j) y(i, j) += 1;
}

KERNEL(gather) {
  block_reader b(block);
  const array<double> y(b);
  const array<const double> x(b);
  const array<const std::int64_t> index(b);
  b.next<std::int64_t>();  // the domain
  auto* const fault = b.next<ir::fault_record*>();
  for (std::int64_t i = begin[0]; i < end[0]; ++i) {
    const std::int64_t k = index(i);
    if (k < 0 || k >= x.extents[0])
      report(fault, 0, 1, k, x.extents[0], i);
    else
      y(i) = x(k);
  }
}

/// The domain's size is at the launch's end of the block.
KERNEL(iota) {
  block_reader b(block);
  const array<double> y(b);
  for (std::int64_t i = begin[0]; i < end[0]; ++i) y(i) = static_cast<double>(i);
}

/// Two steps of one kernel, sharing scratch memory: partial sums of eight elements each, then their sum.
KERNEL(sum_parts) {
  block_reader b(block);
  const array<double> x(b);
  auto* const parts = b.next<double*>();
  for (std::int64_t p = begin[0]; p < end[0]; ++p)
    for (std::int64_t i = p * 8; i < p * 8 + 8 && i < x.extents[0]; ++i) parts[p] += x(i);
}
KERNEL(sum_whole) {
  block_reader b(block);
  const array<double> r(b);
  auto* const parts = b.next<const double*>();
  const auto count = b.next<std::int64_t>();
  for (std::int64_t i = begin[0]; i < end[0]; ++i) {
    r(i) = 0;
    for (std::int64_t p = 0; p < (count + 7) / 8; ++p) r(i) += parts[p];
  }
}
