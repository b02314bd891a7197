// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A code generator for tests, opened by the runtime as the real one is: its machine code is the shared object of
// kernels.cpp, its recipes are those that the host's kernels have.
#include <selvage/codegen/compile.hpp>
#include <selvage/error.hpp>

#include <fstream>
#include <iterator>

namespace {

using namespace selvage;
using codegen::argument_slot;

std::vector<std::byte> bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

class test_generator final : public codegen::generator {
 public:
  codegen::compiled_kernel compile(const ir::image_view& image, std::string_view target, codegen::variant v) override {
    codegen::compiled_kernel k;
    k.recipe.kernel = image.name;
    k.recipe.content_hash = image.header.content_hash;
    k.recipe.target = target;
    k.recipe.assumes = v;
    codegen::step s;
    s.entry = image.name;
    std::uint32_t offset = 0;
    const auto put = [&](argument_slot::source from, std::uint32_t parameter, std::uint32_t dimension,
                         std::uint32_t size) {
      offset = (offset + size - 1) / size * size;
      s.slots.push_back({from, parameter, dimension, offset, size});
      offset += size;
    };
    for (std::uint32_t p = 0; p < image.parameters.size(); ++p) {
      const ir::parameter& about = image.parameters[p];
      if (about.mode == ir::access::value) {
        put(argument_slot::source::value, p, 0, static_cast<std::uint32_t>(ir::properties(about.element).bytes));
        continue;
      }
      put(argument_slot::source::pointer, p, 0, 8);
      for (std::uint32_t d = 0; d < about.rank; ++d) put(argument_slot::source::extent, p, d, 8);
      for (std::uint32_t d = 0; d < about.rank; ++d) put(argument_slot::source::stride, p, d, 8);
    }
    for (std::uint32_t d = 0; d < image.header.domain_rank; ++d) put(argument_slot::source::domain_extent, 0, d, 8);
    put(argument_slot::source::fault, 0, 0, 8);
    s.block_bytes = (offset + 7) / 8 * 8;
    using code = codegen::size_expression::code;
    for (std::uint32_t d = 0; d < 3; ++d) {
      if (d < image.header.domain_rank)
        s.grid[d].rows = {{code::domain_extent, image.header.domain_rank - 1 - d, 0, 0}};
      else
        s.grid[d].rows = {{code::literal, 0, 0, 1}};
    }
    k.recipe.steps.push_back(std::move(s));
    k.code = bytes_of(SELVAGE_TEST_KERNELS);
    return k;
  }

  std::string emit(const ir::image_view& image, std::string_view target, codegen::variant, codegen::emission what,
                   bool) override {
    if (image.name == "unwritable") throw error(error_code::unknown_target, std::string(target));
    return std::string(what == codegen::emission::llvm ? "ir of " : "assembly of ") + std::string(image.name) + "\n";
  }
  std::vector<codegen::variant> variants(std::string_view) const override { return {{}}; }
  std::vector<std::byte> object_with(std::span<const codegen::compiled_kernel>) override { return {}; }
  std::vector<std::string> targets() const override { return {"host"}; }
  std::string version() const override { return "for tests"; }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) codegen::generator* selvage_codegen_v1() {
  static test_generator g;
  return &g;
}
