// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels in some files: found, listed, and chosen by name.
#pragma once

#include <selvage/ir/image.hpp>
#include <selvage/ir/read.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tools {

class kernel_files {
 public:
  /// Reads all files. Throws selvage::error: a file cannot be read, or an image in it is damaged; its name is in the
  /// message.
  explicit kernel_files(const std::vector<std::string>& paths);

  const std::vector<selvage::ir::found_image>& all() const { return kernels_; }

  /// A line for each kernel: name, arguments, content hash, file and line of its source. Throws if there is none.
  std::string list() const;

  /// Throws if there is none.
  void need_some() const;

  /// The kernel of that name, or of NAME#HASH where HASH may be a beginning; of no name if there is only one. Throws if
  /// there is no such kernel or more than one, with the names of those there.
  const selvage::ir::image_view& find(std::string_view name) const;

 private:
  std::vector<std::string> names() const;

  std::vector<std::string> paths_;
  std::vector<selvage::ir::found_image> kernels_;
};

}  // namespace tools
