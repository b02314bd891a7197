// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of kernels.
#include "registry.hpp"

#include <algorithm>

namespace rajaperf {
namespace {

// Files are initialised in any order, so the list is made at the first registration.
std::vector<entry>& list() {
  static std::vector<entry> all;
  return all;
}

}  // namespace

registration::registration(std::string_view name, void (*run)(trial& t), double tolerance) {
  entry e{std::string(name), run, tolerance};
  std::vector<entry>& all = list();
  all.insert(std::ranges::upper_bound(all, e.name, {}, &entry::name), std::move(e));
}

const std::vector<entry>& kernels() {
  return list();
}

}  // namespace rajaperf
