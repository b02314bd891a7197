// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random images: the code generator's host code against the interpreter, bit for bit.
// SELVAGE_SEED chooses the first seed, SELVAGE_IMAGES how many.
#include "executors.hpp"
#include "random_image.hpp"

#include <selvage/error.hpp>
#include <selvage/ir/print.hpp>
#include <selvage/ir/read.hpp>
#include <selvage/ir/structure.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>

namespace selvage::test {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

const std::uint64_t first_seed = setting("SELVAGE_SEED", 1);
const std::uint64_t images = setting("SELVAGE_IMAGES", 64);

TEST_CASE("random images are well formed, verified, and use everything") {
  std::set<ir::operation> operations;
  std::set<ir::type> types;
  for (std::uint64_t seed = first_seed; seed < first_seed + images; ++seed) {
    const launch_case one = random_case(seed);
    const ir::image_view image = one.image.view();
    INFO("seed " << seed << "\n" << ir::print(image));
    CHECK_NOTHROW(ir::read_image(one.image.bytes()));
    CHECK_NOTHROW(ir::check_rules(image));
    for (const ir::node& n : image.nodes) operations.insert(n.code), types.insert(n.type);
  }
  int tested_alone = 1;  // reciprocal_square_root and all functions: see math_test.cpp
  for (int k = 0; k < ir::operation_count; ++k)
    tested_alone += properties(static_cast<ir::operation>(k)).kind == ir::operation_kind::function ? 1 : 0;
  CHECK(operations.size() == ir::operation_count - tested_alone);
  CHECK(types.size() == ir::type_count);
}

TEST_CASE("random images: the interpreter finds no problem, and most work-items end well") {
  std::size_t faulted = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + images; ++seed) {
    const launch_case one = random_case(seed);
    INFO("seed " << seed << "\n" << ir::print(one.image.view()));
    CHECK_NOTHROW(faulted += interpreted(one, variant_of(one)).faults.empty() ? 0U : 1U);
  }
  CHECK(faulted > 0);
  CHECK(faulted < images / 2);
}

TEST_CASE("random images: the comparison sees a changed element and a missing fault") {
  for (std::uint64_t seed = first_seed; seed < first_seed + 20; ++seed) {
    const executor wrong = [](const launch_case& one, const codegen::variant& v) {
      outcome o = interpreted(one, v);
      for (std::size_t k = 0; k < o.memory.size(); ++k)
        if (!o.memory[k].empty()) {
          const auto size = static_cast<std::size_t>(ir::properties(one.arguments[k].about.element).bytes);
          const std::size_t at = o.memory[k].size() / size / 2 * size;
          for (std::size_t byte = 0; byte < size; ++byte) o.memory[k][at + byte] ^= std::byte{0x15};
          break;
        }
      return o;
    };
    CHECK(compare(seed, interpreted, interpreted).empty());
    CHECK(!compare(seed, interpreted, wrong).empty());
  }
}

TEST_CASE("random images: host code agrees with the interpreter") {
  int failures = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + images && failures < 5; ++seed) {
    const std::string found = compare(seed, interpreted, on_host);
    INFO(found);
    CHECK(found.empty());
    failures += found.empty() ? 0 : 1;
  }
}

}  // namespace
}  // namespace selvage::test
