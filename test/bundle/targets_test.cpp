// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What other programs say of the machine code of targets whose devices are not here: spirv-val of every SPIR-V module,
// llvm-objdump and llvm-readobj of every AMD code object, whose metadata must describe the argument block.
#include <selvage/codegen/bundle.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

using namespace selvage;

namespace {

struct ran {
  int status = -1;
  std::string output;
};
ran run(const std::string& command) {
  ran result;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  char part[4096];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) result.output.append(part, n);
  result.status = pclose(pipe);
  return result;
}

bool is_there(const std::string& program) {
  return run("command -v " + program).status == 0;
}

/// The code in a file of its own.
std::string file_of(const codegen::bundled_kernel& k) {
  const std::string path = std::string(SELVAGE_TEST_FOLDER) + "/code.bin";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(k.code.data()), static_cast<std::streamsize>(k.code.size()));
  return path;
}

const std::vector<codegen::bundled_kernel>& all() {
  static const std::string text = [] {
    std::ifstream file(SELVAGE_TEST_BUNDLE, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  }();
  static const std::vector<codegen::bundled_kernel> images = [] {
    const std::size_t first = text.find("\x10\xff\x10\xad");
    std::size_t end = first;
    for (std::uint64_t size = 0; text.compare(end, 4, "\x10\xff\x10\xad") == 0; end += size)
      std::memcpy(&size, text.data() + end + 8, sizeof size);
    return codegen::read_bundle(std::as_bytes(std::span(text).subspan(first, end - first)));
  }();
  return images;
}

std::vector<std::uint32_t> numbers(const std::string& text, const char* key) {
  std::vector<std::uint32_t> found;
  const std::regex pattern(std::string(key) + ": +([0-9]+)");
  for (std::sregex_iterator m(text.begin(), text.end(), pattern), end; m != end; ++m)
    found.push_back(static_cast<std::uint32_t>(std::stoul((*m)[1])));
  return found;
}

TEST_CASE("spirv-val accepts all SPIR-V") {
  if (!is_there("spirv-val")) {
    MESSAGE("skipped: no spirv-val");
    return;
  }
  int count = 0;
  for (const codegen::bundled_kernel& k : all()) {
    if (k.format != codegen::code_format::spirv) continue;
    const ran checked = run("spirv-val --target-env spv1.4 " + file_of(k));
    INFO(k.kernel << ", variant " << k.assumes.key() << ": " << checked.output);
    CHECK(checked.status == 0);
    ++count;
  }
  CHECK(count >= 50);
}

TEST_CASE("AMD code objects disassemble, and their metadata are the argument block") {
  if (!is_there("llvm-objdump-22") || !is_there("llvm-readobj-22")) {
    MESSAGE("skipped: no llvm-objdump-22 or llvm-readobj-22");
    return;
  }
  int count = 0;
  for (const codegen::bundled_kernel& k : all()) {
    if (k.format != codegen::code_format::code_object) continue;
    INFO(k.kernel << " for " << k.target << ", variant " << k.assumes.key());
    const std::string path = file_of(k);
    const ran code = run("llvm-objdump-22 -d --mcpu=" + std::string(k.target) + " " + path);
    CHECK(code.status == 0);
    CHECK(code.output.find("s_endpgm") != std::string::npos);
    CHECK(code.output.find("<unknown>") == std::string::npos);

    const codegen::step launch = codegen::unpack(k).recipe.steps.at(0);
    const ran notes = run("llvm-readobj-22 --notes " + path);
    CHECK(notes.output.find("amdhsa.version") != std::string::npos);
    CHECK(notes.output.find("hidden_") == std::string::npos);
    CHECK(numbers(notes.output, "[.]kernarg_segment_size") == std::vector<std::uint32_t>{launch.block_bytes});
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint32_t> sizes;
    std::size_t pointers = 0;
    for (const codegen::argument_slot& s : launch.slots) {
      offsets.push_back(s.offset);
      sizes.push_back(s.size);
      using source = codegen::argument_slot::source;
      pointers += s.from == source::pointer || s.from == source::fault || s.from == source::scratch ? 1 : 0;
    }
    CHECK(numbers(notes.output, "[.]offset") == offsets);
    CHECK(numbers(notes.output, "[.]size") == sizes);
    std::size_t global = 0;
    for (std::size_t at = 0; (at = notes.output.find("global_buffer", at)) != std::string::npos; ++at) ++global;
    CHECK(global == pointers);
    ++count;
  }
  CHECK(count >= 100);
}

}  // namespace
