// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each mathematical function alone, in units in the last place, in the interpreter and in host code.
#include "math.hpp"
#include "executors.hpp"
#include "math_bounds.hpp"

#include <doctest/doctest.h>

namespace selvage::test {
namespace {

void check(const executor& run) {
  for (const math_bound& bound : math_bounds) {
    for (const ir::type t : {ir::type::float32, ir::type::float64}) {
      const math_result r = measure(bound.function, t, run);
      INFO(ir::properties(t).name << " " << r.worst << " ulp: " << r.where);
      CHECK(r.worst <= bound.ulps);
    }
  }
}

TEST_CASE("math: the interpreter is within the bounds") { check(interpreted); }
TEST_CASE("math: host code is within the bounds") { check(on_host); }

TEST_CASE("math: a result that is off by a few places is seen") {
  const executor wrong = [](const launch_case& one, const codegen::variant& v) {
    outcome o = interpreted(one, v);
    for (std::size_t k = 0; k < o.memory[0].size(); k += 8) o.memory[0][k] ^= std::byte{0x10};
    return o;
  };
  CHECK(measure(ir::operation::sine, ir::type::float64, wrong).worst > 4);
}

}  // namespace
}  // namespace selvage::test
