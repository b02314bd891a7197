// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// selvage-info: the devices here, the best first, with what a user needs to know of each.
#include <selvage/error.hpp>
#include <selvage/runtime/device.hpp>
#include <selvage/version.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <exception>
#include <string>
#include <vector>

namespace {

void print(const selvage::device& device) {
  const selvage::backend::description& d = device.describe();
  fmt::print("{}: {}\n", device.name(), d.name);
  fmt::print("  target {}, {} compute units, {:.1f} GiB of memory{}{}\n", d.architecture, d.compute_units,
             static_cast<double>(d.memory_bytes) / (1U << 30), d.shares_host_memory ? ", shared with the host" : "",
             d.float64 ? "" : ", no double precision");
  if (!d.driver.empty()) fmt::print("  driver {}\n", d.driver);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Lists the devices on which kernels can run; a program without SELVAGE_DEVICE takes the first.",
               "selvage-info");
  app.set_version_flag("--version", fmt::format("selvage-info {}.{}.{}", SELVAGE_VERSION_MAJOR, SELVAGE_VERSION_MINOR,
                                                SELVAGE_VERSION_PATCH));
  CLI11_PARSE(app, argc, argv);
  try {
    std::vector<std::string> problems;
    for (const selvage::device& device : selvage::device::all_by_every_back_end(&problems)) print(device);
    for (const std::string& problem : problems) fmt::print("not available: {}\n", problem);
    fmt::print("chosen: {}\n", selvage::device().name());
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "selvage-info: {}\n", e.what());
    return 1;
  }
}
