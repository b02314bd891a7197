// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What operators record: nodes, types, conversions, lines, and the identity of a kernel. Most is asserted at compile
// time, since that is when it happens.
#include <selvage/dsl.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace sv = selvage;
namespace ir = selvage::ir;
using op = ir::operation;
using type = ir::type;

namespace {

constexpr std::size_t count(const ir::image_view& image, op code) {
  std::size_t n = 0;
  for (const ir::node& x : image.nodes) n += x.code == code ? 1 : 0;
  return n;
}

constexpr const ir::node& last(const ir::image_view& image, op code) {
  const ir::node* found = nullptr;
  for (const ir::node& x : image.nodes)
    if (x.code == code) found = &x;
  return *found;
}

// Header and parameters.
constexpr auto daxpy = sv::kernel<"daxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});
constexpr ir::image_view image = daxpy.image().view();
static_assert(daxpy.name() == "daxpy" && image.name == "daxpy");
static_assert(image.file.ends_with("record_test.cpp"));
static_assert(image.header.magic == ir::magic && image.header.version == ir::format_version);
static_assert(image.header.length == sizeof(daxpy.image()));
static_assert(image.header.domain_rank == 1 && image.header.features == ir::features::float64);
static_assert(image.parameters.size() == 3);
static_assert(image.parameters[0].mode == ir::access::inout && image.parameters[0].rank == 1);
static_assert(image.parameters[1].mode == ir::access::in && image.parameters[1].element == type::float64);
static_assert(image.parameters[2].mode == ir::access::value && image.parameters[2].rank == 0);
static_assert(count(image, op::load) == 2 && count(image, op::store) == 1 && count(image, op::cast) == 0);
static_assert(image.header.content_hash == ir::content_hash(image));
static_assert(image.header.source_hash == ir::source_hash(image));
static_assert(image.header.checksum == ir::header_checksum(image.header));

// Identity: the same lambda elsewhere has the same content; another name, option, constant or mode has not.
constexpr auto again = sv::kernel<"daxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});
static_assert(again.image().header.content_hash == image.header.content_hash);
static_assert(again.image().header.source_hash != image.header.source_hash);
template <int Factor>
constexpr auto scaled = sv::kernel<"scaled">([](sv::inout<double> y) {
  auto i = sv::global_id(y);
  y(i) *= Factor;
});
static_assert(scaled<2>.image().header.content_hash != scaled<3>.image().header.content_hash);
constexpr auto renamed = sv::kernel<"saxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});
static_assert(renamed.image().header.content_hash != image.header.content_hash);
constexpr auto fast = sv::kernel<"daxpy", sv::fast>([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});
static_assert(fast.image().header.content_hash != image.header.content_hash);
static_assert(fast.image().header.options == ir::options::fast);

// Conversions: numbers become literals of the common type; values are cast only where a type changes.
constexpr auto mixed = sv::kernel<"mixed">([](sv::out<double> y, sv::in<float> f, sv::in<std::int32_t> n) {
  auto i = sv::global_id(y);
  y(i) = sv::cast<double>(f(i) * 2) + n(i);
});
static_assert(count(mixed.image().view(), op::cast) == 2);
static_assert(last(mixed.image().view(), op::store).type == type::float64);

constexpr auto small_integers =
    sv::kernel<"small">([](sv::out<std::int32_t> y, sv::in<std::uint8_t> a, sv::in<std::int8_t> b) {
      auto i = sv::global_id(y);
      y(i) = a(i) + b(i);  // as in C++, both are promoted to int first
    });
static_assert(last(small_integers.image().view(), op::add).type == type::int32);
static_assert(count(small_integers.image().view(), op::cast) == 2);

// A literal is of the type of what stands beside it, if that holds it exactly.
constexpr auto literal = sv::kernel<"literal">([](sv::inout<float> y) {
  auto i = sv::global_id(y);
  y(i) = y(i) * 0.5f + 1;
});
static_assert(count(literal.image().view(), op::cast) == 0);

// Helper functions and C++ loops leave no trace: what they compute is what is recorded.
constexpr auto poly = [](auto x) {
  auto sum = x;
  for (int k = 0; k < 3; ++k) sum = sum * x + 1.0;
  return sum;
};
constexpr auto helped = sv::kernel<"helped">([](sv::inout<double> y) {
  auto i = sv::global_id(y);
  y(i) = poly(y(i));
});
static_assert(count(helped.image().view(), op::multiply) == 3 && count(helped.image().view(), op::for_) == 0);

// Lines are the user's.
constexpr unsigned line = __LINE__;
constexpr auto lines = sv::kernel<"lines">([](sv::inout<double> y) {
  auto i = sv::global_id(y);
  y(i) = 1.0;
});
static_assert(last(lines.image().view(), op::store).line == line + 3);

// A tree whose nodes are shared has 2^40 paths and 40 nodes: verified in no time.
constexpr auto shared = sv::kernel<"shared">([](sv::inout<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
  auto j = i * 1;
  for (int k = 0; k < 40; ++k) j = j + j;
  y(i) = x(j);
});
static_assert(count(shared.image().view(), op::add) == 40);

// A domain of extents, of a view, given at the launch.
constexpr auto given = sv::kernel<"given">([](sv::scope k, sv::inout<double> y) {
  auto [i, j] = sv::global_id<2>(k);
  k.if_(i == 0, [&] { y(j) = 0.0; });
});
static_assert(given.image().header.domain_rank == 2);

TEST_CASE("record: an image in the object file is the image of the constant") {
  const auto& stored = daxpy.image();
  CHECK(reinterpret_cast<const char*>(&stored) + sizeof(ir::image_header) ==
        reinterpret_cast<const char*>(stored.view().parameters.data()));
  CHECK(ir::content_hash(stored.view()) == image.header.content_hash);
}

}  // namespace
