// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a case by the interpreter or as compiled host code, on copies of its memory.
#include "executors.hpp"

#include <selvage/ir/interpret.hpp>

#include <compiled.hpp>

namespace selvage::test {
namespace {

std::vector<std::vector<std::byte>> copies(const launch_case& one) {
  std::vector<std::vector<std::byte>> memory;
  for (const case_argument& a : one.arguments) memory.push_back(a.bytes);
  return memory;
}

void* first_element(const case_argument& a, std::vector<std::byte>& memory) {
  return memory.data() + a.first * ir::properties(a.about.element).bytes;
}

}  // namespace

outcome interpreted(const launch_case& one, const codegen::variant& v) {
  outcome result{copies(one), {}};
  std::vector<ir::host_argument> arguments;
  for (std::size_t k = 0; k < one.arguments.size(); ++k) {
    const case_argument& a = one.arguments[k];
    const bool is_value = a.about.mode == ir::access::value;
    arguments.push_back({is_value ? nullptr : first_element(a, result.memory[k]), a.extents, a.strides, a.value});
  }
  const ir::interpret_options options{.guarded = v.guarded, .step_limit = 20'000'000};
  ir::interpretation r = ir::interpret(one.image.view(), arguments, one.domain, options);
  if (r.found) throw std::runtime_error("the interpreter refuses: " + r.found->sentence);
  result.faults = std::move(r.faults);
  return result;
}

outcome on_host(const launch_case& one, const codegen::variant& v) {
  outcome result{copies(one), {}};
  std::vector<argument> arguments;
  for (std::size_t k = 0; k < one.arguments.size(); ++k) {
    const case_argument& a = one.arguments[k];
    const bool is_value = a.about.mode == ir::access::value;
    arguments.push_back({is_value ? nullptr : first_element(a, result.memory[k]), a.extents, a.strides, a.value});
  }
  const host_kernel kernel(one.image, v);
  const std::uint32_t rank = one.image.view().header.domain_rank;
  const ir::fault_record fault = kernel(arguments, {one.domain.begin(), one.domain.begin() + rank}, 2);
  if (fault.claimed != 0) result.faults.push_back(fault);
  return result;
}

}  // namespace selvage::test
