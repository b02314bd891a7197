// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other programs, by posix_spawn.
#include "process.hpp"

#include <selvage/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

extern char** environ;

namespace tools {

namespace files = std::filesystem;

temporary_folder::temporary_folder() {
  std::string pattern = (files::temp_directory_path() / "selvagec-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw selvage::error(selvage::error_code::invalid_file, fmt::format("cannot make a folder like '{}'", pattern));
  path_ = pattern;
}
temporary_folder::~temporary_folder() {
  std::error_code ignored;
  files::remove_all(path_, ignored);
}

bool is_program(const files::path& path) {
  return access(path.c_str(), X_OK) == 0 && !files::is_directory(path);
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (is_program(files::path(folder) / name)) return files::path(folder) / name;
  return {};
}

std::string content_of(const files::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

run_result run_program(std::vector<std::string> words) {
  const temporary_folder folder;
  const std::string said = folder / "output";
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  run_result result;
  if (failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)) result.status = WEXITSTATUS(status);
  result.output = content_of(said);
  return result;
}

}  // namespace tools
