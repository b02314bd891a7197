// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other programs: found, and run on files in a folder of their own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// A folder that lives as long as this object. Throws selvage::error (invalid_file).
class temporary_folder {
 public:
  temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder();
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

bool is_program(const std::filesystem::path& path);
/// The program's path, looked for in the folders of PATH; empty if it is not there.
std::string find_program(const std::string& name);

std::string content_of(const std::filesystem::path& path);

struct run_result {
  int status = -1;     ///< exit status; -1 if it could not be started or was ended by a signal
  std::string output;  ///< what it printed, errors too
};
/// Runs a program (words[0], a path) and waits for it.
run_result run_program(std::vector<std::string> words);

}  // namespace tools
