// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V of every operation and construct, accepted by spirv-val where there is one; what stands in the code; and that
// compilations do not disturb each other.
#include "compiled.hpp"
#include "every.hpp"

#include <selvage/error.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

namespace {

using namespace selvage;
using ir::fold_kind;
using test::every_construct;
using test::every_operation;
using test::image_builder;
using op = ir::operation;
using type = ir::type;

constexpr codegen::variant best{.guarded = false, .contiguous = true, .wide_grid = false, .contract = true};

std::vector<std::uint32_t> spirv_of(const test::built_image& image, codegen::variant v = best,
                                    const std::string& target = "spirv64") {
  const auto kernel = test::generator().compile(image.view(), target, v);
  CHECK(kernel.format == codegen::code_format::spirv);
  REQUIRE(kernel.code.size() % 4 == 0);
  std::vector<std::uint32_t> words(kernel.code.size() / 4);
  std::memcpy(words.data(), kernel.code.data(), kernel.code.size());
  REQUIRE(words.size() > 5);
  CHECK(words[0] == 0x07230203);
  return words;
}

std::string text_of(const test::built_image& image, codegen::variant v = best) {
  return test::generator().emit(image.view(), "spirv64", v, codegen::emission::assembly);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool have_validator() {
  static const bool have = [] {
    const bool found = std::system("spirv-val --version > /dev/null 2>&1") == 0;
    if (!found) MESSAGE("skipped: no spirv-val on PATH, so SPIR-V is not validated");
    return found;
  }();
  return have;
}

void validate(const std::vector<std::uint32_t>& words) {
  if (!have_validator()) return;
  const std::string stem = std::string(std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp") +
                           "/selvage_" + std::to_string(getpid());
  std::ofstream(stem + ".spv", std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
  const int status = std::system(("spirv-val " + stem + ".spv > " + stem + ".log 2>&1").c_str());
  std::ifstream log(stem + ".log");
  INFO(std::string(std::istreambuf_iterator<char>(log), {}));
  CHECK(status == 0);
  std::remove((stem + ".spv").c_str());
  std::remove((stem + ".log").c_str());
}

/// The instructions of a module that have this number.
std::size_t count(const std::vector<std::uint32_t>& words, std::uint32_t instruction) {
  std::size_t n = 0;
  for (std::size_t at = 5; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16)
    n += (words[at] & 0xffff) == instruction ? 1U : 0U;
  return n;
}
constexpr std::uint32_t op_load = 61, op_store = 62, op_branch_conditional = 250, op_compare_exchange = 230;

TEST_CASE("spirv: every operation on every type is valid, in both versions") {
  for (int k = 1; k < ir::type_count; ++k) {
    const auto image = every_operation(static_cast<type>(k));
    const auto words = spirv_of(image);
    CHECK(words[1] == 0x00010400);
    validate(words);
    const auto older = spirv_of(image, best, "spirv64v1.2");
    CHECK(older[1] == 0x00010200);
    validate(older);
  }
}

TEST_CASE("spirv: every construct, variant and rank is valid") {
  for (std::uint32_t rank = 1; rank <= 3; ++rank) {
    const auto image = every_construct(rank);
    for (std::uint32_t key = 0; key < 32; ++key) {
      const auto words = spirv_of(image, codegen::variant::from_key(key));
      CHECK(count(words, op_compare_exchange) == 1);  // data-dependent accesses are guarded always
      if (key % 4 == rank) validate(words);
    }
  }
}

TEST_CASE("spirv: mathematics are OpenCL's instructions, and contraction is off where it is not allowed") {
  const std::string text = text_of(every_operation(type::float64));
  for (const char* name :
       {"exp", "log", "sin", "cos", "tan", "tanh", "pow", "sqrt", "fma", "floor", "ceil", "round", "fabs"})
    CHECK_MESSAGE(contains(text, std::string(" ").append(name).append(" ")), name);
  CHECK(!contains(text, "fmin"));  // which may take either zero
  CHECK(!contains(text, "SaturatedConversion"));
  CHECK(!contains(text, "ContractionOff"));
  CHECK(contains(text_of(every_operation(type::float64), {.guarded = false, .contiguous = true, .contract = false}),
                 "ContractionOff"));
}

TEST_CASE("spirv: the unguarded daxpy is minimal") {
  image_builder b("daxpy");
  const auto y = b.inout(type::float64), x = b.in(type::float64);
  const auto a = b.value(type::float64);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.add(b.load(y, {i}), b.multiply(b.argument(a), b.load(x, {i}))));
  const auto words = spirv_of(b.finish());
  CHECK(count(words, op_load) == 4);  // x, y, and the built-in variables of group and work-item
  CHECK(count(words, op_store) == 1);
  CHECK(count(words, op_branch_conditional) == 1);  // the domain's edge
  CHECK(count(words, op_compare_exchange) == 0);
  CHECK(count(spirv_of(b.finish(), {.guarded = true, .contiguous = true}), op_compare_exchange) == 1);
  const std::string text = text_of(b.finish());
  CHECK(contains(text, "OpEntryPoint Kernel %"));
  CHECK(contains(text, "LocalSize 256 1 1"));
  CHECK(contains(text, "FuncParamAttr NoAlias"));
}

TEST_CASE("spirv: the sum of a counter needs no integers of 65 bits") {
  image_builder b("triangle");
  const auto y = b.out(type::int64);
  b.domain_of(y);
  const auto i = b.id();
  const auto k = b.fold(fold_kind::sum, b.literal<std::int64_t>(0), i);
  b.yield(k, k);
  b.covers(y, b.store(y, {i}, b.end(k)));
  validate(spirv_of(b.finish()));
}

TEST_CASE("spirv: powers of two by an integer, which LLVM makes ldexp") {
  for (const type t : {type::float32, type::float64}) {
    image_builder b("powers");
    const auto y = b.out(t);
    const auto n = b.in(type::int32);
    b.domain_of(y);
    const auto i = b.id();
    const auto two = t == type::float32 ? b.literal(2.0F) : b.literal(2.0);
    b.covers(y, b.store(y, {i}, b.node(op::power, t, {two, b.cast(t, b.load(n, {i}))})));
    validate(spirv_of(b.finish()));
  }
}

TEST_CASE("spirv: identifiers are unique in every module, whatever was compiled before and beside it") {
  const auto unique = [](const std::vector<std::uint32_t>& words) {
    constexpr std::uint32_t op_label = 248, op_function_parameter = 55;
    std::set<std::uint32_t> seen;
    bool good = true;
    for (std::size_t at = 5; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) {
      const std::uint32_t o = words[at] & 0xffff;
      const std::size_t where = o == op_label ? 1 : o == op_load || o == op_function_parameter ? 2 : 0;
      if (where == 0) continue;
      good = good && words[at + where] < words[3] && seen.insert(words[at + where]).second;
    }
    return good;
  };
  std::vector<std::thread> threads;
  std::vector<int> bad(2);
  for (std::size_t t = 0; t < bad.size(); ++t)
    threads.emplace_back([&, t] {
      for (std::uint32_t k = 0; k < 12; ++k) {
        const auto kernel = test::generator().compile(every_construct(1 + k % 3).view(), "spirv64",
                                                      codegen::variant::from_key(k + static_cast<std::uint32_t>(t)));
        std::vector<std::uint32_t> words(kernel.code.size() / 4);
        std::memcpy(words.data(), kernel.code.data(), kernel.code.size());
        bad[t] += unique(words) ? 0 : 1;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(bad == std::vector<int>{0, 0});
}

TEST_CASE("spirv: unknown versions are refused, odd names are not") {
  for (const char* wrong : {"spirv", "spirv64v1.9", "spirv64 ", "spirv32"}) {
    try {
      test::generator().compile(every_operation(type::int32).view(), wrong, best);
      FAIL("no error for ", wrong);
    } catch (const error& e) {
      CHECK(e.code() == error_code::unknown_target);
      CHECK(contains(e.what(), "spirv64"));
    }
  }
  for (const char* name : {"_Z3expd", "main", "printf", "a b<float>", "9"}) {
    image_builder b(name);
    const auto y = b.inout(type::float32);
    b.domain_of(y);
    const auto i = b.id();
    b.store(y, {i}, b.unary(op::sine, b.load(y, {i})));
    validate(spirv_of(b.finish()));
  }
}

}  // namespace
