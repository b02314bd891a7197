// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: no bytes make the reader of bundles misbehave, nor what unpacks a kernel.
#include <selvage/codegen/bundle.hpp>
#include <selvage/error.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace selvage;
  try {
    for (const codegen::bundled_kernel& k : codegen::read_bundle(std::as_bytes(std::span(data, size)))) {
      const codegen::compiled_kernel whole = codegen::unpack(k);
      if (codegen::deserialise(codegen::serialise(whole)) != whole) std::abort();
    }
  } catch (const error&) {
  }
  return 0;
}
