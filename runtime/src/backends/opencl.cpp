// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices of OpenCL, of any vendor: SPIR-V, and memory that has one address for host and kernels.
#include "opencl_device.hpp"

#include "back_ends.hpp"
#include "opencl_api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <vector>

namespace selvage::inline v0::backend {
namespace {

using opencl::intake;
using opencl::loader;
using opencl::memory_model;

constexpr std::uint32_t needed_group = 256;  ///< what the kernels of target spirv are compiled for

bool has_word(const std::string& list, std::string_view word) {
  return (" " + list + " ").find(fmt::format(" {} ", word)) != std::string::npos;
}

/// The greatest N of the words "SPIR-V_1.N"; -1 if there is none.
int spirv_version(const std::string& il) {
  constexpr std::string_view stem = "SPIR-V_1.";
  int greatest = -1;
  for (std::size_t at = il.find(stem); at != std::string::npos; at = il.find(stem, at + 1)) {
    int n = -1;
    std::from_chars(il.data() + at + stem.size(), il.data() + il.size(), n);
    greatest = std::max(greatest, n);
  }
  return greatest;
}

/// What is found out of a device before it is used; `problem` says why it cannot be.
struct found_device {
  description about;
  intake way = intake::il;
  memory_model memory = memory_model::coarse;
  std::string problem;
};

class opencl_back_end final : public provider {
 public:
  std::vector<std::shared_ptr<device>> devices() override {
    static const loader cl;  // if this throws, the next call tries again
    left_out_.clear();
    std::vector<std::shared_ptr<device>> gpus;
    std::vector<std::shared_ptr<device>> processors;
    for (cl_platform_id platform : platforms(cl)) {
      for (cl_device_id d : devices_of(cl, platform)) {
        found_device one = look_at(cl, platform, d);
        if (!one.problem.empty()) {
          left_out_.push_back(fmt::format("opencl: '{}' of platform '{}' is left out: {}", one.about.name,
                                          cl.text(platform, CL_PLATFORM_NAME), one.problem));
          continue;
        }
        auto& list = one.about.is_host_processor ? processors : gpus;
        list.push_back(opencl::make_device(cl, platform, d, std::move(one.about), one.way, one.memory));
      }
    }
    gpus.insert(gpus.end(), processors.begin(), processors.end());
    if (gpus.empty())
      throw error(error_code::no_device,
                  left_out_.empty() ? "opencl: the loader is here, but it shows no device; install the driver (ICD) of "
                                      "your device, or pocl-opencl-icd for the processor"
                                    : fmt::format("{}", fmt::join(left_out_, "; ")));
    return gpus;
  }
  std::vector<std::string> left_out() override { return left_out_; }

 private:
  static std::vector<cl_platform_id> platforms(const loader& cl) {
    constexpr cl_int none = -1001;  // CL_PLATFORM_NOT_FOUND_KHR
    cl_uint count = 0;
    const cl_int result = cl.clGetPlatformIDs(0, nullptr, &count);
    if (result == none) return {};
    cl.check(result, "counting platforms");
    std::vector<cl_platform_id> all(count);
    if (count != 0) cl.check(cl.clGetPlatformIDs(count, all.data(), nullptr), "listing platforms");
    return all;
  }
  static std::vector<cl_device_id> devices_of(const loader& cl, cl_platform_id platform) {
    cl_uint count = 0;
    if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
    std::vector<cl_device_id> all(count);
    cl.check(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, all.data(), nullptr), "listing devices");
    return all;
  }

  static found_device look_at(const loader& cl, cl_platform_id platform, cl_device_id d) {
    found_device one;
    description& about = one.about;
    about.name = cl.text(d, CL_DEVICE_NAME);
    about.driver = fmt::format("{} {}", cl.text(platform, CL_PLATFORM_NAME), cl.text(d, CL_DRIVER_VERSION));
    about.memory_bytes = cl.number<cl_ulong>(d, CL_DEVICE_GLOBAL_MEM_SIZE, 0);
    about.compute_units = cl.number<cl_uint>(d, CL_DEVICE_MAX_COMPUTE_UNITS, 0);
    about.maximum_group = static_cast<std::uint32_t>(cl.number<std::size_t>(d, CL_DEVICE_MAX_WORK_GROUP_SIZE, 1));
    // OpenCL has no such limit, but drivers count groups in 32 bits.
    about.maximum_grid = {0x7fffffff, 0x7fffffff, 0x7fffffff};
    const std::string extensions = cl.text(d, CL_DEVICE_EXTENSIONS);
    about.float64 = has_word(extensions, "cl_khr_fp64") || cl.number<cl_ulong>(d, CL_DEVICE_DOUBLE_FP_CONFIG, 0) != 0;
    about.fast_in_32_bits = true;
    about.is_host_processor = (cl.number<cl_ulong>(d, CL_DEVICE_TYPE, 0) & CL_DEVICE_TYPE_CPU) != 0;

    const bool usable = cl.number<cl_bool>(d, CL_DEVICE_AVAILABLE, CL_FALSE) == CL_TRUE &&
                        cl.number<cl_bool>(d, CL_DEVICE_COMPILER_AVAILABLE, CL_FALSE) == CL_TRUE;
    const auto svm = cl.number<cl_ulong>(d, CL_DEVICE_SVM_CAPABILITIES, 0);
    one.memory = memory_model::coarse;
    if ((svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0) one.memory = memory_model::fine;
    const auto usm = [&](cl_device_info which) {
      return (cl.number<cl_ulong>(d, which, 0) & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL) != 0;
    };
    const bool has_usm = has_word(extensions, "cl_intel_unified_shared_memory") &&
                         usm(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) && usm(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL);
    if (has_usm) one.memory = memory_model::usm;

    if (!usable)
      one.problem = "it or its compiler is not available";
    else if (cl.number<cl_uint>(d, CL_DEVICE_ADDRESS_BITS, 0) != 64 ||
             cl.number<cl_bool>(d, CL_DEVICE_ENDIAN_LITTLE, CL_FALSE) != CL_TRUE)
      one.problem = "its addresses are not of 64 bits, low byte first";
    else if (about.maximum_group < needed_group)
      one.problem =
          fmt::format("its groups have {} work-items at most; {} are needed", about.maximum_group, needed_group);
    else if (!has_usm && (svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) == 0)
      one.problem = fmt::format(
          "it has neither unified shared memory (cl_intel_unified_shared_memory) nor shared virtual "
          "memory (OpenCL 2.0); it is {}",
          cl.text(d, CL_DEVICE_VERSION));
    else
      choose_intake(cl, platform, d, one);
    return one;
  }

  static void choose_intake(const loader& cl, cl_platform_id platform, cl_device_id d, found_device& one) {
    const std::string il = cl.text(d, CL_DEVICE_IL_VERSION);
    const std::string name = cl.text(platform, CL_PLATFORM_NAME);
    one.about.architecture = "spirv64";
    if (const int version = spirv_version(il); version >= 2) {
      one.way = intake::il;
      if (version < 4) one.about.architecture = "spirv64v1.2";
    } else if (version >= 0) {
      one.problem = fmt::format("it takes SPIR-V of versions before 1.2 only ({})", il);
    } else if (name == "Portable Computing Language") {
      one.way = intake::pocl;
      std::string wanted;
      if (opencl::find_translator(cl.text(platform, CL_PLATFORM_VERSION), wanted).empty())
        one.problem = fmt::format(
            "it takes kernels as its LLVM's bitcode only, and the translator {} is not on PATH; "
            "install it (package {})",
            wanted, wanted);
    } else if (name == "rusticl") {
      one.way = intake::rusticl;
    } else {
      one.problem = "it does not take SPIR-V (CL_DEVICE_IL_VERSION is empty)";
    }
  }

  std::vector<std::string> left_out_;
};

}  // namespace

provider* opencl_provider() {
  static auto* const p = new opencl_back_end;
  return p;
}

}  // namespace selvage::inline v0::backend
