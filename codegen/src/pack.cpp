// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs compiled kernels as LLVM OffloadBinary images into an object file for the host that registers them before main.
#include <selvage/codegen/bundle.hpp>

#include <fmt/format.h>

#include <boost/algorithm/hex.hpp>

#include <iterator>

#include "error.hpp"
#include "object.hpp"
#include "target.hpp"

namespace selvage::inline v0::codegen {
namespace {

llvm::object::ImageKind image_kind(code_format format) {
  switch (format) {
    case code_format::ptx:
      return llvm::object::IMG_PTX;
    case code_format::spirv:
      return llvm::object::IMG_SPIRV;
    case code_format::cubin:
      return llvm::object::IMG_Cubin;
    case code_format::shared_object:
    case code_format::code_object:
      return llvm::object::IMG_Object;
  }
  return llvm::object::IMG_None;
}

std::string hexadecimal(const std::vector<std::byte>& bytes) {
  std::string digits;
  const auto* first = reinterpret_cast<const unsigned char*>(bytes.data());
  boost::algorithm::hex_lower(first, first + bytes.size(), std::back_inserter(digits));
  return digits;
}

/// One kernel; 8-aligned in length, so that images can follow each other.
llvm::SmallString<0> packed(const compiled_kernel& kernel) {
  compiled_kernel recipe_only{kernel.recipe, kernel.format, {}};
  const std::string hash = fmt::format("{:016x}", kernel.recipe.content_hash);
  const std::string variant = fmt::format("{}", kernel.recipe.assumes.key());
  const std::string format = fmt::format("{}", static_cast<unsigned>(kernel.format));
  const std::string recipe = hexadecimal(serialise(recipe_only));
  const std::string triple = make_target(kernel.recipe.target)->machine()->getTargetTriple().str();
  const auto text = [](std::string_view s) { return llvm::StringRef(s.data(), s.size()); };

  llvm::object::OffloadBinary::OffloadingImage image;
  image.TheImageKind = image_kind(kernel.format);
  image.StringData[text(bundle_key::triple)] = triple;
  image.StringData[text(bundle_key::target)] = kernel.recipe.target;
  image.StringData[text(bundle_key::kernel)] = kernel.recipe.kernel;
  image.StringData[text(bundle_key::content_hash)] = hash;
  image.StringData[text(bundle_key::variant)] = variant;
  image.StringData[text(bundle_key::format)] = format;
  image.StringData[text(bundle_key::recipe)] = recipe;
  image.Image = llvm::MemoryBuffer::getMemBuffer(
      llvm::StringRef(reinterpret_cast<const char*>(kernel.code.data()), kernel.code.size()), kernel.recipe.kernel,
      /*RequiresNullTerminator=*/false);
  return llvm::object::OffloadBinary::write(image);
}

}  // namespace

std::vector<std::byte> object_with(std::span<const compiled_kernel> kernels) {
  llvm::SmallString<0> bundle;
  for (const compiled_kernel& k : kernels) bundle += packed(k);

  llvm::LLVMContext context;
  collect_diagnostics(context);
  const std::unique_ptr<llvm::TargetMachine> machine = make_target("x86-64")->machine();
  llvm::Module module("selvage.bundle", context);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());

  llvm::Constant* bytes = llvm::ConstantDataArray::getString(context, bundle, /*AddNull=*/false);
  auto* data = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                        llvm::GlobalValue::InternalLinkage, bytes, "selvage.bundle");
  data->setAlignment(llvm::Align(8));
  data->setSection(".llvm.offloading");

  llvm::IRBuilder<> b(context);
  auto* type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getInt64Ty()}, false);
  const llvm::FunctionCallee callee = module.getOrInsertFunction(register_symbol, type);
  auto* before_main = llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), false),
                                             llvm::GlobalValue::InternalLinkage, "selvage.register", module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", before_main));
  b.CreateCall(callee, {data, b.getInt64(bundle.size())});
  b.CreateRetVoid();
  llvm::appendToGlobalCtors(module, before_main, 65535);

  const auto file = file_of(module, *machine, llvm::CodeGenFileType::ObjectFile);
  const auto part = std::as_bytes(std::span(file.data(), file.size()));
  return {part.begin(), part.end()};
}

}  // namespace selvage::inline v0::codegen
