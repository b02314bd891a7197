// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launching compiled kernels, with several steps and scratch memory.
#include "compiled.hpp"
#include "check.hpp"
#include "test_device.hpp"

#include <algorithm>
#include <numeric>

using namespace selvage;
using namespace selvage::test;

TEST_CASE("a recipe of two steps with scratch memory that is cleared before each launch") {
  const codegen::compiled_kernel sum = codegen::deserialise(codegen::serialise(compiled_sum()));
  const built_image image = sum_image();
  for (const device& d : {device("host"), device::own(std::make_shared<test_device>(), "test")}) {
    const auto launches = d.statistics().launches;
    for (const std::int64_t n : {100, 1000, 10, 5000}) {  // scratch memory grows while older launches may use it
      buffer<double> x(n), r(1);
      std::iota(x.write().begin(), x.write().end(), 1.0);
      const argument list[] = {make_argument(r), make_argument(x)};
      launch_compiled(sum, image.view(), d.default_queue(), list);
      launch_compiled(sum, image.view(), d.default_queue(), list);
      CHECK(r.read()[0] == static_cast<double>(n * (n + 1) / 2));
    }
    CHECK(d.statistics().launches == launches + 16);
  }
}

TEST_CASE("a compiled kernel is refused where its assumptions do not hold, or for another image") {
  const device d("host");
  codegen::compiled_kernel sum = compiled_sum();
  const built_image image = sum_image();
  std::vector<double> memory(100, 1.0);
  buffer<double> r(1);
  const argument gaps[] = {make_argument(r), make_argument(view<double>::from_device(memory.data(), {10}, {3}))};
  sum.recipe.assumes.contiguous = true;
  check_throws(error_code::unsupported, {"kernel 'sum'", "without gaps"},
               [&] { launch_compiled(sum, image.view(), d.default_queue(), gaps); });
  sum.recipe.assumes = {.narrow = true};
  const argument far[] = {make_argument(r),
                          make_argument(view<double>::from_device(memory.data(), {2}, {std::int64_t{1} << 31}))};
  check_throws(error_code::unsupported, {"kernel 'sum'", "32 bits"},
               [&] { launch_compiled(sum, image.view(), d.default_queue(), far); });
  sum.recipe.assumes = {.guarded = false};
  const built_image other = copy_image();
  const argument two[] = {make_argument(r), make_argument(view<double>::from_device(memory.data(), {1}))};
  check_throws(error_code::invalid_argument, {"another image"},
               [&] { launch_compiled(sum, other.view(), d.default_queue(), two); });
}

TEST_CASE("damaged recipes are refused, not followed") {
  const device d("null");
  const built_image image = sum_image();
  std::vector<double> memory(8, 1.0);
  buffer<double> r(1);
  const argument list[] = {make_argument(r), make_argument(view<double>::from_device(memory.data(), {8}))};
  const auto refused = [&](auto&& damage) {
    codegen::compiled_kernel sum = compiled_sum();
    damage(sum.recipe);
    check_throws(error_code::invalid_file, {"recipe"},
                 [&] { launch_compiled(sum, image.view(), d.default_queue(), list); });
  };
  refused([](auto& recipe) { recipe.steps[1].slots[0].offset = 1000; });
  refused([](auto& recipe) { recipe.steps[1].slots[0].parameter = 7; });
  refused([](auto& recipe) { recipe.steps[0].scratch = 3; });
  refused([](auto& recipe) { recipe.scratch[0].rows[0].a = 9; });
  refused([](auto& recipe) { recipe.scratch[0].rows.push_back({codegen::size_expression::code::multiply, 88, 0, 0}); });
}
