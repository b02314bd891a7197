// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images as text: a golden one, and that broken images can be printed too.
#include <selvage/ir/print.hpp>

#include "images.hpp"

#include <fmt/format.h>

namespace selvage::test {
namespace {

/// All kinds of nodes in one kernel.
image_builder everything() {
  image_builder b("everything", ir::options::fast);
  const auto y = b.out(type::float32, 2);
  const auto x = b.in(type::float32, 1);
  const auto column = b.in(type::int64, 1);
  const auto limit = b.value(type::int32);
  const auto scalar = b.inout(type::boolean, 0);
  b.line = 3;
  b.domain({b.extent(y, 0), b.extent(y, 1)});
  const auto i = b.id(0);
  const auto j = b.id(1);
  b.line = 4;
  const auto gathered = b.load(x, {b.load(column, {i})});
  const auto total = b.variable(gathered);
  const auto count = b.variable_of(type::int32);
  b.line = 5;
  b.set(count, b.argument(limit));
  const auto loop = b.for_(i, j, b.literal(std::int64_t{2}));
  const auto part = b.if_(b.less(loop, j));
  b.set(total, b.literal(0.1f));
  b.else_(part);
  b.set(total, b.get(total));
  b.end(part);
  b.end(loop);
  const auto again = b.while_();
  b.test(again, b.literal(false));
  b.end(again);
  b.line = 0;
  const auto choice = b.choose(b.load(scalar, {}));
  b.yield(choice, b.cast(type::float32, b.get(count)));
  b.else_(choice);
  b.yield(choice, b.unary(op::square_root, gathered));
  const auto chosen = b.end(choice);
  const auto sum = b.fold(ir::fold_kind::sum, i, j);
  b.yield(sum, chosen);
  const auto all = b.end(sum);
  const auto fold = b.ordered_fold(i, j, all);
  b.yield(fold, b.fused_multiply_add(b.accumulator(fold), chosen, all));
  b.line = 9;
  const auto folded = b.end(fold);
  const auto yes = b.literal(true);
  const auto held = b.get(total);
  b.covers(y, b.store(y, {i, j}, b.select(yes, folded, held)));
  return b;
}

constexpr const char* golden = R"(kernel everything, content HASH, by_hand.cpp:3, fast
  argument 0: out float32[:, :], wholly written by 46
  argument 1: in float32[:]
  argument 2: in int64[:]
  argument 3: value int32
  argument 4: inout boolean[]
  %0 = extent int64 argument 0 dimension 0                // line 3
  %1 = extent int64 argument 0 dimension 1
  2: domain rank 2 (%0, %1)
  %3 = id int64 axis 0
  %4 = id int64 axis 1
  %5 = load int64 argument 2 [%3]                         // line 4
  %6 = load float32 argument 1 [%5], guarded
  7: variable float32 %6
  8: variable int32
  %9 = value int32 argument 3                             // line 5
  10: set int32 of 8, %9
  %11 = literal int64 2
  %12 = for_ int64 %3, %4, %11
    %13 = less boolean %12, %4
    14: if_ %13
      %15 = literal float32 0.1
      16: set float32 of 7, %15
    17: else_ of 14
      %18 = get float32 of 7
      19: set float32 of 7, %18
    20: end of 14
  21: end of 12
  22: while_
    %23 = literal boolean false
    24: test of 22, %23
  25: end of 22
  %26 = load boolean argument 4 []
  27: choose %26
    %28 = get int32 of 8
    %29 = cast float32 %28
    30: yield float32 of 27, %29
  31: else_ of 27
    %32 = square_root float32 %6
    33: yield float32 of 27, %32
  %34 = end float32 of 27
  %35 = fold int64 sum %3, %4
    36: yield float32 of 35, %34
  %37 = end float32 of 35
  %38 = fold int64 ordered %3, %4, %37
    %39 = accumulator float32 of 38
    %40 = fused_multiply_add float32 %39, %34, %37
    41: yield float32 of 38, %40
  %42 = end float32 of 38                                 // line 9
  %43 = literal boolean true
  %44 = get float32 of 7
  %45 = select float32 %43, %42, %44
  46: store float32 argument 0 [%3, %4], %45
)";

TEST_CASE("print: golden text") {
  const built_image image = everything().finish();
  const std::string text = ir::print(image.view());
  std::string expected = golden;
  expected.replace(expected.find("HASH"), 4, fmt::format("{:016x}", image.view().header.content_hash));
  CHECK(text == expected);
  CHECK(ir::print(image.view()) == text);
}

TEST_CASE("print: one node, and values") {
  const built_image image = everything().finish();
  CHECK(ir::print_node(image.view(), 12) == "%12 = for_ int64 %3, %4, %11");
  CHECK(ir::print_value(type::float64, ir::to_bits(0.1)) == "0.1");
  CHECK(ir::print_value(type::int8, ir::to_bits(std::int8_t{-3})) == "-3");
  CHECK(ir::print_value(type::uint64, ~0ULL) == "18446744073709551615");
  CHECK(ir::print_value(type::boolean, 1) == "true");
}

TEST_CASE("print: a broken image shows what there is") {
  image_builder b("broken");
  b.given_domain(1);
  b.node(static_cast<op>(222), static_cast<type>(99), {77});
  b.node(op::store, type::float32);
  b.node(op::fold, type::int64, {}, 55);
  const built_image image = b.finish();
  ir::image_view view = image.view();
  view.operands = {};
  CHECK(contains(ir::print(view), "unknown_operation"));
}

}  // namespace
}  // namespace selvage::test
