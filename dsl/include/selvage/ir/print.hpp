// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image as readable text.
#pragma once

#include <selvage/ir/image.hpp>

#include <string>

namespace selvage::inline v0::ir {

/// A line for the kernel, one for each argument, then one for each node, indented by region:
///
///     kernel daxpy, content 6f0a..., daxpy.cpp:7
///       argument 0: inout float64[:]
///       ...
///       %4 = load float64 argument 1 [%2]      // line 8
///
/// A line begins with the node's number: `%4 =` if it is a value, else `4:`. The text depends on the image alone. Of an
/// image that is not well formed it shows what there is.
std::string print(const image_view& image);

/// One line of it, without indentation and line break.
std::string print_node(const image_view& image, std::uint32_t node);

/// A literal's value, such as `1`, `-0.5`, `true`; floating point with all digits that tell it from its neighbours.
std::string print_value(type t, std::uint64_t bits);

}  // namespace selvage::inline v0::ir
