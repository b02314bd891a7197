// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = A x for a sparse matrix in compressed rows, from a Matrix Market file: spmv [FILE.mtx]
#include "support/matrix_market.hpp"
#include "support/timer.hpp"

#include <fmt/core.h>
#include <selvage/selvage.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

namespace sv = selvage;

// x(column(k)) depends on data: the kernel checks it against x's extent, and a bad column is reported by its number.
inline constexpr auto spmv =
    sv::kernel<"spmv">([](sv::out<double> y, sv::in<std::int64_t> first, sv::in<std::int32_t> column,
                          sv::in<double> value, sv::in<double> x) {
      auto i = sv::global_id(y);
      y(i) = sv::sum(first(i), first(i + 1), [=](auto k) { return value(k) * x(column(k)); });
    });

// The five-point Laplacian of a square grid, for when no file is given.
samples::sparse_matrix laplacian(std::int64_t side) {
  std::vector<samples::matrix_entry> entries;
  for (std::int64_t i = 0; i < side * side; ++i) {
    entries.push_back({i, i, 4.0});
    if (i % side > 0) entries.push_back({i, i - 1, -1.0}), entries.push_back({i - 1, i, -1.0});
    if (i >= side) entries.push_back({i, i - side, -1.0}), entries.push_back({i - side, i, -1.0});
  }
  return samples::compress(side * side, side * side, std::move(entries));
}

int main(int argc, char** argv) try {
  const samples::sparse_matrix m = argc > 1 ? samples::read_matrix_market(argv[1]) : laplacian(300);
  const auto entries = static_cast<std::int64_t>(m.value.size());
  sv::device device;
  sv::buffer<double> x(m.columns), y(m.rows), value(entries);
  sv::buffer<std::int64_t> first(m.rows + 1);
  sv::buffer<std::int32_t> column(entries);
  std::ranges::copy(m.first, first.write().begin());
  std::ranges::copy(m.column, column.write().begin());
  std::ranges::copy(m.value, value.write().begin());
  for (std::int64_t j = 0; double& v : x.write()) v = std::sin(static_cast<double>(j++));

  spmv.on(device)(y, first, column, value, x).wait();
  const double ms = samples::milliseconds([&] { spmv.on(device)(y, first, column, value, x).wait(); });

  // Against a plain loop: the two may round each of a row's sums differently.
  const auto in = x.read();
  const auto result = y.read();
  bool right = true;
  for (std::size_t i = 0; i < result.size(); ++i) {
    double sum = 0, magnitude = 0;
    for (auto k = static_cast<std::size_t>(m.first[i]); k < static_cast<std::size_t>(m.first[i + 1]); ++k) {
      const double term = m.value[k] * in[static_cast<std::size_t>(m.column[k])];
      sum += term, magnitude += std::abs(term);
    }
    const auto terms = static_cast<double>(m.first[i + 1] - m.first[i]);
    right = right && std::abs(result[i] - sum) <= 1.2e-16 * (terms + 1) * 2 * magnitude;
  }
  fmt::print("spmv of {} x {} with {} entries on {}: {}, {:.3f} ms\n", m.rows, m.columns, entries,
             device.describe().name, right ? "right" : "WRONG", ms);
  return right ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "spmv: {}\n", error.what());
  return 1;
}
