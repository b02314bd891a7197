// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what two executors made of one launch.
#include "launch_case.hpp"

#include "random_image.hpp"

#include <selvage/error.hpp>
#include <selvage/ir/print.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace selvage::test {

bool launch_case::is_contiguous() const {
  return std::all_of(arguments.begin(), arguments.end(), [](const case_argument& a) {
    std::int64_t stride = 1;
    for (std::size_t d = a.about.rank; d-- > 0;) {
      if (a.strides[d] != stride) return false;
      stride *= a.extents[d];
    }
    return true;
  });
}

std::vector<ir::launch_argument> launch_case::launch_arguments() const {
  std::vector<ir::launch_argument> list;
  for (const case_argument& a : arguments) list.push_back({a.extents, a.value});
  return list;
}

codegen::variant variant_of(const launch_case& one) {
  codegen::variant v{.guarded = true, .contiguous = false, .wide_grid = false, .contract = false};
  if (one.seed % 2 == 0) return v;
  v.contiguous = one.is_contiguous();
  v.narrow = one.seed % 4 == 1;
  try {
    v.guarded = ir::decide(one.image.view(), one.launch_arguments(), one.domain).guarded;
  } catch (const error&) {
    v.guarded = true;  // a launch would be refused; the guards must hold all the same
  }
  return v;
}

namespace {

template <class T>
std::string element_difference(const std::byte* a, const std::byte* b) {
  T x{};
  T y{};
  std::memcpy(&x, a, sizeof(T));
  std::memcpy(&y, b, sizeof(T));
  if (std::memcmp(a, b, sizeof(T)) == 0 || (x != x && y != y)) return {};
  return fmt::format("{} instead of {}", ir::print_value(ir::type_of<T>(), ir::to_bits(y)),
                     ir::print_value(ir::type_of<T>(), ir::to_bits(x)));
}

std::string memory_difference(ir::type t, const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  if (a.size() != b.size()) return fmt::format("{} bytes instead of {}", b.size(), a.size());
  const auto size = static_cast<std::size_t>(ir::properties(t).bytes);
  for (std::size_t k = 0; k + size <= a.size(); k += size) {
    const std::string found = ir::with_type(t, [&]<class T>() {
      using stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
      return element_difference<stored>(a.data() + k, b.data() + k);
    });
    if (!found.empty()) return fmt::format("element {} of the buffer is {}", k / size, found);
  }
  return {};
}

bool same(const ir::fault_record& a, const ir::fault_record& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

std::string text_of(const ir::fault_record& f) {
  return fmt::format("node {}, argument {}, dimension {}, index {}, extent {}, work-item ({}, {}, {})", f.node,
                     f.parameter, f.dimension, f.index, f.extent, f.id[0], f.id[1], f.id[2]);
}

}  // namespace

std::string difference(const launch_case& one, const outcome& reference, const outcome& other) {
  for (std::size_t k = 0; k < one.arguments.size(); ++k) {
    if (one.arguments[k].about.mode == ir::access::value) continue;
    const std::string found = memory_difference(one.arguments[k].about.element, reference.memory[k], other.memory[k]);
    if (!found.empty()) return fmt::format("argument {}: {}", k, found);
  }
  if (reference.faults.empty() != other.faults.empty())
    return other.faults.empty() ? fmt::format("no fault instead of: {}", text_of(reference.faults.front()))
                                : fmt::format("a fault: {}", text_of(other.faults.front()));
  for (const ir::fault_record& f : other.faults)
    if (std::none_of(reference.faults.begin(), reference.faults.end(), [&](const auto& r) { return same(f, r); }))
      return fmt::format("a fault that nobody had: {}; the first was: {}", text_of(f),
                         text_of(reference.faults.front()));
  return {};
}

std::string compare(std::uint64_t seed, const executor& reference, const executor& other) {
  const launch_case one = random_case(seed);
  const codegen::variant v = variant_of(one);
  std::string found;
  try {
    found = difference(one, reference(one, v), other(one, v));
  } catch (const std::exception& e) {
    found = e.what();
  }
  if (found.empty()) return {};
  return fmt::format("seed {}, {}, {}, domain {} x {} x {}: {}\n{}", seed, v.guarded ? "guarded" : "unguarded",
                     v.contiguous ? "contiguous" : "strided", one.domain[0], one.domain[1], one.domain[2], found,
                     ir::print(one.image.view()));
}

}  // namespace selvage::test
