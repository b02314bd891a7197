// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The typed layer: a kernel's own type, bound to a device or queue.
#include "check.hpp"
#include "images.hpp"
#include "test_device.hpp"

#include <algorithm>
#include <tuple>

using namespace selvage;
using namespace selvage::test;

namespace {

template <class T, ir::access Mode, int Rank>
struct tag {
  using element = T;
  static constexpr ir::access mode = Mode;
  static constexpr int rank = Rank;
};

/// What the DSL's kernel type is for the runtime: an image that is a constant, and a signature.
template <bool DomainAtLaunch>
struct typed_iota {
  using signature = std::tuple<tag<double, ir::access::inout, 1>, tag<double, ir::access::value, 0>>;
  static constexpr auto make() {
    ir::stored_image<2, 4, 4, 4> s{};
    s.parameters.items[0] = {ir::type::float64, ir::access::inout, 1, 0, ir::no_node};
    s.parameters.items[1] = {ir::type::float64, ir::access::value, 0, 0, ir::no_node};
    s.nodes.items[0] = {.code = ir::operation::extent, .type = ir::type::int64};
    s.nodes.items[1] = {.code = ir::operation::domain, .arity = DomainAtLaunch ? 0 : 1, .attribute = 1};
    s.nodes.items[2] = {.code = ir::operation::value, .type = ir::type::float64, .operands = 1, .attribute = 1};
    s.nodes.items[3] = {
        .code = ir::operation::store, .type = ir::type::float64, .arity = 2, .operands = 1, .attribute = 0};
    s.operands.items[1] = 4;
    s.operands.items[2] = 2;
    s.text.items[0] = 'f', s.text.items[1] = 'i', s.text.items[2] = 'l', s.text.items[3] = 'l';
    s.header.name_length = 4;
    s.header.parameters = 2, s.header.nodes = 4, s.header.operands = 4;
    s.header.domain = 1, s.header.domain_rank = 1;
    return s;
  }
  static constexpr auto stored = [] {
    // The id stands before the store that uses it: nodes in order are extent, domain, id, value, store.
    ir::stored_image<2, 5, 4, 4> s{};
    const auto from = make();
    s.header = from.header;
    s.parameters = from.parameters;
    s.operands = from.operands;
    s.text = from.text;
    s.nodes.items[0] = from.nodes.items[0];
    s.nodes.items[1] = from.nodes.items[1];
    s.nodes.items[2] = {.code = ir::operation::id, .type = ir::type::int64};
    s.nodes.items[3] = from.nodes.items[2];
    s.nodes.items[4] = from.nodes.items[3];
    s.operands.items[0] = 0;
    s.operands.items[1] = 2;
    s.operands.items[2] = 3;
    s.header.nodes = 5;
    s.header.content_hash = ir::content_hash(s.view());
    return s;
  }();
  static constexpr const auto& image() { return stored; }

  template <class Where>
  auto on(Where&& where) const {
    return make_launcher(*this, std::forward<Where>(where));
  }
};

}  // namespace

TEST_CASE("a kernel is launched on a device and on a queue; numbers convert where nothing is lost") {
  const device d("host");
  buffer<double> y(5);
  std::ranges::fill(y.write(), 0.0);
  constexpr typed_iota<false> k;
  const event e = k.on(d)(y, 2);  // int to double
  e.wait();
  CHECK(y.read()[4] == 2.0);
  const queue q(d);
  k.on(q)(y, 2.5f);
  CHECK(y.read()[4] == 2.5);
  double memory[3] = {};
  k.on(q)(view<double>::from_device(memory, {3}), 1.0).wait();
  CHECK(memory[2] == 1.0);
}

TEST_CASE("a domain given at the launch, before or after the arguments") {
  const device d("host");
  buffer<double> y(5);
  std::ranges::fill(y.write(), 0.0);
  constexpr typed_iota<true> k;
  k.on(d)(y, 1.0).over(3);
  CHECK(y.read()[2] == 1.0);
  CHECK(y.read()[3] == 0.0);
  k.on(d).over(4u)(y, 2.0);
  CHECK(y.read()[3] == 2.0);
  CHECK(y.read()[4] == 0.0);
  check_throws(error_code::out_of_bounds, {"extent 5"}, [&] { k.on(d)(y, 1.0).over(6); });
}

TEST_CASE("which numbers convert") {
  using detail::converts_exactly;
  static_assert(converts_exactly<int, double>() && converts_exactly<float, double>() &&
                converts_exactly<int, std::int64_t>());
  static_assert(converts_exactly<unsigned, std::int64_t>() && converts_exactly<std::uint8_t, float>());
  static_assert(!converts_exactly<double, float>() && !converts_exactly<std::int64_t, double>() &&
                !converts_exactly<int, float>());
  static_assert(!converts_exactly<double, int>() && !converts_exactly<int, unsigned>() &&
                !converts_exactly<bool, int>());
  static_assert(!converts_exactly<std::uint64_t, std::int64_t>() && converts_exactly<bool, bool>());
}
