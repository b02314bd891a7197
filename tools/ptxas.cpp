// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs ptxas on files in a folder of its own.
#include "ptxas.hpp"

#include <selvage/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

extern char** environ;

namespace tools {
namespace {

using selvage::error;
using selvage::error_code;
namespace files = std::filesystem;

bool is_program(const files::path& path) { return access(path.c_str(), X_OK) == 0 && !files::is_directory(path); }

/// A folder that lives as long as this object.
class temporary_folder {
 public:
  temporary_folder() {
    std::string pattern = (files::temp_directory_path() / "selvagec-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw error(error_code::invalid_file, fmt::format("cannot make a folder like '{}'", pattern));
    path_ = pattern;
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    files::remove_all(path_, ignored);
  }
  files::path operator/(const char* name) const { return path_ / name; }

 private:
  files::path path_;
};

std::string content(const files::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string find_ptxas() {
  if (const char* named = std::getenv("SELVAGE_PTXAS"); named != nullptr) return is_program(named) ? named : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (is_program(files::path(folder) / "ptxas")) return files::path(folder) / "ptxas";
  const files::path usual = "/usr/local/cuda/bin/ptxas";
  return is_program(usual) ? usual.string() : "";
}

void assemble(selvage::codegen::compiled_kernel& kernel, const std::string& ptxas) {
  const temporary_folder folder;
  const std::string from = folder / "kernel.ptx";
  const std::string to = folder / "kernel.cubin";
  const std::string said = folder / "messages";
  std::ofstream(from, std::ios::binary).write(reinterpret_cast<const char*>(kernel.code.data()),
                                              static_cast<std::streamsize>(kernel.code.size() - 1));  // without its zero
  std::string architecture = "-arch=" + kernel.recipe.target;
  std::string words[] = {ptxas, "-O3", architecture, "-o", to, from};
  char* arguments[std::size(words) + 1] = {};
  for (std::size_t k = 0; k < std::size(words); ++k) arguments[k] = words[k].data();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawn(&child, ptxas.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw error(error_code::unsupported,
                fmt::format("kernel '{}' for {}: '{}' failed: {}", kernel.recipe.kernel, kernel.recipe.target, ptxas,
                            content(said)));
  const std::string code = content(to);
  const auto* first = reinterpret_cast<const std::byte*>(code.data());
  kernel.code.assign(first, first + code.size());
  kernel.format = selvage::codegen::code_format::cubin;
}

}  // namespace tools
