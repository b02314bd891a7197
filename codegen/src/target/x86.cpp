// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host: x86-64. One call of the kernel runs the work-items of a box, as a vectorised loop nest.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "../emitter.hpp"
#include "../object.hpp"

namespace selvage::inline v0::codegen {
namespace {

constexpr const char* triple = "x86_64-unknown-linux-gnu";
constexpr std::string_view levels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
constexpr char axes[] = {'x', 'y', 'z'};

/// glibc's vectorised functions for LLVM's intrinsics, within 4 ulp. LLVM has a table of its own, without tanh and the
/// 512-bit ones, and which takes AVX for AVX2.
class vector_functions {
 public:
  vector_functions() {
    struct row {
      const char* name;
      const char* arguments;
    };
    constexpr row rows[] = {{"cos", "v"}, {"exp", "v"}, {"log", "v"}, {"pow", "vv"},
                            {"sin", "v"}, {"tan", "v"}, {"tanh", "v"}};
    constexpr char isas[] = {'b', 'd', 'e'};
    for (const row& r : rows) {
      for (unsigned isa = 0; isa < 3; ++isa) {
        const unsigned bits = 128U << isa;
        add(isa, fmt::format("llvm.{}.f64", r.name), isas[isa], bits / 64, r.arguments, r.name);
        add(isa, fmt::format("llvm.{}.f32", r.name), isas[isa], bits / 32, r.arguments, fmt::format("{}f", r.name));
      }
    }
  }
  /// The functions for vectors of 128 << isa bits.
  llvm::ArrayRef<llvm::VecDesc> of(unsigned isa) const { return tables_[isa]; }

 private:
  const std::string& keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  void add(unsigned isa, const std::string& scalar, char letter, unsigned lanes, const char* arguments,
           const std::string& function) {
    tables_[isa].emplace_back(keep(scalar), keep(fmt::format("_ZGV{}N{}{}_{}", letter, lanes, arguments, function)),
                              llvm::ElementCount::getFixed(lanes), /*Masked=*/false,
                              keep(fmt::format("_ZGV_LLVM_N{}{}", lanes, arguments)), std::nullopt);
  }

  std::deque<std::string> texts_;  // LLVM keeps references
  std::vector<llvm::VecDesc> tables_[3];
};

class x86 final : public target {
 public:
  explicit x86(std::string_view name) : name_(name) {}

  code_format format() const override { return code_format::shared_object; }

  std::unique_ptr<llvm::TargetMachine> machine() const override {
    if (name_ != "host") return make_machine(triple, name_, "");
    llvm::SubtargetFeatures features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) features.AddFeature(feature.first(), feature.second);
    return make_machine(triple, std::string(llvm::sys::getHostCPUName()), features.getString());
  }

  llvm::TargetLibraryInfoImpl library_info(const llvm::TargetMachine& machine) const override {
    static const vector_functions functions;
    llvm::TargetLibraryInfoImpl info(machine.getTargetTriple());
    const llvm::MCSubtargetInfo* cpu = machine.getMCSubtargetInfo();
    info.addVectorizableFunctions(functions.of(0));
    if (cpu->checkFeatures("+avx2")) info.addVectorizableFunctions(functions.of(1));
    if (cpu->checkFeatures("+avx512f")) info.addVectorizableFunctions(functions.of(2));
    return info;
  }

  unsigned global_space() const override { return 0; }
  std::string_view device_scope() const override { return ""; }

  /// A kernel named like a function of the C library would be called in its stead.
  std::string entry_name(std::string_view kernel) const override {
    std::string name = identifier_of(kernel);
    const llvm::TargetLibraryInfoImpl known{llvm::Triple(triple)};
    llvm::LibFunc function{};
    if (known.getLibFunc(name, function) || name.starts_with("__")) name += '_';
    return name;
  }

  /// The kernel proper takes the fields of the block as parameters, since only these carry `noalias`; it stays a
  /// function of its own for the same reason.
  llvm::Function* declare(emitter& e) const override {
    std::vector<llvm::Type*> types = e.field_types();
    const std::size_t fields = types.size();
    const std::uint32_t rank = e.image().header.domain_rank;
    types.insert(types.end(), 2U * rank, e.builder().getInt64Ty());
    auto* type = llvm::FunctionType::get(e.builder().getVoidTy(), types, false);
    auto* body = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                        entry_name(e.image().name) + ".work_items", e.module());
    body->addFnAttr(llvm::Attribute::NoInline);
    e.describe_fields(body);
    for (unsigned k = 0; k < 2 * rank; ++k) {
      llvm::Argument* bound = body->getArg(static_cast<unsigned>(fields) + k);
      bound->setName(fmt::format("{}.{}", k < rank ? "begin" : "end", axes[k % rank]));
      llvm::AttrBuilder attributes(e.module().getContext());
      attributes.addAttribute(llvm::Attribute::NoUndef);
      attributes.addRangeAttr(extent_range());
      bound->addAttrs(attributes);
    }
    return body;
  }

  axis_range work_items(emitter& e, unsigned k) const override {
    llvm::Function* body = e.builder().GetInsertBlock()->getParent();
    const auto fields = static_cast<unsigned>(e.block().slots.size());
    return {body->getArg(fields + k), body->getArg(fields + e.image().header.domain_rank + k), e.builder().getInt64(1)};
  }

  /// The entry: unpacks the block and the box.
  void finish(emitter& e, llvm::Function* body) const override {
    llvm::IRBuilder<>& b = e.builder();
    auto* type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy(), b.getPtrTy()}, false);
    auto* entry = llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name(e.image().name), e.module());
    entry->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::Argument* block = entry->getArg(0);
    block->setName("block");
    entry->getArg(1)->setName("begin");
    entry->getArg(2)->setName("end");
    b.SetInsertPoint(llvm::BasicBlock::Create(e.module().getContext(), "entry", entry));
    std::vector<llvm::Value*> arguments;
    for (const argument_slot& slot : e.block().slots)
      arguments.push_back(b.CreateAlignedLoad(e.type_of(slot),
                                              b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), block, slot.offset),
                                              llvm::Align(slot.size), name_of(slot)));
    for (const unsigned bound : {1U, 2U})
      for (std::uint32_t k = 0; k < e.image().header.domain_rank; ++k)
        arguments.push_back(
            b.CreateLoad(b.getInt64Ty(), b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), entry->getArg(bound), k)));
    b.CreateCall(body, arguments);
    b.CreateRetVoid();
  }

  std::string library_function(ir::operation o, ir::type t) const override {
    return has_intrinsic(o) ? std::string() : name_in_libm(o, t);
  }
  void link_library(llvm::Module&) const override {}

  void shape(const ir::image_view& image, const variant&, step& launch) const override {
    for (std::uint32_t k = 0; k < 3; ++k) {
      size_expression::row extent;
      if (k < image.header.domain_rank) {
        extent.op = size_expression::code::domain_extent;
        extent.a = image.header.domain_rank - 1 - k;
      } else {
        extent.value = 1;
      }
      launch.grid[k].rows = {extent};
    }
  }

  llvm::CodeGenFileType file_type() const override { return llvm::CodeGenFileType::ObjectFile; }
  std::vector<std::byte> package(llvm::ArrayRef<char> object) const override {
    return link_shared(object, undefined_symbols::left);
  }

 private:
  std::string name_;
};

}  // namespace

target_family x86_family() {
  return {[] {
            std::vector<std::string> names{"host"};
            names.insert(names.end(), std::begin(levels), std::end(levels));
            return names;
          },
          [](std::string_view name) -> std::unique_ptr<target> {
            if (name != "host" && std::find(std::begin(levels), std::end(levels), name) == std::end(levels))
              return nullptr;
            return std::make_unique<x86>(name);
          }};
}

}  // namespace selvage::inline v0::codegen
