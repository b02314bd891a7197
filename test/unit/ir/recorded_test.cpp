// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as users write them: their images are well formed, survive bytes and back, and compute what they say.
#include <selvage/dsl.hpp>
#include <selvage/ir/read.hpp>

#include "images.hpp"

#include <cmath>
#include <fstream>

namespace selvage::test {
namespace {

namespace sv = selvage;

constexpr auto daxpy = sv::kernel<"daxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});

constexpr auto matmul = sv::kernel<"matmul">([](sv::out<double, 2> c, sv::in<double, 2> a, sv::in<double, 2> b) {
  auto [i, j] = sv::global_id(c);
  c(i, j) = sv::sum(a.extent(1), [=](auto k) { return a(i, k) * b(k, j); });
});

constexpr auto halves = sv::kernel<"halves">([](sv::scope k, sv::out<int> steps, sv::in<int> start) {
  auto i = sv::global_id(steps);
  auto n = k.var(start(i));
  auto count = k.var(0);
  k.while_([&] { return n > 1; },
           [&] {
             n = n / 2;
             count += 1;
           });
  steps(i) = count;
});

constexpr auto left_positive = sv::kernel<"left_positive">([](sv::out<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  y(i) = sv::select(i > 0 && x(i - 1) > 0, 1, 0);
});

TEST_CASE("recorded: images are well formed and found in this executable") {
  for (const ir::image_view& image :
       {daxpy.image().view(), matmul.image().view(), halves.image().view(), left_positive.image().view()}) {
    CHECK_NOTHROW(ir::check_structure(image));
    CHECK_NOTHROW(ir::check_rules(image));
    const std::vector<std::byte> bytes = ir::write_image(image);
    CHECK(ir::read_image(bytes).header == image.header);
  }
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::vector<char> content{std::istreambuf_iterator<char>(file), {}};
  const auto found = ir::find_images(std::as_bytes(std::span(content)), "this executable");
  CHECK(std::count_if(found.begin(), found.end(), [](const auto& i) { return i.name == "matmul"; }) == 1);
}

TEST_CASE("recorded: daxpy, matmul and loops compute") {
  std::vector<double> y{1, 2};
  std::vector<double> x{3, 4};
  CHECK(ir::interpret(daxpy.image().view(), std::vector{view_of(y), view_of(x), value_of(2.0)}, {2, 1, 1}).clean());
  CHECK(y == std::vector<double>{7, 10});

  std::vector<double> a{1, 2, 3, 4, 5, 6};
  std::vector<double> b{1, 0, 2, 1, 0, 3};
  std::vector<double> c(4);
  CHECK(ir::interpret(matmul.image().view(), std::vector{view_of(c, {2, 2}), view_of(a, {2, 3}), view_of(b, {3, 2})},
                      {2, 2, 1})
            .clean());
  CHECK(c == std::vector<double>{5, 11, 14, 23});

  std::vector<int> steps(3);
  std::vector<int> start{1, 9, 64};
  CHECK(ir::interpret(halves.image().view(), std::vector{view_of(steps), view_of(start)}, {3, 1, 1}).clean());
  CHECK(steps == std::vector<int>{0, 3, 6});
}

TEST_CASE("recorded: && loads its right side only under the condition, and the launch proves it") {
  std::vector<int> y(4);
  std::vector<int> x{1, 0, 5, 5};
  const std::vector arguments{view_of(y), view_of(x)};
  CHECK(!ir::decide(left_positive.image().view(), ir::launch_arguments(arguments), {4, 1, 1}).guarded);
  CHECK(ir::interpret(left_positive.image().view(), arguments, {4, 1, 1}).clean());
  CHECK(y == std::vector<int>{0, 1, 0, 1});
}

}  // namespace
}  // namespace selvage::test
