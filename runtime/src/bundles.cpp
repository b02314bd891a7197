// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that were compiled ahead of time and linked into the program: noted before main, read when a kernel is first
// looked for.
#include "bundles.hpp"

#include <selvage/codegen/bundle.hpp>
#include <selvage/error.hpp>
#include <selvage/runtime/export.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

namespace selvage::inline v0::detail {
namespace {

class bundles {
 public:
  void add(std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    unread_.push_back(bytes);
  }

  /// The images of one kernel. The bytes are the program's own, so they stay.
  std::vector<codegen::bundled_kernel> of(std::uint64_t content_hash) {
    const std::lock_guard lock(mutex_);
    while (!unread_.empty()) {
      for (const codegen::bundled_kernel& k : codegen::read_bundle(unread_.back())) read_[k.content_hash].push_back(k);
      unread_.pop_back();
    }
    const auto found = read_.find(content_hash);
    return found == read_.end() ? std::vector<codegen::bundled_kernel>() : found->second;
  }

 private:
  std::mutex mutex_;
  std::vector<std::span<const std::byte>> unread_;
  std::map<std::uint64_t, std::vector<codegen::bundled_kernel>> read_;
};

/// Never destroyed, and made by the first bundle: before main, in whatever order.
bundles& all() {
  static auto* const b = new bundles;
  return *b;
}

bool implied(const codegen::variant& assumed, const codegen::variant& holds) {
  return (assumed.guarded || !holds.guarded) && (!assumed.contiguous || holds.contiguous) &&
         (!assumed.narrow || holds.narrow) && (assumed.wide_grid || !holds.wide_grid) &&
         assumed.contract == holds.contract;
}

}  // namespace

bundle_choice find_bundled(const ir::image_view& image, const codegen::variant& holds, const backend::device& device) {
  bundle_choice choice;
  const std::vector<codegen::bundled_kernel> images = all().of(image.header.content_hash);
  const codegen::bundled_kernel* best = nullptr;
  // The device's own architecture before a related one, then what assumes most.
  const auto rank = [&](const codegen::bundled_kernel& k) {
    return std::tuple(device.suits(k.target, k.format), !k.assumes.guarded, k.assumes.contiguous, k.assumes.narrow,
                      !k.assumes.wide_grid);
  };
  for (const codegen::bundled_kernel& k : images) {
    if (choice.targets.find(k.target) == std::string::npos)
      choice.targets += (choice.targets.empty() ? "" : ", ") + std::string(k.target);
    if (device.suits(k.target, k.format) == 0 || !implied(k.assumes, holds)) continue;
    if (best == nullptr || rank(k) > rank(*best)) best = &k;
  }
  if (best != nullptr) choice.kernel = codegen::unpack(*best);
  return choice;
}

}  // namespace selvage::inline v0::detail

/// Called before main by the object files that selvagec --bundle makes. The bytes stay as long as the program.
extern "C" SELVAGE_RUNTIME_API void selvage_register_bundle_v1(const void* bytes, std::size_t size) {
  selvage::detail::all().add({static_cast<const std::byte*>(bytes), size});
}
