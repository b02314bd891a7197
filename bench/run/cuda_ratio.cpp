// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selvage's kernels beside the same kernels hand-written in CUDA, in one process, on the same memory. Prints a table;
// the exit code is 1 if a result differs or a ratio is neither at most 1.02 nor within the batches' spread.
#include "alternate.hpp"
#include "kernels.hpp"

#include "../cuda/launch.hpp"

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int batches = 30;
constexpr double batch_milliseconds = 30;

void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(code));
}

/// Device memory that both read and write.
template <class T>
class device_array {
 public:
  explicit device_array(std::int64_t n) : size_(static_cast<std::size_t>(n)) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
  }
  device_array(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }

  T* data() { return data_; }
  template <std::size_t Rank>
  auto in(const std::array<std::int64_t, Rank>& extents) {
    return sv::view<const T, static_cast<int>(Rank)>::from_device(data_, extents);
  }
  template <std::size_t Rank>
  auto out(const std::array<std::int64_t, Rank>& extents) {
    return sv::view<T, static_cast<int>(Rank)>::from_device(data_, extents);
  }

  /// Numbers between -1 and 1 that look random, the same at every call with the same seed.
  void fill(std::uint64_t seed) {
    std::vector<T> host(size_);
    for (T& v : host) {
      seed = seed * 6364136223846793005U + 1442695040888963407U;
      v = static_cast<T>(static_cast<double>(static_cast<std::int64_t>(seed)) * 0x1p-63);
    }
    check(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
  }
  std::vector<T> read() {
    std::vector<T> host(size_);
    check(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  std::size_t bytes() const { return size_ * sizeof(T); }
  std::size_t size_;
  T* data_ = nullptr;
};

class table {
 public:
  explicit table(const sv::device& on) : queue_(on) {
    fmt::print("{}; microseconds a launch, medians of {} batches by turns; spread: quartiles over median\n",
               on.describe().name, batches);
    fmt::print("{:12} {:>10} {:>10} {:>7} {:>8} {:>8} {:>9} {:>11}\n", "kernel", "ours", "cuda", "ratio", "spread",
               "(cuda)", "launches", "difference");
  }

  const sv::queue& queue() const { return queue_; }
  bool all_hold() const { return all_hold_; }

  /// Launches each once on fresh inputs and compares what they leave in `result`; then measures.
  template <class T>
  void row(const char* name, device_array<T>& result, double tolerance, const std::function<void()>& ours,
           const std::function<void()>& theirs) {
    const bench::contender a{ours, [this] { queue_.synchronise(); }};
    const bench::contender b{theirs, [] { check(cudaStreamSynchronize(nullptr)); }};
    const auto left_by = [&](const bench::contender& c) {
      result.fill(1);
      c.launch();
      c.wait();
      check(cudaGetLastError());
      return result.read();
    };
    const std::vector<T> x = left_by(a), y = left_by(b);
    double difference = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      difference = std::max(difference, std::abs(static_cast<double>(x[k]) - static_cast<double>(y[k])));

    const bench::comparison c = bench::alternate(a, b, batches, batch_milliseconds);
    const bool right = difference <= tolerance;
    all_hold_ = all_hold_ && right && c.holds();
    fmt::print("{:12} {:10.2f} {:10.2f} {:7.3f} {:7.2f}% {:7.2f}% {:9} {:11.1e}{}{}\n", name, c.ours.median,
               c.theirs.median, c.ratio(), 100 * c.ours.spread(), 100 * c.theirs.spread(), c.launches, difference,
               right ? "" : "  DIFFERENT RESULTS", c.holds() ? "" : "  SLOWER");
    std::fflush(stdout);
  }

 private:
  sv::queue queue_;
  bool all_hold_ = true;
};

template <class T>
void measure_triad(table& t, const char* name, int n) {
  device_array<T> a(n), b(n), c(n);
  b.fill(2);
  c.fill(3);
  const auto s = static_cast<T>(0.5);
  const std::array<std::int64_t, 1> extents{n};
  t.row(
      name, a, 1e-6, [&] { triad<T>.on(t.queue())(a.out(extents), b.in(extents), c.in(extents), s); },
      [&] { cuda::launch_triad(a.data(), b.data(), c.data(), s, n); });
}

void measure_daxpy(table& t, int n) {
  device_array<double> y(n), x(n);
  x.fill(2);
  const std::array<std::int64_t, 1> extents{n};
  t.row(
      "daxpy f64", y, 1e-15, [&] { daxpy.on(t.queue())(y.out(extents), x.in(extents), 0.5); },
      [&] { cuda::launch_daxpy(y.data(), x.data(), 0.5, n); });
}

void measure_matmul(table& t, int n) {
  const std::int64_t cells = std::int64_t{n} * n;
  device_array<double> c(cells), a(cells), b(cells);
  a.fill(2);
  b.fill(3);
  const std::array<std::int64_t, 2> extents{n, n};
  t.row(
      "matmul f64", c, 1e-10, [&] { matmul.on(t.queue())(c.out(extents), a.in(extents), b.in(extents)); },
      [&] { cuda::launch_matmul(c.data(), a.data(), b.data(), n); });
}

void measure_heat(table& t, int n) {
  const std::int64_t cells = std::int64_t{n} * n * n;
  device_array<double> next(cells), now(cells);
  now.fill(2);
  const std::array<std::int64_t, 3> extents{n, n, n};
  t.row(
      "heat f64", next, 1e-14, [&] { heat.on(t.queue())(next.out(extents), now.in(extents), 0.1); },
      [&] { cuda::launch_heat(next.data(), now.data(), 0.1, n); });
}

}  // namespace

int main() try {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    fmt::print("skipped: no device\n");
    return 0;
  }
  check(cudaSetDevice(0));
  check(cudaFree(nullptr));  // the primary context, which liboffload shares
  table t(sv::device("offload"));
  measure_daxpy(t, 1 << 27);
  measure_triad<float>(t, "triad f32", 1 << 28);
  measure_triad<double>(t, "triad f64", 1 << 27);
  measure_matmul(t, 2048);
  measure_heat(t, 500);
  return t.all_hold() ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "cuda_ratio: {}\n", error.what());
  return 1;
}
