// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns LLVM's errors into exceptions.
#include "error.hpp"

#include <fmt/format.h>

#include <mutex>

namespace selvage::inline v0::codegen {
namespace {

thread_local int compilations = 0;

/// LLVM goes on to abort if this returns. Its frames have unwind tables, though no clean-up of their own: what they
/// hold is lost, which is a leak at worst (generator.cpp keeps the half-made objects from being used again).
void on_fatal_error(void*, const char* reason, bool) {
  if (compilations > 0) throw fatal_error(error_code::unsupported, fmt::format("LLVM cannot compile this: {}", reason));
}

class collector final : public llvm::DiagnosticHandler {
 public:
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error && errors.size() < 4096) {
      llvm::raw_string_ostream stream(errors);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      if (!errors.empty()) stream << "; ";
      info.print(printer);
    }
    return true;  // nothing is printed
  }
  std::string errors;
};

}  // namespace

fatal_errors_thrown::fatal_errors_thrown() {
  static std::once_flag once;
  std::call_once(once, [] { llvm::install_fatal_error_handler(on_fatal_error, nullptr); });
  ++compilations;
}
fatal_errors_thrown::~fatal_errors_thrown() {
  --compilations;
}

void collect_diagnostics(llvm::LLVMContext& context) {
  context.setDiagnosticHandler(std::make_unique<collector>());
}

void throw_if_diagnosed(llvm::LLVMContext& context, const std::string& doing) {
  const auto* diagnosed = static_cast<const collector*>(context.getDiagHandlerPtr());
  if (!diagnosed->errors.empty()) throw error(error_code::unsupported, fmt::format("{}: {}", doing, diagnosed->errors));
}

void raise(error_code code, const std::string& doing, llvm::Error problem) {
  throw error(code, fmt::format("{}: {}", doing, llvm::toString(std::move(problem))));
}

}  // namespace selvage::inline v0::codegen
