// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels survive the way to bytes and back; damaged bytes never do.
#include <selvage/codegen/recipe.hpp>
#include <selvage/error.hpp>

#include <doctest/doctest.h>

#include <cstring>

namespace {

using namespace selvage;
using codegen::argument_slot;
using codegen::compiled_kernel;
using codegen::size_expression;
using codegen::step;

/// Two steps with scratch memory, every kind of row, slot and step.
compiled_kernel sample() {
  using code = size_expression::code;
  const size_expression groups{{{code::domain_extent, 0, 0, 0},
                                {code::literal, 0, 0, 256},
                                {code::ceil_divide, 0, 1, 0},
                                {code::literal, 0, 0, 65535},
                                {code::minimum, 2, 3, 0}}};
  const size_expression one{{{code::literal, 0, 0, 1}}};
  const size_expression bytes{{{code::parameter_extent, 1, 2, 0},
                               {code::literal, 0, 0, -8},
                               {code::multiply, 0, 1, 0},
                               {code::add, 2, 2, 0},
                               {code::maximum, 3, 0, 0}}};
  compiled_kernel k;
  k.recipe = {"reduce rows", 0x123456789abcdef0U, "sm_90", codegen::variant::from_key(5), {bytes}, {}};
  step clear;
  clear.what = step::kind::clear;
  clear.fill = 0xff;
  step launch;
  launch.entry = "reduce_rows";
  launch.grid = {groups, one, one};
  launch.group = {256, 2, 1};
  launch.shared_bytes = 4096;
  launch.block_bytes = 64;
  launch.slots = {{argument_slot::source::pointer, 0, 0, 0, 8},  {argument_slot::source::extent, 0, 1, 8, 8},
                  {argument_slot::source::stride, 0, 2, 16, 8},  {argument_slot::source::value, 1, 0, 24, 1},
                  {argument_slot::source::scratch, 0, 0, 32, 8}, {argument_slot::source::domain_extent, 0, 2, 40, 8},
                  {argument_slot::source::fault, 0, 0, 48, 8}};
  k.recipe.steps = {clear, launch};
  k.format = codegen::code_format::ptx;
  for (const char c : {'.', 'v', '\0'}) k.code.push_back(std::byte(c));
  return k;
}

bool refused(std::span<const std::byte> bytes) {
  try {
    codegen::deserialise(bytes);
  } catch (const error& e) {
    return e.code() == error_code::invalid_file && std::strlen(e.what()) > 20;
  }
  return false;
}

TEST_CASE("recipe: a kernel of two steps with scratch memory survives the round trip") {
  const compiled_kernel kernel = sample();
  CHECK(codegen::deserialise(codegen::serialise(kernel)) == kernel);
  CHECK(codegen::deserialise(codegen::serialise({})) == compiled_kernel{});
}

TEST_CASE("recipe: the bytes do not depend on where they are made") {
  CHECK(codegen::serialise(sample()) == codegen::serialise(sample()));
}

TEST_CASE("recipe: every truncation is refused") {
  const auto bytes = codegen::serialise(sample());
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    INFO(n);
    REQUIRE(refused(std::span(bytes).first(n)));
  }
}

TEST_CASE("recipe: every flipped bit is refused") {
  auto bytes = codegen::serialise(sample());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    INFO(bit);
    bytes[bit / 8] ^= std::byte(1U << bit % 8);
    REQUIRE(refused(bytes));
    bytes[bit / 8] ^= std::byte(1U << bit % 8);
  }
  CHECK(!refused(bytes));
}

TEST_CASE("recipe: bytes appended are refused") {
  auto bytes = codegen::serialise(sample());
  bytes.push_back(std::byte{0});
  CHECK(refused(bytes));
}

TEST_CASE("recipe: what the runtime relies on is checked behind a right checksum") {
  // The checksum guards against damage, not against malice; serialise writes these, deserialise must not believe them.
  compiled_kernel k = sample();
  k.recipe.steps[1].slots[0].offset = 60;
  CHECK(refused(codegen::serialise(k)));
  k = sample();
  k.recipe.steps[1].slots[0].size = 0xffffffffU;
  CHECK(refused(codegen::serialise(k)));
  k = sample();
  k.recipe.steps[1].slots[4].parameter = 1;
  CHECK(refused(codegen::serialise(k)));
  k = sample();
  k.recipe.steps[0].scratch = 1;
  CHECK(refused(codegen::serialise(k)));
  k = sample();
  k.recipe.scratch[0].rows[2].a = 2;
  CHECK(refused(codegen::serialise(k)));
  k = sample();
  k.recipe.scratch[0].rows[2].op = static_cast<size_expression::code>(200);
  CHECK(refused(codegen::serialise(k)));
  k = sample();
  k.format = static_cast<codegen::code_format>(9);
  CHECK(refused(codegen::serialise(k)));
}

}  // namespace
