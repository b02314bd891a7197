// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links a target's mathematical functions, which come as LLVM bitcode, into a kernel's module.
#include <fmt/format.h>

#include <dlfcn.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <unordered_map>

#include "error.hpp"
#include "object.hpp"

#ifndef SELVAGE_CLC_FOLDER
#define SELVAGE_CLC_FOLDER "/usr/lib/clc"
#endif

namespace selvage::inline v0::codegen {
namespace {

/// The file's bytes, read once a process. They stay: modules that are read lazily refer to them.
llvm::MemoryBufferRef bytes_of(const char* file) {
  static std::mutex lock;
  static std::unordered_map<std::string, std::unique_ptr<llvm::MemoryBuffer>> known;
  const std::lock_guard locked(lock);
  auto& buffer = known[file];
  if (buffer != nullptr) return buffer->getMemBufferRef();

  std::vector<std::filesystem::path> folders;
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&bytes_of), &self) != 0 && self.dli_fname != nullptr)
    folders.push_back(std::filesystem::path(self.dli_fname).parent_path());
  folders.insert(folders.end(), {SELVAGE_CLC_FOLDER, "/usr/lib/clc"});
  for (const auto& folder : folders) {
    auto read =
        llvm::MemoryBuffer::getFile((folder / file).string(), /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!read) continue;
    buffer = std::move(*read);
    return buffer->getMemBufferRef();
  }
  throw error(error_code::unsupported,
              fmt::format("the kernel uses mathematical functions, whose library '{}' is neither in '{}' nor in '{}'; "
                          "install the package libclc-22",
                          file, folders.front().string(), SELVAGE_CLC_FOLDER));
}

bool calls_library(const llvm::Module& module) {
  for (const llvm::Function& f : module)
    if (f.isDeclaration() && !f.isIntrinsic() && !f.use_empty()) return true;
  return false;
}

}  // namespace

void link_library(llvm::Module& module, const char* file) {
  if (!calls_library(module)) return;
  auto library = llvm::getLazyBitcodeModule(bytes_of(file), module.getContext());
  if (!library) raise(error_code::invalid_file, fmt::format("reading '{}'", file), library.takeError());
  // It is for the same architecture, whatever its name and layout say of the vendor and of unused address spaces.
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  const auto take_over = [](llvm::Module& m, const llvm::StringSet<>& linked) {
    llvm::internalizeModule(m,
                            [&](const llvm::GlobalValue& g) { return !g.hasName() || !linked.contains(g.getName()); });
  };
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded, take_over))
    throw_if_diagnosed(module.getContext(), fmt::format("linking '{}'", file));
  if (calls_library(module))
    throw error(error_code::unsupported, fmt::format("the library '{}' lacks a function that the kernel calls", file));
}

}  // namespace selvage::inline v0::codegen
