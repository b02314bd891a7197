// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rajaperf: runs kernels of RAJAPerf in Selvage, checks their checksums, and writes them with their times.
#include "suite/suite.hpp"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <string>

int main(int argc, char** argv) try {
  rajaperf::options o;
  CLI::App app("Kernels of RAJAPerf in Selvage: runs them and checks what they compute.");
  app.add_option("--device", o.device, "where to run, such as host or cuda:1; else the best device");
  app.add_option("--size", o.sizes, "target problem sizes")->check(CLI::NonNegativeNumber)->capture_default_str();
  app.add_option("--reps", o.reps, "numbers of repetitions")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--kernels", o.kernels, "all, groups or kernels")->capture_default_str();
  app.add_option("--check", o.known, "compare with the checksums of this CSV file (size,reps,kernel,checksum)");
  app.add_flag("--reference", o.reference, "also run each kernel in plain C++, and compare all that it computes");
  app.add_option("--csv", o.csv, "write checksums and times to this file");
  app.add_flag("--list", o.list, "list the kernels and end");
  CLI11_PARSE(app, argc, argv);
  if (o.list) {
    for (const std::string& name : rajaperf::kernel_names()) fmt::print("{}\n", name);
    return 0;
  }
  return rajaperf::run_suite(o) ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "rajaperf: {}\n", error.what());
  return 2;
}
