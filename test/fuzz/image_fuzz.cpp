// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: no bytes make the readers misbehave, and whatever passes the structure check can be printed,
// decided and interpreted. The first byte chooses: bytes of a file as they are, or an image whose sums are made right.
#include <selvage/error.hpp>
#include <selvage/ir/interpret.hpp>
#include <selvage/ir/print.hpp>
#include <selvage/ir/read.hpp>
#include <selvage/ir/structure.hpp>

#include <cstdlib>
#include <cstring>

namespace {

using namespace selvage;

/// Sets magic, version, length, content hash and checksum as a careful forger would. False if the tables do not fit.
bool make_sums_right(std::vector<std::byte>& bytes) {
  ir::image_header h;
  if (bytes.size() < sizeof(h)) return false;
  std::memcpy(&h, bytes.data(), sizeof(h));
  const auto at = ir::image_layout::of(h.parameters, h.nodes, h.operands, std::uint64_t{h.name_length} + h.file_length);
  if (at.length > bytes.size()) return false;
  bytes.resize(at.length);
  h.magic = ir::magic;
  h.version = ir::format_version;
  h.length = static_cast<std::uint32_t>(at.length);
  const char* base = reinterpret_cast<const char*>(bytes.data());
  ir::image_view v{h,
                   {reinterpret_cast<const ir::parameter*>(base + at.parameters), h.parameters},
                   {reinterpret_cast<const ir::node*>(base + at.nodes), h.nodes},
                   {reinterpret_cast<const std::uint32_t*>(base + at.operands), h.operands},
                   {base + at.text, h.name_length},
                   {base + at.text + h.name_length, h.file_length}};
  h.content_hash = v.header.content_hash = ir::content_hash(v);
  h.source_hash = ir::source_hash(v);
  h.checksum = ir::header_checksum(h);
  std::memcpy(bytes.data(), &h, sizeof(h));
  return true;
}

/// A view of 2 elements a dimension, or the value 1, for each parameter.
void run(const ir::image_view& image) {
  std::vector<std::vector<std::uint64_t>> memory(image.parameters.size(), std::vector<std::uint64_t>(8));
  std::vector<ir::host_argument> arguments;
  for (std::size_t k = 0; k < image.parameters.size(); ++k)
    arguments.push_back({memory[k].data(), {2, 2, 2}, {4, 2, 1}, ir::is_float(image.parameters[k].element) ? 0U : 1U});
  const ir::extents domain{2, 2, 2};
  const std::vector<ir::launch_argument> known = ir::launch_arguments(arguments);
  bool proved = false;
  try {
    ir::domain_of(image, known, image.nodes[image.header.domain].arity == 0 ? std::optional(domain) : std::nullopt);
    proved = !ir::decide(image, known, domain).guarded;
  } catch (const error&) {
  }
  const ir::interpretation r = ir::interpret(image, arguments, domain, {.step_limit = 20'000});
  // What the launch has proved stays inside.
  if (proved && r.found && r.found->kind == ir::problem_kind::outside) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::byte> input = std::as_bytes(std::span(data, size)).subspan(1);
  try {
    if (data[0] % 2 == 0) {
      // The span ends where the input does, so that the sanitizer sees every byte read beyond.
      for (const ir::found_image& found : ir::find_images(input, "input")) run(found.image);
      return 0;
    }
    std::vector<std::byte> bytes(input.begin(), input.end());
    if (!make_sums_right(bytes)) return 0;
    const ir::image_view image = ir::read_image(bytes);
    if (ir::print(image).empty()) std::abort();
    run(image);
  } catch (const error&) {
  }
  return 0;
}
