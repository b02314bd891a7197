// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the recording to the tree: unused values vanish, and loads on the right of &&, || and select happen only under
// the condition. Each kernel is also run by the interpreter where an unguarded load would leave the array.
#include <selvage/dsl.hpp>
#include <selvage/ir/interpret.hpp>
#include <selvage/ir/structure.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace sv = selvage;
namespace ir = selvage::ir;
using op = ir::operation;

namespace {

constexpr std::size_t count(const ir::image_view& image, op code) {
  std::size_t n = 0;
  for (const ir::node& x : image.nodes) n += x.code == code ? 1 : 0;
  return n;
}

ir::host_argument argument(std::vector<int>& v) {
  return {v.data(), {static_cast<std::int64_t>(v.size()), 1, 1}, {1, 0, 0}, 0};
}

/// y over x by the kernel, with every access checked.
template <class Kernel>
std::vector<int> run(const Kernel& kernel, std::vector<int> x) {
  const ir::image_view image = kernel.image().view();
  CHECK_NOTHROW(ir::check_structure(image));
  CHECK_NOTHROW(ir::check_rules(image));
  std::vector<int> y(x.size(), -1);
  const std::vector<ir::host_argument> arguments{argument(y), argument(x)};
  const ir::interpretation r = ir::interpret(image, arguments, {static_cast<std::int64_t>(x.size()), 1, 1});
  INFO((r.found ? r.found->sentence : std::string()));
  CHECK(r.clean());
  return y;
}

// Unused values.
constexpr auto unused = sv::kernel<"unused">([](sv::out<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  [[maybe_unused]] auto lost = x(i + 1) * 3;  // no load: nobody uses it, so it may not fault either
  y(i) = 7;
});
static_assert(count(unused.image().view(), op::load) == 0 && count(unused.image().view(), op::multiply) == 0);
TEST_CASE("finish: an unused value is not computed") {
  CHECK(run(unused, {1, 2}) == std::vector{7, 7});
}

// Atomic operations happen where they are written, used or not; the load of the element that they name does not.
constexpr auto counted = sv::kernel<"counted">([](sv::inout<int> y, sv::in<int> x) {
  auto i = sv::global_id(x);
  sv::atomic_add(y(x(i)), 1);
  auto both = x(i) > 100 && sv::atomic_exchange(y(2), 5) > 0;
  sv::atomic_max(y(3), sv::select(both, 9, sv::cast<int>(i)));
});
static_assert(count(counted.image().view(), op::atomic) == 3);
static_assert(counted.image().parameters.data()[0].flags == ir::parameter_flags::shared &&
              counted.image().parameters.data()[1].flags == 0);
TEST_CASE("finish: atomic operations") {
  const ir::image_view image = counted.image().view();
  CHECK_NOTHROW(ir::check_structure(image));
  CHECK_NOTHROW(ir::check_rules(image));
  for (const ir::node& n : image.nodes)
    if (n.code == op::load) CHECK(n.attribute == 1);
  std::vector<int> y{0, 0, 0, -7}, x{0, 1, 1, 0, 1};
  const std::vector<ir::host_argument> arguments{argument(y), argument(x)};
  CHECK(ir::interpret(image, arguments, {5, 1, 1}).clean());
  CHECK(y == std::vector{2, 3, 5, 4});
}

// Lazy operations without loads stay operations.
constexpr auto plain = sv::kernel<"plain">([](sv::out<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  auto v = x(i);
  y(i) = sv::select(v > 0 && v < 10, v, 0 - v);
});
static_assert(count(plain.image().view(), op::choose) == 0 && count(plain.image().view(), op::select) == 1);
TEST_CASE("finish: without loads nothing becomes a region") {
  CHECK(run(plain, {5, 20, -3}) == std::vector{5, -20, 3});
}

// The right side of && and ||.
constexpr auto left = sv::kernel<"left">([](sv::out<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  y(i) = sv::select(i > 0 && x(i - 1) > 0, 1, 0);
});
static_assert(count(left.image().view(), op::choose) == 1);
TEST_CASE("finish: && loads under its left side") {
  CHECK(run(left, {1, 1, -1, 1}) == std::vector{0, 1, 1, 0});
}

constexpr auto edge = sv::kernel<"edge">([](sv::out<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  y(i) = sv::select(i == 0 || x(i - 1) == 3, 1, 0);
});
TEST_CASE("finish: || loads where its left side is false") {
  CHECK(run(edge, {3, 4, 5}) == std::vector{1, 1, 0});
}

// Both sides of select, nested in each other, with values that both or the outside use.
constexpr auto nested = sv::kernel<"nested">([](sv::out<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  auto before = sv::select(i > 1 && x(i - 2) > 0, x(i - 1), sv::select(i > 0, x(i - 1) * 10, 0));
  y(i) = before + x(i);
});
TEST_CASE("finish: select in select") {
  CHECK(run(nested, {1, 2, 3, 4}) == std::vector{0 + 1, 10 + 2, 2 + 3, 3 + 4});
}

constexpr auto common = sv::kernel<"common">([](sv::out<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  auto v = x(i);  // used under the condition and outside it: loaded once, before
  y(i) = sv::select(v > 2, v * 2, 1) + v;
});
static_assert(count(common.image().view(), op::load) == 1 && count(common.image().view(), op::choose) == 0);
TEST_CASE("finish: what is used outside too stays outside") {
  CHECK(run(common, {1, 3}) == std::vector{2, 9});
}

// What a store may change is not moved behind it.
constexpr auto order = sv::kernel<"order">([](sv::inout<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  auto old = sv::let(y(i));
  y(i) = x(i);
  y(i) = sv::select(x(i) > 2, old, y(i) + 100);
});
TEST_CASE("finish: a load stays before the store that would change it") {
  CHECK(run(order, {1, 3}) == std::vector{101, -1});
}

// A fold on the right side runs only under the condition.
constexpr auto lazy_fold = sv::kernel<"lazy_fold">([](sv::out<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  y(i) = sv::select(x(i) > 0, sv::sum(x(i), [=](auto k) { return x(k); }), 0);
});
TEST_CASE("finish: a fold under a condition") {
  CHECK(run(lazy_fold, {2, -1000, 3}) == std::vector{-998, 0, -995});
}

constexpr auto in_loop = sv::kernel<"in_loop">([](sv::scope k, sv::out<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  auto n = k.var(0);
  k.for_(0, 3, [&](auto step) { k.if_(i + step < x.extent(0) && x(i + step) > 0, [&] { n += 1; }); });
  y(i) = n;
});
TEST_CASE("finish: in loops and branches") {
  CHECK(run(in_loop, {1, 0, 1, 1}) == std::vector{2, 2, 2, 1});
}

}  // namespace
