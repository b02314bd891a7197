// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opening of the libraries that are needed only sometimes.
#include "plugin.hpp"

#include <selvage/error.hpp>

#include <fmt/format.h>

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

namespace selvage::inline v0::detail {
namespace {

std::vector<std::string> candidates(const std::string& file) {
  std::vector<std::string> paths;
  if (const char* given = std::getenv("SELVAGE_PLUGIN_PATH")) {
    std::string_view rest = given;
    while (!rest.empty()) {
      const std::size_t colon = rest.find(':');
      if (const std::string_view folder = rest.substr(0, colon); !folder.empty())
        paths.push_back(fmt::format("{}/{}", folder, file));
      rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
  }
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&open_plugin), &here) != 0 && here.dli_fname != nullptr) {
    const std::string_view path = here.dli_fname;
    if (const std::size_t slash = path.rfind('/'); slash != std::string_view::npos)
      paths.push_back(fmt::format("{}/{}", path.substr(0, slash), file));
  }
  paths.push_back(file);
  return paths;
}

}  // namespace

void* open_plugin(const std::string& file, const char* symbol, const std::string& purpose) {
  std::string tried;
  for (const std::string& path : candidates(file)) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* reason = dlerror();
      tried += fmt::format("{}{}", tried.empty() ? "" : "; ", reason != nullptr ? reason : path);
      continue;
    }
    if (void* address = dlsym(library, symbol)) return address;
    dlclose(library);
    tried += fmt::format("{}{}: has no symbol {}; it is of another version of Selvage", tried.empty() ? "" : "; ", path,
                         symbol);
  }
  throw error(error_code::no_plugin,
              fmt::format("{} needs {}, which cannot be opened; install it beside libselvage_runtime.so, or name its "
                          "folder in SELVAGE_PLUGIN_PATH (tried: {})",
                          purpose, file, tried));
}

codegen::generator& code_generator() {
  static std::mutex mutex;
  static codegen::generator* generator = nullptr;
  const std::lock_guard lock(mutex);
  if (generator == nullptr) {
    void* symbol = open_plugin("libselvage_codegen.so", codegen::plugin_symbol, "compiling a kernel");
    generator = reinterpret_cast<codegen::plugin_function>(symbol)();
  }
  return *generator;
}

}  // namespace selvage::inline v0::detail
