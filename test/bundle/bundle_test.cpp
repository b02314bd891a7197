// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundles as bytes: what LLVM's writer made comes back whole, and no damage is followed.
#include <selvage/codegen/bundle.hpp>
#include <selvage/error.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

using namespace selvage;

namespace {

using bytes = std::vector<std::byte>;

/// The bundle in an object file that selvagec made, found by OffloadBinary's magic. (It is the only data there.)
bytes bundle_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t first = text.find("\x10\xff\x10\xad");
  REQUIRE(first != std::string::npos);
  std::size_t end = first;
  while (text.compare(end, 4, "\x10\xff\x10\xad") == 0) {
    std::uint64_t size = 0;
    std::memcpy(&size, text.data() + end + 8, sizeof size);
    end += size;
  }
  const auto part = std::as_bytes(std::span(text).subspan(first, end - first));
  return {part.begin(), part.end()};
}

std::string error_of(const bytes& b) {
  try {
    for (const codegen::bundled_kernel& k : codegen::read_bundle(b)) static_cast<void>(codegen::unpack(k));
  } catch (const error& e) {
    CHECK(e.code() == error_code::invalid_file);
    return e.what();
  }
  return {};
}

bytes changed(bytes b, std::size_t at, std::uint8_t to) {
  b[at] = std::byte{to};
  return b;
}

TEST_CASE("every kernel is there for every target, in variants that fit every launch") {
  const bytes b = bundle_of(SELVAGE_TEST_BUNDLE);
  std::set<std::string> targets;
  std::set<std::string> kernels;
  bool anything_goes = false;
  const auto images = codegen::read_bundle(b);
  for (const codegen::bundled_kernel& k : images) {
    targets.insert(std::string(k.target));
    kernels.insert(std::string(k.kernel));
    const codegen::compiled_kernel whole = codegen::unpack(k);
    CHECK(whole.recipe.kernel == k.kernel);
    CHECK(whole.code.size() == k.code.size());
    CHECK(whole.recipe.steps.size() == 1);
    anything_goes = anything_goes || (k.assumes.guarded && !k.assumes.contiguous && !k.assumes.narrow);
  }
  CHECK(targets == std::set<std::string>{"ptx", "sm_90", "x86-64", "x86-64-v3"});
  CHECK(kernels == std::set<std::string>{"daxpy", "every_second", "transpose"});
  CHECK(images.size() == 3 * (2 * 5 + 2 * 4));
  CHECK(anything_goes);
}

TEST_CASE("padding between bundles is passed over") {
  const bytes b = bundle_of(SELVAGE_TEST_BUNDLE);
  bytes twice = b;
  twice.resize(twice.size() + 24);
  twice.insert(twice.end(), b.begin(), b.end());
  CHECK(codegen::read_bundle(twice).size() == 2 * codegen::read_bundle(b).size());
  CHECK(codegen::read_bundle({}).empty());
}

TEST_CASE("damage is told, not followed") {
  const bytes good = bundle_of(SELVAGE_TEST_BUNDLE);
  std::uint64_t size = 0;
  std::memcpy(&size, good.data() + 8, sizeof size);
  const bytes one(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
  CHECK(error_of(one).empty());
  CHECK(error_of(changed(one, 0, 7)).find("byte 0: it does not begin as an OffloadBinary does") != std::string::npos);
  CHECK(error_of(changed(one, 4, 2)).find("version 2 of the format is not 1") != std::string::npos);
  bytes second = one;
  second.insert(second.end(), one.begin(), one.begin() + 20);
  CHECK(error_of(second).find("byte " + std::to_string(one.size())) != std::string::npos);
  for (std::size_t length = 1; length < one.size(); length += 7) {
    const bytes cut(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK_FALSE(error_of(cut).empty());
  }
  // Header, entry and table of strings: any other value is refused, or says the same.
  for (std::size_t at = 0; at < 400; ++at)
    for (const int to : {0, 1, 0x7f, 0xff})
      static_cast<void>(error_of(changed(one, at, static_cast<std::uint8_t>(to))));
}

}  // namespace
