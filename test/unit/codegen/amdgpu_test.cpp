// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD code objects of every operation and construct for every architecture; what stands in their kernel descriptors;
// the shapes of groups. (That they disassemble and describe the argument block: test/bundle/targets_test.cpp. That they
// compute the right values: test/extra/amd_emulate.py.)
#include "compiled.hpp"
#include "every.hpp"

#include <selvage/error.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace selvage;
using test::every_construct;
using test::every_operation;
using test::image_builder;
using op = ir::operation;
using type = ir::type;

constexpr codegen::variant best{.guarded = false, .contiguous = true, .wide_grid = false, .contract = true};

codegen::compiled_kernel code_of(const test::built_image& image, const std::string& target, codegen::variant v = best) {
  auto kernel = test::generator().compile(image.view(), target, v);
  CHECK(kernel.format == codegen::code_format::code_object);
  REQUIRE(kernel.code.size() > 64);
  // An ELF file for AMDGPU (machine 224), a shared object (type 3), for the HSA runtime (64) in version 5 of its form
  // (3).
  const auto byte = [&](std::size_t at) { return static_cast<unsigned>(kernel.code[at]); };
  CHECK(byte(0) == 0x7f);
  CHECK(byte(1) == 'E');
  CHECK(byte(16) == 3);
  CHECK(byte(18) == 224);
  CHECK(byte(7) == 64);
  CHECK(byte(8) == 3);
  return kernel;
}

std::string assembly_of(const test::built_image& image, const std::string& target, codegen::variant v = best) {
  return test::generator().emit(image.view(), target, v, codegen::emission::assembly);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What follows a directive of the kernel descriptor, ".amdhsa_kernarg_size 72".
std::string directive(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("." + name + " ");
  if (at == std::string::npos) return "absent";
  const std::size_t begin = at + name.size() + 2;
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::vector<std::string> architectures() {
  std::vector<std::string> names;
  for (const std::string& target : test::generator().targets())
    if (target.starts_with("gfx")) names.push_back(target);
  return names;
}

test::built_image daxpy(const char* name = "daxpy") {
  image_builder b(name);
  const auto y = b.inout(type::float64), x = b.in(type::float64);
  const auto a = b.value(type::float64);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.add(b.load(y, {i}), b.multiply(b.argument(a), b.load(x, {i}))));
  return b.finish();
}

TEST_CASE("amdgpu: every operation on every type is compiled, for waves of both widths") {
  for (int k = 1; k < ir::type_count; ++k)
    for (const char* target : {"gfx942", "gfx1100"}) code_of(every_operation(static_cast<type>(k)), target);
}

TEST_CASE("amdgpu: every construct and rank is compiled, in every variant") {
  for (std::uint32_t rank = 1; rank <= 3; ++rank) {
    const auto image = every_construct(rank);
    for (std::uint32_t key = 0; key < 32; ++key)
      code_of(image, key % 2 == 0 ? "gfx942" : "gfx1100", codegen::variant::from_key(key));
  }
}

TEST_CASE("amdgpu: every architecture of the list is compiled") {
  const std::vector<std::string> names = architectures();
  CHECK(names == std::vector<std::string>{"gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1151", "gfx1201"});
  for (const std::string& name : names) code_of(every_operation(type::float64), name);
}

TEST_CASE("amdgpu: a kernel asks the loader for its arguments and for nothing else") {
  for (const std::string& target : architectures()) {
    for (const bool guarded : {false, true}) {
      const std::string text = assembly_of(daxpy(), target, {.guarded = guarded, .contiguous = true});
      INFO(target);
      const codegen::step step = code_of(daxpy(), target, {.guarded = guarded, .contiguous = true}).recipe.steps.at(0);
      CHECK(directive(text, "amdhsa_kernarg_size") == std::to_string(step.block_bytes));
      CHECK(directive(text, "amdhsa_user_sgpr_kernarg_segment_ptr") == "1");
      for (const char* needless : {"amdhsa_user_sgpr_dispatch_ptr", "amdhsa_user_sgpr_queue_ptr",
                                   "amdhsa_user_sgpr_dispatch_id", "amdhsa_user_sgpr_kernarg_preload_length"}) {
        const std::string value = directive(text, needless);
        CHECK_MESSAGE((value == "0" || value == "absent"), needless << " " << value);
      }
      CHECK(directive(text, "amdhsa_private_segment_fixed_size") == "0");
      CHECK(directive(text, "amdhsa_group_segment_fixed_size") == "0");
      CHECK(!contains(text, "hidden_"));
      // Subnormal numbers are kept: 3 of FP_DENORM.
      CHECK(directive(text, "amdhsa_float_denorm_mode_32") == "3");
      CHECK(directive(text, "amdhsa_float_denorm_mode_16_64") == "3");
    }
  }
}

TEST_CASE("amdgpu: the unguarded daxpy is minimal") {
  const std::string text = assembly_of(daxpy(), "gfx942", {.guarded = false, .contiguous = true, .narrow = true});
  const auto count = [&](const std::string& word) {
    int n = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++n;
    return n;
  };
  CHECK(count("global_load_") == 2);
  CHECK(count("global_store_") == 1);
  CHECK(count("flat_load") + count("flat_store") == 0);
  CHECK(count("scratch_") == 0);
  CHECK(count("global_atomic") == 0);
  CHECK(count("v_fma") == 1);
  CHECK(count("s_cbranch") == 1);  // the domain's edge
}

TEST_CASE("amdgpu: a row of a group is a wave, along the fastest axis") {
  const auto group = [](const std::string& target, std::uint32_t rank) {
    return code_of(every_construct(rank), target).recipe.steps.at(0).group;
  };
  using shape = std::array<std::uint32_t, 3>;
  for (const char* target : {"gfx90a", "gfx942", "gfx950"}) {
    CHECK(group(target, 1) == shape{256, 1, 1});
    CHECK(group(target, 2) == shape{64, 4, 1});
    CHECK(group(target, 3) == shape{64, 4, 1});
    CHECK(!contains(assembly_of(daxpy(), target), ".amdhsa_wavefront_size32 1"));
  }
  for (const char* target : {"gfx1030", "gfx1100", "gfx1151", "gfx1201"}) {
    CHECK(group(target, 1) == shape{256, 1, 1});
    CHECK(group(target, 2) == shape{32, 8, 1});
    CHECK(contains(assembly_of(daxpy(), target), ".amdhsa_wavefront_size32 1"));
  }
}

TEST_CASE("amdgpu: names of libclc's functions, of LLVM's and odd ones are no obstacle to a kernel") {
  for (const char* name : {"_Z3expd", "exp", "main", "__ocml_exp_f64", "a b<float>", "9"}) {
    image_builder b(name);
    const auto y = b.inout(type::float64);
    b.domain_of(y);
    const auto i = b.id();
    b.store(y, {i}, b.unary(op::exponential, b.load(y, {i})));
    const auto kernel = code_of(b.finish(), "gfx1100");
    const std::string_view bytes(reinterpret_cast<const char*>(kernel.code.data()), kernel.code.size());
    CHECK(bytes.find(kernel.recipe.steps.at(0).entry + ".kd") != std::string_view::npos);
  }
}

TEST_CASE("amdgpu: what is no architecture, or one too old, is refused with those that are") {
  for (const char* wrong : {"gfx", "gfx1", "gfx9999", "gfx600", "gfx803", "gfx94", "gfx942 ", "gfx-1", "GFX942"}) {
    try {
      test::generator().compile(daxpy().view(), wrong, best);
      FAIL("no error for ", wrong);
    } catch (const error& e) {
      CHECK(e.code() == error_code::unknown_target);
      CHECK(contains(e.what(), "gfx942"));
      CHECK(contains(e.what(), "gfx1201"));
    }
  }
}

}  // namespace
