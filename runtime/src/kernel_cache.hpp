// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels, loaded on one device.
#pragma once

#include "device_state.hpp"

#include <selvage/codegen/recipe.hpp>
#include <selvage/ir/fault.hpp>
#include <selvage/ir/image.hpp>
#include <selvage/ir/launch.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace selvage::inline v0::detail {

/// A kernel that is ready to launch. It lives as long as its device.
struct loaded_kernel {
  codegen::launch_recipe recipe;
  backend::module* module = nullptr;
  std::vector<backend::entry*> entries;  ///< a step each, null for one that is no kernel
  std::uint32_t domain_rank = 0;
  std::vector<std::uint32_t> lines;  ///< of the image's nodes, for messages
};

/// "kernel 'spmv', argument 3: index 1048577 of dimension 0 outside extent 1048576, work-item (17) (line 12)".
std::string fault_sentence(const loaded_kernel& kernel, const ir::fault_record& record);

/// A size of a recipe, for a launch. `parameter_extents` has the extents of each parameter.
std::int64_t evaluate(const codegen::size_expression& e, const ir::extents& domain,
                      std::span<const ir::extents> parameter_extents);

class kernel_cache {
 public:
  explicit kernel_cache(device_state& device) : device_(device) {}
  kernel_cache(const kernel_cache&) = delete;
  kernel_cache& operator=(const kernel_cache&) = delete;
  ~kernel_cache();

  /// Compiles if need be.
  const loaded_kernel& get(const ir::image_view& image, codegen::variant v);
  /// Loads if need be.
  const loaded_kernel& get(const ir::image_view& image, const codegen::compiled_kernel& compiled);

 private:
  using key = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>;  // content, variant, code (0: compiled here)

  const loaded_kernel& load(const key& k, const ir::image_view& image, const codegen::compiled_kernel& compiled);

  device_state& device_;
  std::mutex mutex_;
  std::map<key, std::unique_ptr<loaded_kernel>> loaded_;
};

}  // namespace selvage::inline v0::detail
