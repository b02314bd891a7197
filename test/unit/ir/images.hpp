// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small images and arguments that several tests of the image library use.
#pragma once

#include <selvage/error.hpp>
#include <selvage/ir/interpret.hpp>
#include <selvage/ir/structure.hpp>

#include <image_builder.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace selvage::test {

using op = ir::operation;
using ir::type;

/// y(i) = y(i) + a * x(i)
inline image_builder daxpy_builder() {
  image_builder b("daxpy");
  const auto y = b.inout(type::float64);
  const auto x = b.in(type::float64);
  const auto a = b.value(type::float64);
  b.line = 7;
  b.domain_of(y);
  const auto i = b.id();
  b.line = 8;
  const auto old = b.load(y, {i});
  b.store(y, {i}, b.add(old, b.multiply(b.argument(a), b.load(x, {i}))));
  return b;
}

/// Row-major view of a vector.
template <class T>
ir::host_argument view_of(std::vector<T>& v, const std::vector<std::int64_t>& extents) {
  ir::host_argument a{.data = v.data()};
  std::int64_t stride = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    a.extents[d] = extents[d];
    a.strides[d] = stride;
    stride *= extents[d];
  }
  return a;
}

template <class T>
ir::host_argument view_of(std::vector<T>& v) {
  return view_of(v, {static_cast<std::int64_t>(v.size())});
}

template <class T>
ir::host_argument value_of(T v) {
  return {.value = ir::to_bits(v)};
}

/// What the selvage::error that `f` throws says; empty if it throws none.
inline std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The error's text must hold the part; shows the text if it does not.
inline void check_error(const std::function<void()>& f, const std::string& part) {
  const std::string text = error_of(f);
  INFO("expected: " << part << "; found: " << text);
  CHECK(contains(text, part));
}

}  // namespace selvage::test
