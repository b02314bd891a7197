// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the emitted LLVM IR promises to LLVM, and what it must not: noalias, readonly, no-wrap and floating-point flags.
#include "compiled.hpp"

#include <selvage/error.hpp>

#include <doctest/doctest.h>

#include <regex.h>

#include <atomic>
#include <thread>

namespace {

using namespace selvage;
using codegen::emission;
using ir::fold_kind;
using op = ir::operation;
using test::image_builder;
using type = ir::type;

constexpr codegen::variant proved{.guarded = false, .contiguous = true, .wide_grid = false, .contract = true};
constexpr codegen::variant guarded{.guarded = true, .contiguous = true, .wide_grid = false, .contract = true};

std::string emit(const test::built_image& image, emission what = emission::llvm_raw, codegen::variant v = proved,
                 const std::string& target = "sm_90") {
  return test::generator().emit(image.view(), target, v, what);
}

/// Does a line of the text match the POSIX extended regular expression?
bool matches(const std::string& text, const std::string& expression) {
  regex_t compiled;
  REQUIRE(regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NEWLINE | REG_NOSUB) == 0);
  const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

/// y += a x, where y and x have these flags.
test::built_image daxpy(std::uint8_t y_flags = 0, std::uint8_t x_flags = 0, std::uint32_t options = 0) {
  image_builder b("daxpy", options);
  const auto y = b.parameter(type::float64, ir::access::inout, 1, y_flags);
  const auto x = b.parameter(type::float64, ir::access::in, 1, x_flags);
  const auto a = b.value(type::float64);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.add(b.load(y, {i}), b.multiply(b.argument(a), b.load(x, {i}))));
  return b.finish();
}

TEST_CASE("emission: noalias on every owned view, readonly and invariant loads on `in`, on both targets") {
  for (const std::string target : {"sm_90", "x86-64-v3"}) {
    for (const emission what : {emission::llvm_raw, emission::llvm}) {
      const std::string text = emit(daxpy(), what, proved, target);
      INFO(text);
      CHECK(matches(text, R"(ptr( addrspace\(1\))? noalias [^%]*%a0\b)"));
      CHECK(matches(text, R"(ptr( addrspace\(1\))? noalias [^%]*readonly[^%]*%a1\b)"));
      CHECK(!matches(text, R"(readonly[^%,]*%a0\b)"));
      CHECK(matches(text, R"(load double, ptr.*%at.a1.*!invariant.load)"));
      CHECK(!matches(text, R"(load double, ptr.*%at.a0.*!invariant.load)"));
      CHECK(text.find("dereferenceable") == std::string::npos);
    }
  }
}

TEST_CASE("emission: no noalias, no invariant load and no parallel loop where work-items communicate") {
  constexpr auto shared = ir::parameter_flags::shared;
  for (const std::string target : {"sm_90", "x86-64-v3"}) {
    const std::string text = emit(daxpy(shared), emission::llvm_raw, proved, target);
    INFO(text);
    CHECK(!matches(text, R"(noalias[^%,]*%a0\b)"));
    CHECK(matches(text, R"(noalias[^%,]*%a1\b)"));
    CHECK(text.find("parallel_accesses") == std::string::npos);
    const std::string read = emit(daxpy(0, shared), emission::llvm_raw, proved, target);
    CHECK(!matches(read, R"(noalias[^%,]*%a1\b)"));
    CHECK(read.find("invariant.load") == std::string::npos);
  }
  CHECK(emit(daxpy(), emission::llvm_raw, proved, "host").find("parallel_accesses") != std::string::npos);
}

TEST_CASE("emission: the fault record is never noalias") {
  CHECK(!matches(emit(daxpy(), emission::llvm_raw, guarded), R"(noalias[^%,]*%fault\b)"));
}

TEST_CASE("emission: writeonly on what is only stored") {
  image_builder b("fill");
  const auto y = b.out(type::int32);
  b.domain_of(y);
  const auto i = b.id();
  b.covers(y, b.store(y, {i}, b.literal<std::int32_t>(1)));
  CHECK(matches(emit(b.finish()), R"(writeonly[^%,]*%a0\b)"));
  CHECK(!matches(emit(daxpy()), R"(writeonly)"));
}

/// y(i) = x(2 i - c) + (i * n), with the product as data.
test::built_image indices() {
  image_builder b("indices");
  const auto y = b.inout(type::int64), x = b.in(type::int64);
  const auto c = b.value(type::int64), n = b.value(type::int64);
  b.domain_of(y);
  const auto i = b.id();
  const auto at = b.subtract(b.multiply(b.literal<std::int64_t>(2), i), b.argument(c));
  b.store(y, {i}, b.add(b.load(x, {at}), b.multiply(i, b.argument(n))));
  return b.finish();
}

TEST_CASE("emission: index arithmetic is nsw only where the launch has proved it, and data never") {
  const std::string text = emit(indices());
  INFO(text);
  CHECK(matches(text, R"(%multiply = mul nsw i64 2, %id.0)"));
  CHECK(matches(text, R"(%subtract = sub nsw i64 %multiply, %a2)"));
  CHECK(matches(text, R"(%multiply1 = mul i64 %id.0, %a3)"));
  CHECK(matches(text, R"(%add = add i64 )"));
  const std::string careful = emit(indices(), emission::llvm_raw, guarded);
  CHECK(matches(careful, R"(%multiply = mul i64 2, %id.0)"));
  CHECK(matches(careful, R"(%subtract = sub i64 %multiply, %a2)"));
}

TEST_CASE("emission: what the proof of an index does not cover is not nsw") {
  image_builder b("uses");
  const auto y = b.inout(type::int64), x = b.in(type::int64);
  const auto c = b.value(type::int64), n = b.value(type::int32);
  b.domain_of(y);
  const auto i = b.id(), one = b.literal<std::int64_t>(1);
  const auto decided = b.add(i, b.cast(type::int64, b.add(b.argument(n), b.literal<std::int32_t>(2))));
  const auto side = b.multiply(i, b.argument(c));  // one side of a select, looked at under its condition
  const auto chosen = b.select(b.less(i, one), i, side);
  const auto gathered = b.subtract(b.load(x, {decided}), i);  // guarded in every variant
  b.store(y, {chosen}, b.load(x, {gathered}));
  const std::string text = emit(b.finish());
  INFO(text);
  CHECK(matches(text, R"(%add = add nsw i32 %a3, 2)"));
  CHECK(matches(text, R"(%add1 = add nsw i64 %id.0, )"));
  CHECK(matches(text, R"(%multiply = mul i64 %id.0, %a2)"));
  CHECK(matches(text, R"(%subtract = sub i64 %load.a1, %id.0)"));
}

TEST_CASE("emission: floating point is contracted, no more, unless the kernel is fast; fast keeps NaN defined") {
  const std::string text = emit(daxpy());
  CHECK(matches(text, R"(fmul contract double)"));
  CHECK(matches(text, R"(fadd contract double)"));
  const std::string exact =
      emit(daxpy(), emission::llvm_raw, {.guarded = false, .contiguous = true, .contract = false});
  CHECK(matches(exact, R"(fadd double)"));
  const std::string fast = emit(daxpy(0, 0, ir::options::fast));
  CHECK(matches(fast, R"(fadd reassoc nsz arcp contract afn double)"));
}

TEST_CASE("emission: only the combining operation of an unordered fold may be reassociated") {
  const auto fold = [](bool ordered) {
    image_builder b("fold");
    const auto y = b.inout(type::float64), x = b.in(type::float64, 2);
    b.domain_of(y);
    const auto i = b.id();
    const auto zero = b.literal<std::int64_t>(0);
    const auto k =
        ordered ? b.ordered_fold(zero, b.extent(x, 1), b.literal(0.0)) : b.fold(fold_kind::sum, zero, b.extent(x, 1));
    const auto item = b.add(b.load(x, {i, k}), b.literal(1.0));
    b.yield(k, ordered ? b.add(b.accumulator(k), item) : item);
    b.store(y, {i}, b.end(k));
    return b.finish();
  };
  const std::string text = emit(fold(false));
  CHECK(matches(text, R"(%add = fadd contract double %load.a1)"));
  CHECK(matches(text, R"(fadd reassoc contract double %fold.sum, %add)"));
  CHECK(emit(fold(true)).find("reassoc") == std::string::npos);
}

TEST_CASE("emission: the host's loop is vectorised, functions too") {
  const std::string text = emit(daxpy(), emission::llvm, proved, "x86-64-v3");
  CHECK(matches(text, R"(fadd contract <4 x double>)"));
  const std::pair<op, const char*> names[] = {
      {op::exponential, "exp"}, {op::logarithm, "log"},           {op::sine, "sin"}, {op::cosine, "cos"},
      {op::tangent, "tan"},     {op::hyperbolic_tangent, "tanh"}, {op::power, "pow"}};
  for (const auto& [code, name] : names) {
    image_builder b("function");
    const auto y = b.inout(type::float32), x = b.in(type::float32);
    b.domain_of(y);
    const auto i = b.id();
    const auto v = b.load(x, {i});
    b.store(y, {i}, code == op::power ? b.binary(code, v, v) : b.unary(code, v));
    const std::string rest = std::string(code == op::power ? "vv_" : "v_") + name + "f";
    CHECK(matches(emit(b.finish(), emission::assembly, proved, "x86-64-v3"), "_ZGVdN8" + rest));
    CHECK(matches(emit(b.finish(), emission::assembly, proved, "x86-64-v2"), "_ZGVbN4" + rest));
  }
}

TEST_CASE("emission: images that are not well formed are refused, not compiled") {
  image_builder b("bad");
  const auto y = b.inout(type::float64);
  b.domain_of(y);
  const auto i = b.id();
  b.store(y, {i}, b.literal<std::int32_t>(1));
  try {
    emit(b.finish());
    FAIL("no error");
  } catch (const error& e) {
    CHECK(e.code() == error_code::invalid_file);
    CHECK(std::string(e.what()).find("bad") != std::string::npos);
  }
}

TEST_CASE("emission: many threads compile at once, for both targets") {
  const auto image = daxpy();
  const auto ptx = test::generator().compile(image.view(), "sm_90", proved);
  const auto host = test::generator().compile(image.view(), "x86-64-v3", proved);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int k = 0; k < 4; ++k) {
        const bool gpu = (t + k) % 2 == 0;
        if (test::generator().compile(image.view(), gpu ? "sm_90" : "x86-64-v3", proved) == (gpu ? ptx : host)) ++right;
      }
    });
  }
  for (auto& t : threads) t.join();
  CHECK(right == 24);
}

TEST_CASE("emission: the version names LLVM and this very build") {
  CHECK(matches(test::generator().version(), R"(selvage [0-9]+ llvm 22\.[0-9]+\.[0-9]+ build [0-9a-f]{40})"));
}

}  // namespace
