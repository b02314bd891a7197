// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime in a folder of its own, with no plug-in beside it: what then works, and what is said of what does not.
#include "compiled.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <string>

using namespace selvage;
using namespace selvage::test;

namespace {

int failures = 0;

void expect(bool fine, const std::string& what) {
  if (fine) return;
  ++failures;
  std::printf("failed: %s\n", what.c_str());
}

template <class F>
void expect_error(error_code code, const char* part, F&& f) {
  try {
    f();
    expect(false, std::string("nothing was thrown; expected: ") + part);
  } catch (const error& e) {
    expect(e.code() == code && std::strstr(e.what(), part) != nullptr, e.what());
  }
}

bool loaded(const char* library) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(library) != std::string::npos) return true;
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  const device host("host");
  expect(loaded("/alone/libselvage_runtime"), "the runtime is that in the folder without plug-ins");
  buffer<double> x(1000), r(1);
  std::iota(x.write().begin(), x.write().end(), 1.0);
  const argument list[] = {make_argument(r), make_argument(x)};
  const built_image image = sum_image();
  if (what == "no_generator") {
    kernel_slot slot;
    expect_error(error_code::no_plugin,
                 "compiling a kernel needs libselvage_codegen.so, which cannot be opened; install it beside",
                 [&] { launch(image.view(), slot, host.default_queue(), list); });
    expect_error(error_code::no_plugin, "SELVAGE_PLUGIN_PATH",
                 [&] { launch(image.view(), slot, host.default_queue(), list); });
  } else if (what == "no_back_end") {
    expect_error(error_code::no_plugin, "back end 'offload' needs libselvage_offload.so, which cannot be opened",
                 [] { device d("offload"); });
    std::vector<std::string> problems;
    const std::vector<device> all = device::all(&problems);
    expect(std::none_of(all.begin(), all.end(), [](const device& d) { return d.name().starts_with("offload"); }),
           "the back end without its plug-in has no device");
    expect(std::any_of(problems.begin(), problems.end(),
                       [](const std::string& p) { return p.find("libselvage_offload.so") != std::string::npos; }),
           "the missing plug-in is told");
  } else if (what == "no_driver") {
    // A machine that has the driver has nothing to show here.
    if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL) == nullptr) {
      expect_error(error_code::no_device, "there is no NVIDIA driver: libcuda.so.1 cannot be opened",
                   [] { device d("cuda"); });
      std::vector<std::string> problems;
      expect(device::all(&problems).size() == 1, "only the host is there");
      expect(problems.size() == 3, "the missing plug-in, the missing driver and the missing OpenCL are told");
      unsetenv("SELVAGE_DEVICE");
      expect(device() == host, "without a GPU the host is the best device");
    }
  } else if (what == "old_driver") {
    expect(dlopen(SELVAGE_TEST_CUDA_OLD, RTLD_NOW | RTLD_LOCAL) != nullptr, "the stand-in for the driver opens");
    expect_error(error_code::no_device, "NVIDIA's driver lacks cuFuncSetAttribute: it is too old",
                 [] { device d("cuda"); });
  } else if (what == "driver") {
    expect(dlopen(SELVAGE_TEST_CUDA, RTLD_NOW | RTLD_LOCAL) != nullptr, "the stand-in for the driver opens");
    unsetenv("SELVAGE_DEVICE");
    expect(device().name() == "cuda", "without the plug-in the driver's GPU is the best device");
    expect(device::all().size() == 3, "two GPUs and the host");
    codegen::compiled_kernel sum = compiled_sum();
    sum.format = codegen::code_format::cubin;
    launch_compiled(sum, image.view(), device().default_queue(), list);
    expect(r.read()[0] == 500500.0, "the sum of 1 to 1000, on the device");
    expect(!loaded("libLLVM"), "LLVM is not loaded");
  } else if (what == "compiled") {
    // As bytes, the way a cache or a bundle keeps it.
    const std::vector<std::byte> bytes = codegen::serialise(compiled_sum());
    launch_compiled(codegen::deserialise(bytes), image.view(), host.default_queue(), list);
    expect(r.read()[0] == 500500.0, "the sum of 1 to 1000");
    expect(!loaded("selvage_codegen"), "the code generator is not loaded");
    expect(!loaded("libLLVM"), "LLVM is not loaded");
  } else {
    expect(false, "unknown argument " + what);
  }
  if (failures == 0) std::printf("passed\n");
  return failures;
}
