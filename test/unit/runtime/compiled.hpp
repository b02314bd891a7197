// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels made by hand.
#pragma once

#include "images.hpp"

#include <selvage/codegen/recipe.hpp>

#include <fstream>
#include <iterator>

namespace selvage::test {

/// r = sum of x in two steps, partial sums of eight elements each in scratch memory.
inline codegen::compiled_kernel compiled_sum() {
  using codegen::argument_slot;
  using code = codegen::size_expression::code;
  using source = argument_slot::source;
  codegen::compiled_kernel k;
  const built_image image = sum_image();
  k.recipe.kernel = "sum";
  k.recipe.content_hash = image.view().header.content_hash;
  k.recipe.target = "host";
  k.recipe.assumes = {.guarded = true, .contiguous = false, .wide_grid = false, .contract = true};
  const codegen::size_expression parts{
      {{code::parameter_extent, 1, 0, 0}, {code::literal, 0, 0, 8}, {code::ceil_divide, 0, 1, 0}}};
  const codegen::size_expression one{{{code::literal, 0, 0, 1}}};
  codegen::size_expression bytes = parts;
  bytes.rows.push_back({code::multiply, 2, 1, 0});
  k.recipe.scratch = {bytes};

  codegen::step clear;
  clear.what = codegen::step::kind::clear;
  codegen::step first;
  first.entry = "sum_parts";
  first.grid = {parts, one, one};
  first.block_bytes = 32;
  first.slots = {{source::pointer, 1, 0, 0, 8},
                 {source::extent, 1, 0, 8, 8},
                 {source::stride, 1, 0, 16, 8},
                 {source::scratch, 0, 0, 24, 8}};
  codegen::step second;
  second.entry = "sum_whole";
  second.grid = {codegen::size_expression{{{code::domain_extent, 0, 0, 0}}}, one, one};
  second.block_bytes = 40;
  second.slots = {{source::pointer, 0, 0, 0, 8},
                  {source::extent, 0, 0, 8, 8},
                  {source::stride, 0, 0, 16, 8},
                  {source::scratch, 0, 0, 24, 8},
                  {source::extent, 1, 0, 32, 8}};
  k.recipe.steps = {clear, first, second};

  std::ifstream file(SELVAGE_TEST_KERNELS, std::ios::binary);
  const std::vector<char> text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  k.code.assign(begin, begin + text.size());
  return k;
}

/// y = x(index), with a fault record. One work-item a group.
inline codegen::compiled_kernel compiled_gather() {
  using source = codegen::argument_slot::source;
  using code = codegen::size_expression::code;
  codegen::compiled_kernel k = compiled_sum();
  k.recipe.kernel = "gather";
  k.recipe.content_hash = gather_image().view().header.content_hash;
  k.recipe.scratch.clear();
  codegen::step s;
  s.entry = "gather";
  const codegen::size_expression one{{{code::literal, 0, 0, 1}}};
  s.grid = {codegen::size_expression{{{code::domain_extent, 0, 0, 0}}}, one, one};
  s.block_bytes = 88;
  for (std::uint32_t p = 0; p < 3; ++p)
    s.slots.insert(s.slots.end(), {{source::pointer, p, 0, p * 24, 8},
                                   {source::extent, p, 0, p * 24 + 8, 8},
                                   {source::stride, p, 0, p * 24 + 16, 8}});
  s.slots.insert(s.slots.end(), {{source::domain_extent, 0, 0, 72, 8}, {source::fault, 0, 0, 80, 8}});
  k.recipe.steps = {s};
  return k;
}

}  // namespace selvage::test
