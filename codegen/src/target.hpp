// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What differs between architectures. Everything else is common. A new target is one file in target/ and one row below.
#pragma once

#include <selvage/codegen/recipe.hpp>
#include <selvage/ir/image.hpp>

#include "llvm.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// One row a target: the stem of its file and of its factory.
#define SELVAGE_TARGETS(X) \
  X(x86)                   \
  X(nvptx)                 \
  X(amdgpu)                \
  X(spirv)

namespace selvage::inline v0::codegen {

class emitter;

/// The work-items that one call or one thread of the kernel visits along one axis: first, first + step, ... < last.
/// Without a step it is the first alone, if it is less than `last`.
struct axis_range {
  llvm::Value* first = nullptr;
  llvm::Value* last = nullptr;
  llvm::Value* step = nullptr;
};

/// One architecture, as named by the caller. Objects are made for one compilation, and used by one thread.
class target {
 public:
  virtual ~target() = default;

  virtual code_format format() const = 0;
  /// LLVM's machine: triple, processor, features.
  virtual std::unique_ptr<llvm::TargetMachine> machine() const = 0;
  /// Library functions that LLVM may know of, vectorised ones among them.
  virtual llvm::TargetLibraryInfoImpl library_info(const llvm::TargetMachine& machine) const = 0;

  /// Address space of views and of the fault record.
  virtual unsigned global_space() const = 0;
  /// Whose work-items the claim of the fault record must be atomic among, as a synchronisation scope of the target.
  virtual std::string_view device_scope() const = 0;
  /// Whether its back end takes atomic operations on floating-point numbers (and makes loops of those it lacks).
  virtual bool has_float_atomics() const { return true; }

  /// The kernel's name as the machine code has it: an identifier that the target's assembler and libraries leave free.
  virtual std::string entry_name(std::string_view kernel) const = 0;

  /// Declares the kernel function, empty, with the emitter's fields among its parameters.
  virtual llvm::Function* declare(emitter& e) const = 0;
  /// The work-items along axis k, 0 = x = the fastest. Emits at the builder's position.
  virtual axis_range work_items(emitter& e, unsigned k) const = 0;
  /// What else the module needs once the kernel function is complete.
  virtual void finish(emitter& e, llvm::Function* kernel) const = 0;

  /// Name of the library's function that computes `o`, empty if LLVM's intrinsic does.
  virtual std::string library_function(ir::operation o, ir::type t) const = 0;
  /// How it is called.
  virtual llvm::CallingConv::ID library_convention() const { return llvm::CallingConv::C; }
  /// Whether the library is libclc, linked in by link_library.
  virtual bool links_libclc() const { return false; }
  /// Links the library functions that the module calls.
  virtual void link_library(llvm::Module& module) const = 0;

  /// Writes in other words what LLVM's back end does not know, after optimisation; throws selvage::error (unsupported).
  virtual void legalize(llvm::Module& module) const { static_cast<void>(module); }

  /// Whether the optimiser may use a pass, by LLVM's name of it.
  virtual bool optimises_with(llvm::StringRef pass) const {
    static_cast<void>(pass);
    return true;
  }

  /// Grid and group of the launch.
  virtual void shape(const ir::image_view& image, const variant& v, step& launch) const = 0;
  /// Which file LLVM makes of the optimised module, and what becomes of it; for the latter nothing of LLVM is locked.
  virtual llvm::CodeGenFileType file_type() const = 0;
  /// Whether LLVM makes the file in a child process (child.hpp).
  virtual bool needs_a_child() const { return false; }
  virtual std::vector<std::byte> package(llvm::ArrayRef<char> file) const = 0;
};

/// One target's family: the names that it takes, and how an object is made.
struct target_family {
  std::vector<std::string> (*names)();                     ///< for messages and help; others may be taken too
  std::unique_ptr<target> (*make)(std::string_view name);  ///< null if the name is of another family
};

#define SELVAGE_ROW(name) target_family name##_family();
SELVAGE_TARGETS(SELVAGE_ROW)
#undef SELVAGE_ROW

/// The target of that name. Throws selvage::error (unknown_target).
std::unique_ptr<target> make_target(std::string_view name);
/// The names of all families.
std::vector<std::string> target_names();

/// LLVM's machine for position-independent code. Throws selvage::error (unsupported) if LLVM lacks the triple's back
/// end.
std::unique_ptr<llvm::TargetMachine> make_machine(const char* triple, std::string_view processor,
                                                  const std::string& features);

/// Name of the function in libclc, empty for operations that are an instruction or a few on every GPU.
std::string name_in_libclc(ir::operation o, ir::type t);
/// The name of a function in libm.
std::string name_in_libm(ir::operation o, ir::type t);
/// Whether LLVM has an intrinsic for it that the targets without libclc take.
bool has_intrinsic(ir::operation o);

/// The kernel's name with everything but letters, digits and underscores replaced, and no digit first.
std::string identifier_of(std::string_view kernel);

}  // namespace selvage::inline v0::codegen
