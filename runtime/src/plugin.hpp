// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opening of the libraries that are needed only sometimes: the code generator and the back ends beyond the host.
#pragma once

#include <selvage/codegen/compile.hpp>

#include <string>

namespace selvage::inline v0::detail {

/// Opens a library of ours and gives the address of its one symbol. It is looked for in the folders that
/// SELVAGE_PLUGIN_PATH names (separated by colons), then beside this library, then where the loader looks.
/// Throws no_plugin, with what `purpose` it serves and every place tried.
void* open_plugin(const std::string& file, const char* symbol, const std::string& purpose);

/// The code generator, opened at first need. Throws no_plugin.
codegen::generator& code_generator();

}  // namespace selvage::inline v0::detail
