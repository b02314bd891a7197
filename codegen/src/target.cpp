// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a target by its name.
#include "target.hpp"

#include <selvage/error.hpp>

#include <fmt/format.h>
#include <iterator>

namespace selvage::inline v0::codegen {
namespace {

const target_family* families(std::size_t k) {
  static const target_family all[] = {
#define SELVAGE_ROW(name) name##_family(),
      SELVAGE_TARGETS(SELVAGE_ROW)
#undef SELVAGE_ROW
  };
  return k < std::size(all) ? &all[k] : nullptr;
}

}  // namespace

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (std::size_t k = 0; const target_family* family = families(k); ++k)
    for (std::string& name : family->names()) names.push_back(std::move(name));
  return names;
}

std::unique_ptr<target> make_target(std::string_view name) {
  for (std::size_t k = 0; const target_family* family = families(k); ++k)
    if (auto made = family->make(name)) return made;
  throw error(error_code::unknown_target,
              fmt::format("unknown target '{}'; known are {}", name, fmt::join(target_names(), ", ")));
}

std::unique_ptr<llvm::TargetMachine> make_machine(const char* triple, std::string_view processor,
                                                  const std::string& features) {
  const llvm::Triple parsed(triple);
  std::string problem;
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(parsed, problem);
  if (found == nullptr)
    throw error(error_code::unsupported, fmt::format("this LLVM was built without the target {}: {}", triple, problem));
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      parsed, llvm::StringRef(processor.data(), processor.size()), features, llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

std::string identifier_of(std::string_view kernel) {
  std::string name;
  for (const char c : kernel) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (name.empty() && digit) name += '_';
    name += digit || letter ? c : '_';
  }
  return name.empty() ? "kernel" : name;
}

}  // namespace selvage::inline v0::codegen
