// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The images of the kernels in kernels.cpp.
#pragma once

#include <image_builder.hpp>

#include <selvage/runtime.hpp>

namespace selvage::test {

/// A kernel for tests: an image with its slot.
struct test_kernel {
  built_image image;
  kernel_slot slot;

  explicit test_kernel(built_image i) : image(std::move(i)) {}

  template <class... Arguments>
  event operator()(const queue& on, const Arguments&... arguments) {
    const argument list[] = {make_argument(arguments)...};
    return launch(image.view(), slot, on, list);
  }
  template <class... Arguments>
  event operator()(const device& on, const Arguments&... arguments) {
    return (*this)(on.default_queue(), arguments...);
  }
};

/// y += a x
inline built_image daxpy_image() {
  image_builder b("daxpy");
  b.line = 7;
  const auto y = b.inout(ir::type::float64);
  const auto x = b.in(ir::type::float64);
  const auto a = b.value(ir::type::float64);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.add(b.load(y, {i}), b.multiply(b.argument(a), b.load(x, {i}))));
  return b.finish();
}

/// y = a
inline built_image fill_image() {
  image_builder b("fill");
  const auto y = b.out(ir::type::float64);
  const auto a = b.value(ir::type::float64);
  b.domain_of(y);
  b.covers(y, b.store(y, {b.id()}, b.argument(a)));
  return b.finish();
}

/// y = x
inline built_image copy_image() {
  image_builder b("copy");
  const auto y = b.out(ir::type::float64);
  const auto x = b.in(ir::type::float64);
  b.domain_of(y);
  const auto i = b.id();
  b.covers(y, b.store(y, {i}, b.load(x, {i})));
  return b.finish();
}

/// y = x(index)
inline built_image gather_image() {
  image_builder b("gather");
  b.line = 12;
  const auto y = b.out(ir::type::float64);
  const auto x = b.in(ir::type::float64);
  const auto index = b.in(ir::type::int64);
  b.domain_of(y);
  const auto i = b.id();
  b.covers(y, b.store(y, {i}, b.load(x, {b.load(index, {i})})));
  return b.finish();
}

/// y(i, j) += 1
inline built_image add_one_image() {
  image_builder b("add_one");
  const auto y = b.inout(ir::type::float64, 2);
  b.domain_of(y);
  const auto i = b.id(0);
  const auto j = b.id(1);
  b.store(y, {i, j}, b.add(b.load(y, {i, j}), b.literal(1.0)));
  return b.finish();
}

/// y(i) = i over a domain that the launch gives
inline built_image iota_image() {
  image_builder b("iota");
  const auto y = b.inout(ir::type::float64);
  b.given_domain(1);
  const auto i = b.id();
  b.store(y, {i}, b.cast(ir::type::float64, i));
  return b.finish();
}

/// r(i) = sum of x
inline built_image sum_image() {
  image_builder b("sum");
  const auto r = b.out(ir::type::float64);
  const auto x = b.in(ir::type::float64);
  b.domain_of(r);
  const auto i = b.id();
  const auto f = b.fold(ir::fold_kind::sum, b.literal(std::int64_t{0}), b.extent(x));
  b.yield(f, b.load(x, {f}));
  b.covers(r, b.store(r, {i}, b.end(f)));
  return b.finish();
}

}  // namespace selvage::test
