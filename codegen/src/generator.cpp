// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plug-in's door: one compilation from image to machine code or text.
#include <selvage/codegen/compile.hpp>
#include <selvage/ir/structure.hpp>
#include <selvage/version.hpp>

#include <fmt/format.h>

#include <elf.h>
#include <link.h>

#include "annotate.hpp"
#include "child.hpp"
#include "emitter.hpp"
#include "error.hpp"
#include "object.hpp"
#include "process.hpp"

namespace selvage::inline v0::codegen {
namespace {

/// All of one compilation that LLVM owns, in the order in which it must die.
struct compilation {
  llvm::LLVMContext context;
  std::unique_ptr<codegen::target> target;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

/// Runs `work(compilation)` with LLVM's errors as exceptions. After a fatal one the objects are left alone: a leak.
template <class Work>
auto guarded(Work work) {
  auto one = std::make_unique<compilation>();
  collect_diagnostics(one->context);
  try {
    const shared_use_of_llvm_options shared;
    const fatal_errors_thrown thrown;
    return work(*one);
  } catch (const fatal_error&) {
    static_cast<void>(one.release());  // see fatal_error
    throw;
  }
}

void emit_raw(compilation& c, const ir::image_view& image, std::string_view target, const variant& v,
              bool annotated = false) {
  c.target = make_target(target);
  c.machine = c.target->machine();
  c.module = emitter(image, v, *c.target, c.context).emit(*c.machine, annotated);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*c.module, &stream))
    throw error(error_code::invalid_file, fmt::format("kernel '{}' is malformed: {}", image.name, problem));
}

void optimize(compilation& c) {
  c.target->link_library(*c.module);
  codegen::optimize(*c.module, *c.machine, *c.target);
  throw_if_diagnosed(c.context, "optimising");
}

llvm::SmallVector<char, 0> file_of(compilation& c, llvm::CodeGenFileType type) {
  const auto emit = [&] { return codegen::file_of(*c.module, *c.machine, type); };
  if (!c.target->needs_a_child()) return emit();
  return in_child(emit, fmt::format("emitting kernel '{}'", c.module->getName().str()));
}

/// The linker's hash of this plug-in: whatever changes in it, and in the LLVM headers that it was built with, changes
/// this.
std::string build_id() {
  struct search {
    std::uintptr_t own;
    std::string id;
  } s{reinterpret_cast<std::uintptr_t>(&build_id), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& found = *static_cast<search*>(data);
        bool ours = false;
        for (int k = 0; k < info->dlpi_phnum; ++k) {
          const ElfW(Phdr)& p = info->dlpi_phdr[k];
          const std::uintptr_t begin = info->dlpi_addr + p.p_vaddr;
          ours = ours || (p.p_type == PT_LOAD && found.own >= begin && found.own < begin + p.p_memsz);
        }
        if (!ours) return 0;
        for (int k = 0; k < info->dlpi_phnum; ++k) {
          const ElfW(Phdr)& p = info->dlpi_phdr[k];
          if (p.p_type != PT_NOTE) continue;
          const auto align = [](std::size_t n) { return (n + 3) / 4 * 4; };
          for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= p.p_memsz;) {
            const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(info->dlpi_addr + p.p_vaddr + at);
            const auto* text = reinterpret_cast<const unsigned char*>(note + 1) + align(note->n_namesz);
            if (note->n_type == NT_GNU_BUILD_ID)
              for (std::size_t b = 0; b < note->n_descsz; ++b) found.id += fmt::format("{:02x}", text[b]);
            at += sizeof(*note) + align(note->n_namesz) + align(note->n_descsz);
          }
        }
        return 1;
      },
      &s);
  return s.id;
}

class llvm_generator final : public generator {
 public:
  llvm_generator() {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
  }

  compiled_kernel compile(const ir::image_view& image, std::string_view target, variant v) override {
    ir::check_structure(image);
    compiled_kernel kernel;
    kernel.recipe = {std::string(image.name), image.header.content_hash, std::string(target), v, {}, {step{}}};
    std::unique_ptr<codegen::target> used;
    const auto file = guarded([&](compilation& c) {
      c.context.setDiscardValueNames(true);  // nobody reads them
      emit_raw(c, image, target, v);
      optimize(c);
      auto bytes = file_of(c, c.target->file_type());
      used = std::move(c.target);
      return bytes;
    });
    const argument_block block = block_of(image);
    step& launch = kernel.recipe.steps.front();
    launch.entry = used->entry_name(image.name);
    launch.block_bytes = block.bytes;
    launch.slots = block.slots;
    used->shape(image, v, launch);
    kernel.format = used->format();
    kernel.code = used->package(file);
    return kernel;
  }

  std::string emit(const ir::image_view& image, std::string_view target, variant v, emission what,
                   bool annotated) override {
    ir::check_structure(image);
    return guarded([&](compilation& c) {
      emit_raw(c, image, target, v, annotated);
      if (what != emission::llvm_raw) optimize(c);
      if (what == emission::assembly) {
        const auto text = file_of(c, llvm::CodeGenFileType::AssemblyFile);
        if (annotated)
          return annotated_assembly({text.data(), text.size()}, c.machine->getMCAsmInfo()->getCommentString(), image);
        return std::string(text.begin(), text.end());
      }
      if (annotated) return annotated_ir(*c.module, image);
      std::string text;
      llvm::raw_string_ostream stream(text);
      c.module->print(stream, nullptr);
      return text;
    });
  }

  std::vector<variant> variants(std::string_view target) const override {
    // A CPU computes addresses of 64 bits as fast; a GPU's grid may not reach the domain.
    if (make_target(target)->format() == code_format::shared_object)
      return {{.guarded = false, .contiguous = true},
              {.guarded = true, .contiguous = true},
              {.guarded = false},
              {.guarded = true}};
    return {{.guarded = false, .contiguous = true, .narrow = true},
            {.guarded = true, .contiguous = true, .narrow = true},
            {.guarded = false},
            {.guarded = true},
            {.guarded = true, .wide_grid = true}};
  }

  std::vector<std::byte> object_with(std::span<const compiled_kernel> kernels) override {
    const shared_use_of_llvm_options shared;
    const fatal_errors_thrown thrown;
    return codegen::object_with(kernels);
  }

  std::vector<std::string> targets() const override { return target_names(); }

  std::string version() const override {
    static const std::string text =
        fmt::format("selvage {} llvm {} build {}", SELVAGE_VERSION, LLVM_VERSION_STRING, build_id());
    return text;
  }
};

}  // namespace
}  // namespace selvage::inline v0::codegen

extern "C" [[gnu::visibility("default")]] selvage::codegen::generator* selvage_codegen_v1() {
  // Never destroyed: the object lives as long as the plug-in, and compilations may still run while the process ends.
  static auto* const one = new selvage::codegen::llvm_generator();
  return one;
}
