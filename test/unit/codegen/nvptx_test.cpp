// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX of every operation and construct, assembled by ptxas where there is one; the recipe's grids; what stands in the
// code.
#include "compiled.hpp"
#include "every.hpp"

#include <selvage/error.hpp>
#include <selvage/ir/structure.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace {

using namespace selvage;
using ir::fold_kind;
using test::every_construct;
using test::every_operation;
using test::image_builder;
using op = ir::operation;
using type = ir::type;

constexpr codegen::variant best{.guarded = false, .contiguous = true, .wide_grid = false, .contract = true};

std::string ptx_of(const test::built_image& image, codegen::variant v = best, const std::string& target = "sm_90") {
  const auto kernel = test::generator().compile(image.view(), target, v);
  CHECK(kernel.format == codegen::code_format::ptx);
  REQUIRE(!kernel.code.empty());
  CHECK(kernel.code.back() == std::byte{0});
  return reinterpret_cast<const char*>(kernel.code.data());
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

bool have_ptxas() {
  static const bool have = [] {
    const bool found = std::system("ptxas --version > /dev/null 2>&1") == 0;
    if (!found) MESSAGE("skipped: no ptxas on PATH, so PTX is not assembled");
    return found;
  }();
  return have;
}

void assemble(const std::string& ptx, const std::string& target = "sm_90") {
  if (!have_ptxas()) return;
  const std::string stem = std::string(std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp") +
                           "/selvage_" + std::to_string(getpid());
  std::ofstream(stem + ".ptx") << ptx;
  const std::string command = "ptxas -arch=" + target + " -o /dev/null " + stem + ".ptx > " + stem + ".log 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream log(stem + ".log");
  INFO(std::string(std::istreambuf_iterator<char>(log), {}), ptx);
  CHECK(status == 0);
  std::remove((stem + ".ptx").c_str());
  std::remove((stem + ".log").c_str());
}

TEST_CASE("nvptx: every operation on every type assembles") {
  for (int k = 1; k < ir::type_count; ++k) assemble(ptx_of(every_operation(static_cast<type>(k))));
}

TEST_CASE("nvptx: operations are rounded as IEEE 754 says, without flushing to zero") {
  const std::string ptx =
      ptx_of(every_operation(type::float32, false), {.guarded = false, .contiguous = true, .contract = false});
  CHECK(contains(ptx, "div.rn.f32"));
  CHECK(contains(ptx, "sqrt.rn.f32"));
  for (const std::string operation : {"add", "sub", "mul"}) {  // without .rn ptxas might contract
    CHECK(contains(ptx, operation + ".rn.f32"));
    CHECK(!contains(ptx, operation + ".f32"));
  }
  CHECK(!contains(ptx, ".approx"));
  CHECK(!contains(ptx, ".ftz"));
}

TEST_CASE("nvptx: every construct, variant and rank assembles") {
  for (std::uint32_t rank = 1; rank <= 3; ++rank) {
    const auto image = every_construct(rank);
    for (std::uint32_t key = 0; key < 16; ++key) {
      const std::string ptx = ptx_of(image, codegen::variant::from_key(key));
      CHECK(contains(ptx, "atom"));  // data-dependent accesses are guarded always
      if (key % 4 == rank) assemble(ptx);
    }
  }
}

TEST_CASE("nvptx: every architecture assembles, oldest and newest names are told apart") {
  for (const std::string& target : test::generator().targets())
    if (target.starts_with("sm_")) assemble(ptx_of(every_operation(type::float64), best, target), target);
  CHECK(contains(ptx_of(every_operation(type::int32), best, "sm_90a"), ".target sm_90a"));
  for (const char* wrong : {"sm_9999", "sm_", "sm_20", "sm_90 ", "sm_-1", "gfx1", "", "x86-64-v9"}) {
    try {
      test::generator().compile(every_operation(type::int32).view(), wrong, best);
      FAIL("no error for ", wrong);
    } catch (const error& e) {
      CHECK(e.code() == error_code::unknown_target);
      CHECK(contains(e.what(), "'" + std::string(wrong) + "'"));
      CHECK(contains(e.what(), "sm_90"));
    }
  }
}

TEST_CASE("nvptx: the unguarded daxpy is minimal") {
  image_builder b("daxpy");
  const auto y = b.inout(type::float64), x = b.in(type::float64);
  const auto a = b.value(type::float64);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.add(b.load(y, {i}), b.multiply(b.argument(a), b.load(x, {i}))));
  const std::string ptx = ptx_of(b.finish());
  CHECK(contains(ptx, ".visible .entry daxpy("));
  CHECK(contains(ptx, ".reqntid 256, 1, 1"));
  CHECK(count(ptx, "setp") == 1);  // the domain's edge
  CHECK(count(ptx, "bra") == 1);
  CHECK(count(ptx, "ld.global.nc") == 1);
  CHECK(count(ptx, "ld.global") == 2);
  CHECK(count(ptx, "st.global") == 1);
  CHECK(count(ptx, "fma.rn.f64") == 1);
  CHECK(count(ptx, "\tmul") == 1);  // group * 256
  const std::string guarded = ptx_of(b.finish(), {.guarded = true, .contiguous = true});
  CHECK(contains(guarded, "atom.relaxed.gpu.global.cas.b32"));
  CHECK(!contains(guarded, "call"));
}

TEST_CASE("nvptx: the inner loop of the naive matrix product is unrolled and multiplies no addresses") {
  image_builder b("matmul");
  const auto c = b.out(type::float64, 2), a = b.in(type::float64, 2), x = b.in(type::float64, 2);
  b.domain_of(c);
  const auto i = b.id(0), j = b.id(1);
  const auto k = b.fold(fold_kind::sum, b.literal<std::int64_t>(0), b.extent(a, 1));
  b.yield(k, b.multiply(b.load(a, {i, k}), b.load(x, {k, j})));
  b.covers(c, b.store(c, {i, j}, b.end(k)));
  const std::string ptx = ptx_of(b.finish());
  // the block with the most fused multiply-adds is the unrolled loop
  std::string inner;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t next = ptx.find("\n$L__", at + 1);
    const std::string block = ptx.substr(at, next == std::string::npos ? next : next - at);
    if (count(block, "fma.rn.f64") > count(inner, "fma.rn.f64")) inner = block;
    at = next;
  }
  INFO(inner);
  CHECK(count(inner, "fma.rn.f64") >= 4);
  CHECK(count(inner, "ld.global.nc") == 2 * count(inner, "fma.rn.f64"));
  CHECK(count(inner, "mul") == 0);
  CHECK(count(inner, "mad.") == 0);
}

TEST_CASE("nvptx: the recipe's grid, group and block") {
  const auto compiled = [](std::uint32_t rank, bool wide) {
    auto v = best;
    v.wide_grid = wide;
    return test::generator().compile(every_construct(rank).view(), "sm_80", v).recipe;
  };
  using code = codegen::size_expression::code;
  const auto one = compiled(1, false);
  CHECK(one.kernel == "constructs");
  CHECK(one.target == "sm_80");
  CHECK(one.content_hash == every_construct(1).view().header.content_hash);
  const codegen::step& step = one.steps.at(0);
  CHECK(step.entry == "constructs");
  CHECK(step.group == std::array<std::uint32_t, 3>{256, 1, 1});
  CHECK(step.grid[0].rows.back().op == code::ceil_divide);
  CHECK(step.grid[1].rows == std::vector<codegen::size_expression::row>{{code::literal, 0, 0, 1}});
  // r: pointer, extent, stride; x, column the same; one byte of bool; scalar's pointer; domain; fault
  CHECK(step.block_bytes == 3 * 24 + 8 + 8 + 8 + 8);
  CHECK(step.slots.at(9).size == 1);
  CHECK(step.slots.at(9).offset == 72);
  CHECK(step.slots.at(10).offset == 80);
  const auto three = compiled(3, true).steps.at(0);
  CHECK(three.group == std::array<std::uint32_t, 3>{32, 8, 1});
  CHECK(three.grid[0].rows.at(0).a == 2);  // x is the last axis
  CHECK(three.grid[0].rows.back().op == code::ceil_divide);
  CHECK(three.grid[1].rows.back().op == code::minimum);
  CHECK(three.grid[2].rows.back().op == code::minimum);
}

TEST_CASE("nvptx: names that PTX reserves, and odd ones, assemble") {
  for (const char* name : {"add", "mov", "_x", "a b<float>", "9"}) {
    image_builder b(name);
    const auto y = b.inout(type::float32);
    b.domain_of(y);
    const auto i = b.id();
    b.store(y, {i}, b.unary(op::sine, b.load(y, {i})));
    assemble(ptx_of(b.finish()));
  }
}

}  // namespace
