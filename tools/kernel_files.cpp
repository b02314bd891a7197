// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels in some files: found, listed, and chosen by name.
#include "kernel_files.hpp"

#include <selvage/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tools {
namespace {

using selvage::error;
using selvage::error_code;
namespace ir = selvage::ir;

std::vector<std::byte> read_file(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed))
    throw error(error_code::invalid_file, fmt::format("'{}' is a folder, not a file", path));
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw error(error_code::invalid_file, fmt::format("cannot open '{}': {}", path, std::strerror(errno)));
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw error(error_code::invalid_file, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  return bytes;
}

std::string hash_of(const ir::found_image& kernel) {
  return fmt::format("{:016x}", kernel.image.header.content_hash);
}

/// As it is declared: `inout<double, 2>` is "inout float64[:,:]".
std::string argument(const ir::parameter& p) {
  const std::string type = fmt::format("{} {}", ir::name(p.mode), ir::properties(p.element).name);
  if (p.mode == ir::access::value) return type;
  std::string dimensions;
  for (int d = 0; d < p.rank; ++d) dimensions += d == 0 ? ":" : ",:";
  return fmt::format("{}[{}]", type, dimensions);
}

}  // namespace

kernel_files::kernel_files(const std::vector<std::string>& paths) : paths_(paths) {
  for (const std::string& path : paths_)
    for (ir::found_image& found : ir::find_images(read_file(path), path)) {
      const auto same = [&](const ir::found_image& k) {
        return k.image.header.content_hash == found.image.header.content_hash;
      };
      if (std::ranges::none_of(kernels_, same)) kernels_.push_back(std::move(found));
    }
}

void kernel_files::need_some() const {
  if (!kernels_.empty()) return;
  throw error(error_code::invalid_file,
              fmt::format("no kernel in '{}': the compiler keeps only kernels that something launches or that "
                          "SELVAGE_EXPORT(kernel) names",
                          fmt::join(paths_, "', '")));
}

/// A kernel's own name where no other has it, else NAME#HASH.
std::vector<std::string> kernel_files::names() const {
  std::vector<std::string> result;
  for (const ir::found_image& k : kernels_) {
    const auto namesakes =
        std::ranges::count(kernels_, k.image.name, [](const auto& other) { return other.image.name; });
    result.push_back(namesakes == 1 ? std::string(k.image.name) : fmt::format("{}#{}", k.image.name, hash_of(k)));
  }
  return result;
}

std::string kernel_files::list() const {
  need_some();
  const std::vector<std::string> all = names();
  std::string text;
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    const ir::image_view& image = kernels_[k].image;
    std::vector<std::string> arguments;
    for (const ir::parameter& p : image.parameters) arguments.push_back(argument(p));
    text += fmt::format("{} ({}) {} {}:{}\n", all[k], fmt::join(arguments, ", "), hash_of(kernels_[k]), image.file,
                        image.header.line);
  }
  return text;
}

const ir::image_view& kernel_files::find(std::string_view name) const {
  need_some();
  const std::vector<std::string> all = names();
  if (name.empty()) {
    if (kernels_.size() == 1) return kernels_.front().image;
    throw error(error_code::invalid_argument,
                fmt::format("more than one kernel: choose by --kernel one of {}", fmt::join(all, ", ")));
  }
  const std::size_t hash = name.find('#');
  const std::string_view plain = name.substr(0, hash);
  const std::string_view beginning = hash == std::string_view::npos ? std::string_view() : name.substr(hash + 1);
  const ir::found_image* found = nullptr;
  for (const ir::found_image& k : kernels_) {
    if (k.image.name != plain || !hash_of(k).starts_with(beginning)) continue;
    if (found)
      throw error(
          error_code::invalid_argument,
          fmt::format("more than one kernel is named '{}': choose by its hash one of {}", name, fmt::join(all, ", ")));
    found = &k;
  }
  if (!found)
    throw error(error_code::invalid_argument, fmt::format("no kernel '{}' in '{}'; there are {}", name,
                                                          fmt::join(paths_, "', '"), fmt::join(all, ", ")));
  return found->image;
}

}  // namespace tools
