// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SELVAGE_DUMP: what each compiled kernel looked like on its way, as files.
#include "dump.hpp"

#include <selvage/error.hpp>
#include <selvage/ir/print.hpp>

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace selvage::inline v0::detail {
namespace {

/// "guarded-contiguous", or "plain" if the variant is none of these.
std::string text_of(codegen::variant v) {
  std::string text;
  const auto put = [&](bool has, const char* word) {
    if (has) text += fmt::format("{}{}", text.empty() ? "" : "-", word);
  };
  put(v.guarded, "guarded");
  put(v.contiguous, "contiguous");
  put(v.narrow, "narrow");
  put(v.wide_grid, "wide");
  put(!v.contract, "exact");
  return text.empty() ? "plain" : text;
}

/// A kernel's name may hold anything; a file's name had better not.
std::string file_name(std::string_view name) {
  std::string clean(name.substr(0, 80));
  for (char& c : clean)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '_';
  return clean;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file)
    throw error(error_code::invalid_argument,
                fmt::format("SELVAGE_DUMP: cannot write {}; name a folder that can be written", path.string()));
}

}  // namespace

void dump(codegen::generator& generator, const ir::image_view& image, std::string_view target, codegen::variant v) {
  const char* const folder = std::getenv("SELVAGE_DUMP");
  if (folder == nullptr || *folder == '\0') return;
  std::error_code ignored;  // what goes wrong here shows when the first file is written
  std::filesystem::create_directories(folder, ignored);
  const std::string stem = fmt::format("{}/{}-{:016x}", folder, file_name(image.name), image.header.content_hash);
  const std::string variant = fmt::format("{}-{}-{}", stem, file_name(target), text_of(v));
  write(stem + ".image", ir::print(image));
  write(variant + ".ll", generator.emit(image, target, v, codegen::emission::llvm));
  write(variant + ".s", generator.emit(image, target, v, codegen::emission::assembly));
}

}  // namespace selvage::inline v0::detail
