// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random kernel with memory: views of random layouts in buffers of random values.
#include "random_image.hpp"

#include "random_kernel.hpp"

#include <algorithm>
#include <cstring>

namespace selvage::test {
namespace {

/// Lays the dimensions out in a random order and direction, with gaps. Of what is only read, elements may coincide.
void lay_out(random_source& random, case_argument& a, std::int64_t& elements) {
  const bool plain = random.one_in(2);
  std::array<std::uint32_t, 3> order{0, 1, 2};
  std::reverse(order.begin(), order.begin() + a.about.rank);  // fastest first: the last dimension
  if (!plain)
    for (std::uint32_t k = a.about.rank; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  constexpr std::int64_t margin = 4;
  std::int64_t size = 1;
  a.first = margin;
  for (std::uint32_t k = 0; k < a.about.rank; ++k) {
    const std::uint32_t d = order[k];
    std::int64_t stride = size;
    if (!plain) stride += random.below(3);
    const std::int64_t reach = stride * std::max<std::int64_t>(a.extents[d] - 1, 0);
    if (!plain && random.one_in(4)) {
      a.first += reach;
      a.strides[d] = -stride;
    } else {
      a.strides[d] = !plain && a.about.mode == ir::access::in && random.one_in(8) ? 0 : stride;
    }
    size = plain ? stride * a.extents[d] : reach + size;
  }
  elements = size + 2 * margin;
}

void fill(random_source& random, case_argument& a, std::int64_t elements) {
  const auto size = static_cast<std::size_t>(ir::properties(a.about.element).bytes);
  a.bytes.resize(static_cast<std::size_t>(std::max<std::int64_t>(elements, 0)) * size);
  for (std::size_t k = 0; k < a.bytes.size(); k += size) {
    const std::uint64_t bits = random.value(a.about.element);
    std::memcpy(a.bytes.data() + k, &bits, size);
  }
}

}  // namespace

launch_case random_case(std::uint64_t seed) {
  random_source random(ir::mix(0x5e17a9eULL, seed));
  const random_kernel kernel(random);
  launch_case one{seed, kernel.builder().finish(), {}, {1, 1, 1}};
  for (std::uint32_t axis = 0; axis < kernel.domain_rank(); ++axis) one.domain[axis] = kernel.domain()[axis];
  for (const ir::parameter& p : one.image.view().parameters) {
    case_argument a;
    a.about = p;
    if (p.mode == ir::access::value) a.value = random.value(p.element);
    one.arguments.push_back(a);
  }
  for (const random_view& v : kernel.views()) {
    case_argument& a = one.arguments[v.parameter];
    for (std::uint32_t d = 0; d < v.rank; ++d) a.extents[d] = v.extents[d];
    std::int64_t elements = 0;
    lay_out(random, a, elements);
    fill(random, a, elements);
  }
  return one;
}

}  // namespace selvage::test
