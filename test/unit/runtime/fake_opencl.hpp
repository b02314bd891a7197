// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a test sees and decides of the stand-in for OpenCL's loader and its drivers (fake_opencl.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace selvage::test {

/// A device as its driver describes it; by default one that has everything.
struct fake_opencl_device {
  std::string name;
  std::string extensions = "cl_khr_fp64 cl_khr_il_program";
  std::string il = "SPIR-V_1.0 SPIR-V_1.2 SPIR-V_1.4 ";
  std::string version = "OpenCL 3.0 fake";
  std::uint64_t type = 1 << 2;  ///< CL_DEVICE_TYPE_GPU; 1 << 1 is a CPU
  std::uint32_t address_bits = 64;
  std::size_t group = 1024;
  std::uint64_t svm = 3;          ///< CL_DEVICE_SVM_CAPABILITIES: 1 coarse-grained, 2 fine-grained buffers
  std::uint64_t shared_host = 0;  ///< CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL
  std::uint64_t shared_device = 0;
  bool available = true, compiler = true;
};

struct fake_opencl_platform {
  std::string name, version;
  std::vector<fake_opencl_device> devices;
};

struct fake_opencl {
  std::recursive_mutex mutex;
  /// The test gives them before the first call, and then leaves them as they are: handles point into them.
  std::vector<fake_opencl_platform> platforms;
  std::size_t shown = ~std::size_t{0};  ///< so many platforms are listed; with none the loader says "not found"
  std::vector<std::string> log;         ///< the calls that put work somewhere, in their order
  std::map<std::string, int> failures;  ///< these functions return this code and do nothing
  int launch_status = 0;                ///< what becomes of kernels that run: 0, or the code that they fail with
  std::string build_options;            ///< of the program that was built last
  std::vector<std::uint32_t> code;      ///< of the same; a second word of 0xbad does not build
  std::size_t contexts = 0, allocations = 0, queues = 0, programs = 0, kernels = 0, events = 0;  ///< that are alive
  std::size_t foreign = 0;  ///< handles and addresses that were released and never given out
  std::size_t stuck = 0;    ///< waits for what can never be reached
};

}  // namespace selvage::test

/// Its one symbol besides the loader's own.
using fake_opencl_function = selvage::test::fake_opencl* (*)();
