// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifier: what must hold of a finished image before anybody compiles it. Pure functions on the image alone, run by
// the host compiler on recorded kernels and at run time on images that were read from a file.
#pragma once

#include <selvage/ir/initialisation.hpp>
#include <selvage/ir/ownership.hpp>

namespace selvage::inline v0::ir {

/// The domain's extents are known before the launch.
constexpr refusal verify_domain(const image_view& image, const invariance& invariant) {
  if (image.header.domain == no_node) return {rule::no_domain, 0, 0};
  const node& domain = image.nodes[image.header.domain];
  for (const std::uint32_t extent : image.operands_of(domain))
    if (!invariant[extent]) return {rule::domain_not_invariant, 0, domain.line};
  return {};
}

/// All rules on an image of right structure (see structure.hpp for images from a file); the first that is broken.
/// `covering_stores`, one a parameter, gets for each `out` the store that writes all of it, no_node for other parameters.
constexpr refusal verify(const image_view& image, std::span<std::uint32_t> covering_stores) {
  const invariance invariant(image);
  refusal found = verify_domain(image, invariant);
  if (found.what == rule::none) found = verify_ownership(image, invariant);
  if (found.what != rule::none) return found;
  detail::initialisation initialised(image, invariant);
  found = initialised.run();
  for (std::uint32_t p = 0; p < image.parameters.size(); ++p)
    covering_stores[p] = image.parameters[p].mode == access::out ? initialised.covering_store(p) : no_node;
  return found;
}

/// The same without the covering stores, which must be those that the image says.
constexpr refusal verify(const image_view& image) {
  std::array<std::uint32_t, maximum_parameters> covering_stores{};
  refusal found = verify(image, covering_stores);
  for (std::uint32_t p = 0; p < image.parameters.size() && found.what == rule::none; ++p)
    if (covering_stores[p] != image.parameters[p].covering_store) found = {rule::out_not_written, p, image.header.line};
  return found;
}

}  // namespace selvage::inline v0::ir
