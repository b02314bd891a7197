// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// selvagec: lists the kernels in object files, archives and executables, prints one at any stage of its way to machine
// code, and compiles them ahead of time.
#include "bundle.hpp"
#include "kernel_files.hpp"
#include "process.hpp"

#include <selvage/codegen/compile.hpp>
#include <selvage/error.hpp>
#include <selvage/ir/print.hpp>
#include <selvage/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using selvage::error;
using selvage::error_code;
namespace codegen = selvage::codegen;

/// The code generator, opened only where something is to be compiled: `--list` and `--emit=image` need no LLVM.
codegen::generator& open_generator() {
  const std::string file = "libselvage_codegen.so";
  std::vector<std::string> places;
  if (const char* folder = std::getenv("SELVAGE_PLUGIN_PATH")) places.push_back(fmt::format("{}/{}", folder, file));
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  places.push_back((here / SELVAGE_PLUGIN_FOLDER / file).lexically_normal().string());
  std::string reasons;
  for (const std::string& place : places) {
    void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* symbol = library ? dlsym(library, codegen::plugin_symbol) : nullptr;
    if (symbol) return *reinterpret_cast<codegen::plugin_function>(symbol)();
    const char* reason = dlerror();
    reasons += fmt::format("; {}", reason ? reason : place + " has no code generator of this version");
  }
  throw error(error_code::no_plugin,
              fmt::format("the code generator {} cannot be opened: install it where it was built to be, beside the "
                          "runtime's library, or name its folder in SELVAGE_PLUGIN_PATH{}",
                          file, reasons));
}

struct variant_word {
  std::string_view name;
  bool codegen::variant::*field;
  bool value;
};
constexpr std::array variant_words = {
    variant_word{"guarded", &codegen::variant::guarded, true},
    variant_word{"unguarded", &codegen::variant::guarded, false},
    variant_word{"contiguous", &codegen::variant::contiguous, true},
    variant_word{"strided", &codegen::variant::contiguous, false},
    variant_word{"narrow", &codegen::variant::narrow, true},
    variant_word{"wide_grid", &codegen::variant::wide_grid, true},
    variant_word{"contract", &codegen::variant::contract, true},
    variant_word{"no_contract", &codegen::variant::contract, false},
};

/// The words that are given switch on or off what they say; of what is not said: unguarded, strided, contract.
codegen::variant parse_variant(const std::vector<std::string>& words) {
  codegen::variant v{.guarded = false};
  for (const std::string& word : words) {
    const auto* row = std::ranges::find(variant_words, word, &variant_word::name);
    if (row == variant_words.end()) {
      std::vector<std::string_view> known;
      for (const variant_word& w : variant_words) known.push_back(w.name);
      throw error(error_code::invalid_argument,
                  fmt::format("unknown variant '{}': the words are {}", word, fmt::join(known, ", ")));
    }
    for (const std::string& other : words) {
      const auto* opposite = std::ranges::find(variant_words, other, &variant_word::name);
      if (opposite != variant_words.end() && opposite->field == row->field && opposite->value != row->value)
        throw error(error_code::invalid_argument, fmt::format("--variant says both '{}' and '{}'", word, other));
    }
    v.*row->field = row->value;
  }
  return v;
}

/// What --emit names by the vendor's word: assembly of one family of targets.
struct vendor_word {
  std::string_view name;
  std::string_view target;  ///< if none is given
  std::string_view family;  ///< how its targets' names begin
  std::string_view about;
};
constexpr std::array vendor_words = {
    vendor_word{"ptx", "sm_90", "sm_", "PTX is NVIDIA's"},
    vendor_word{"amdgcn", "gfx942", "gfx", "amdgcn is AMD's assembly"},
    vendor_word{"spirv", "spirv64", "spirv", "SPIR-V is for OpenCL devices"},
};

struct options {
  std::vector<std::string> files;
  bool list = false;
  std::string kernel;
  std::string emit;
  std::vector<std::string> target;
  std::vector<std::string> variant{"guarded"};
  bool annotate = false;
  bool diff = false;
  std::string output;
  bool bundle = false;
  std::vector<std::string> targets;
};

std::string emit(const options& o, const selvage::ir::image_view& image, std::string target) {
  if (o.emit == "image") return selvage::ir::print(image);
  const auto* vendor = std::ranges::find(vendor_words, o.emit, &vendor_word::name);
  const bool of_vendor = vendor != vendor_words.end();
  if (target.empty()) target = of_vendor ? vendor->target : "host";
  if (of_vendor && !target.starts_with(vendor->family) && target != vendor->name)
    throw error(error_code::invalid_argument,
                fmt::format("{}: target '{}' has none; use --emit=asm, or a target such as {}", vendor->about, target,
                            vendor->target));
  const codegen::emission what = o.emit == "llvm"       ? codegen::emission::llvm
                                 : o.emit == "llvm-raw" ? codegen::emission::llvm_raw
                                                        : codegen::emission::assembly;
  const codegen::variant variant = parse_variant(o.variant);
  if (o.emit == "spirv" && !o.output.empty() && o.output != "-" && !o.annotate && !o.diff) {  // the binary form
    const codegen::compiled_kernel kernel = open_generator().compile(image, target, variant);
    return {reinterpret_cast<const char*>(kernel.code.data()), kernel.code.size()};
  }
  return open_generator().emit(image, target, variant, what, o.annotate);
}

/// What differs between two texts, by diff, which every system has.
std::string difference(const std::string& before, const std::string& before_name, const std::string& after,
                       const std::string& after_name) {
  const std::string program = tools::find_program("diff");
  if (program.empty()) throw error(error_code::unsupported, "--diff needs the program diff on PATH");
  const tools::temporary_folder folder;
  std::ofstream(folder / "before", std::ios::binary) << before;
  std::ofstream(folder / "after", std::ios::binary) << after;
  const tools::run_result ran = tools::run_program(
      {program, "-u", "--label", before_name, "--label", after_name, folder / "before", folder / "after"});
  if (ran.status != 0 && ran.status != 1) throw error(error_code::unsupported, "diff failed: " + ran.output);
  return ran.output;
}

/// Two targets of one kernel, or one target of the kernel in two files.
std::string diff(const options& o) {
  const auto one = [&](const std::vector<std::string>& files, const std::string& target) {
    const tools::kernel_files kernels(files);
    return emit(o, kernels.find(o.kernel), target);
  };
  if (o.target.size() == 2)
    return difference(one(o.files, o.target[0]), o.target[0], one(o.files, o.target[1]), o.target[1]);
  if (o.files.size() == 2 && o.target.size() <= 1) {
    const std::string target = o.target.empty() ? "" : o.target[0];
    return difference(one({o.files[0]}, target), o.files[0], one({o.files[1]}, target), o.files[1]);
  }
  throw error(error_code::invalid_argument,
              "--diff compares two targets (--target=sm_90,gfx942) or the kernel in two files");
}

void write(const std::string& text, const std::string& path) {
  if (path.empty() || path == "-") {
    std::cout << text << std::flush;
    if (!std::cout) throw error(error_code::invalid_file, "cannot write to the standard output");
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw error(error_code::invalid_file, fmt::format("cannot write '{}'", path));
}

int run(const options& o) {
  if (o.diff) {
    write(diff(o), o.output);
    return 0;
  }
  if (o.target.size() > 1)
    throw error(error_code::invalid_argument, "one target at a time: --diff compares two, --bundle takes --targets");
  const tools::kernel_files kernels(o.files);
  if (o.bundle) {
    if (o.output.empty() || o.targets.empty())
      throw error(error_code::invalid_argument,
                  "--bundle needs -o FILE.o and --targets, such as --targets=sm_90,x86-64-v3");
    if (std::ranges::find(o.targets, "host") != o.targets.end())
      throw error(
          error_code::invalid_argument,
          "a bundle's code is for other machines too: name an architecture, such as x86-64-v3, instead of host");
    kernels.need_some();
    fmt::print("{}", tools::make_bundle(kernels, {o.targets, o.output}, open_generator()));
  } else if (o.list)
    write(kernels.list(), o.output);
  else
    write(emit(o, kernels.find(o.kernel), o.target.empty() ? "" : o.target.front()), o.output);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  CLI::App app("Lists the kernels in object files, archives and executables, or prints one of them.", "selvagec");
  app.set_version_flag("--version", fmt::format("selvagec {}.{}.{}", SELVAGE_VERSION_MAJOR, SELVAGE_VERSION_MINOR,
                                                SELVAGE_VERSION_PATCH));
  app.add_option("FILE", o.files, "object files, archives, shared objects or executables")->required();
  auto* list = app.add_flag("--list", o.list, "a line for each kernel: name, arguments, content hash, file and line");
  auto* kernel = app.add_option("--kernel", o.kernel,
                                "which kernel; may be left out where there is only one. Kernels of one name are told "
                                "apart as NAME#HASH, as --list shows them");
  auto* emit = app.add_option("--emit", o.emit,
                              "image (the recorded tree), llvm (after optimisation), llvm-raw (before it), ptx or "
                              "amdgcn (assembly of an NVIDIA or AMD GPU), spirv (to a file its binary form, else its "
                              "text), or asm (the target's own text)")
                   ->check(CLI::IsMember({"image", "llvm", "llvm-raw", "ptx", "amdgcn", "spirv", "asm"}));
  app.add_option(
         "--target", o.target,
         "such as sm_90, gfx942, spirv64, x86-64-v3 or host; without it this machine, for --emit=ptx sm_90, for "
         "--emit=amdgcn gfx942, for --emit=spirv spirv64; for --diff two of them")
      ->delimiter(',');
  app.add_flag("--annotate", o.annotate, "with a comment before each part: the node of the image that it comes from");
  auto* diff = app.add_flag("--diff", o.diff,
                            "what differs between two targets, or between the kernel in two files, as diff -u");
  app.add_option(
         "--variant", o.variant,
         "what the code assumes, separated by commas: guarded or unguarded (the launch has proved all affine "
         "indices), contiguous or strided, narrow (32 bits address every element), wide_grid, contract or no_contract. "
         "Without it: guarded; what a given list does not say: unguarded, strided, contract")
      ->delimiter(',');
  app.add_option("-o,--output", o.output, "write there instead of to the standard output");
  auto* bundle =
      app.add_flag("--bundle", o.bundle,
                   "compiles all kernels for --targets into the object file -o, to be linked into the program; "
                   "what is compiled is kept in FILE.cache");
  app.add_option(
         "--targets", o.targets,
         "architectures of a bundle, separated by commas: sm_90 (machine code where ptxas or a driver is found, else PTX), ptx "
         "(PTX for every NVIDIA GPU), x86-64-v3, ...")
      ->delimiter(',');
  list->excludes(kernel)->excludes(emit)->excludes(bundle)->excludes(diff);
  bundle->excludes(kernel)->excludes(emit);
  app.footer("SELVAGE_PLUGIN_PATH names a folder in which the code generator is looked for first.");
  try {
    app.parse(argc, argv);
    if (!o.list && !o.bundle && o.emit.empty()) throw CLI::RequiredError("--list, --emit or --bundle");
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    return run(o);
  } catch (const std::exception& e) {
    fmt::print(stderr, "selvagec: {}\n", e.what());
    return 1;
  }
}
