// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debug locations made comments.
#include "annotate.hpp"

#include <selvage/ir/print.hpp>

#include <fmt/format.h>

namespace selvage::inline v0::codegen {
namespace {

/// "%4 = load float64 argument 1 [%2]  (daxpy.cpp:8)", empty for what comes from no node.
std::string comment_of(const ir::image_view& image, unsigned line) {
  if (line == 0 || line > image.nodes.size()) return {};
  std::string text = ir::print_node(image, line - 1);
  if (image.nodes[line - 1].line != 0) {
    const std::string_view file = image.file.substr(image.file.rfind('/') + 1);
    text += fmt::format("  ({}:{})", file, image.nodes[line - 1].line);
  }
  return text;
}

using origins = llvm::DenseMap<const llvm::Instruction*, unsigned>;

class node_comments final : public llvm::AssemblyAnnotationWriter {
 public:
  node_comments(const ir::image_view& image, const origins& lines) : image_(image), lines_(lines) {}

  void emitBasicBlockStartAnnot(const llvm::BasicBlock*, llvm::formatted_raw_ostream&) override { last_ = 0; }
  void emitInstructionAnnot(const llvm::Instruction* i, llvm::formatted_raw_ostream& out) override {
    const unsigned line = lines_.lookup(i);
    if (line != 0 && line != last_) out << "  ; " << comment_of(image_, line) << '\n';
    last_ = line;
  }

 private:
  const ir::image_view& image_;
  const origins& lines_;
  unsigned last_ = 0;
};

/// What LLVM writes for debuggers beside the locations themselves.
bool is_of_debug_information(llvm::StringRef words) {
  if (words.starts_with(".file")) return words.contains("image\"");
  if (words.starts_with(".cfi_sections")) return true;
  if (!words.consume_front("$L__") && !words.consume_front(".L")) return false;
  return words.consume_back(":") && (words.starts_with("tmp") || words.starts_with("func_begin"));
}

}  // namespace

llvm::DISubprogram* make_scope(llvm::Module& module, llvm::Function& function) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  llvm::DIBuilder b(module);
  llvm::DIFile* file = b.createFile("image", ".");
  b.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C_plus_plus_20), file, "selvage", true, "", 0, "",
                      llvm::DICompileUnit::DebugDirectivesOnly);
  llvm::DISubprogram* scope = b.createFunction(
      file, function.getName(), function.getName(), file, 0, b.createSubroutineType(b.getOrCreateTypeArray({})), 0,
      llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  b.finalize();
  function.setSubprogram(scope);
  return scope;
}

std::string annotated_ir(llvm::Module& module, const ir::image_view& image) {
  origins lines;
  for (llvm::Function& f : module)
    for (llvm::Instruction& i : llvm::instructions(f))
      if (i.getDebugLoc()) lines[&i] = i.getDebugLoc().getLine();
  llvm::StripDebugInfo(module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  node_comments comments(image, lines);
  module.print(stream, &comments);
  return text;
}

std::string annotated_assembly(llvm::StringRef assembly, llvm::StringRef comment, const ir::image_view& image) {
  std::string text;
  unsigned last = 0;
  bool debug_section = false;
  while (!assembly.empty()) {
    const auto [whole, rest] = assembly.split('\n');
    assembly = rest;
    llvm::StringRef words = whole.trim();
    if (words.starts_with(".section")) debug_section = words.contains(".debug_");
    if (debug_section || is_of_debug_information(words)) continue;
    if (!words.consume_front(".loc")) {
      text += fmt::format("{}\n", std::string_view(whole.data(), whole.size()));
      continue;
    }
    unsigned file = 0;
    unsigned line = 0;
    words = words.ltrim();
    if (words.consumeInteger(10, file) || (words = words.ltrim()).consumeInteger(10, line)) continue;
    const std::string node = comment_of(image, line);
    if (!node.empty() && line != last)
      text += fmt::format("\t{} {}\n", std::string_view(comment.data(), comment.size()), node);
    last = line;
  }
  return text;
}

}  // namespace selvage::inline v0::codegen
