// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL's loader, opened at run time, and its errors as ours.
#pragma once

#include <selvage/error.hpp>

#include <fmt/format.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <string>
#include <string_view>
#include <utility>

namespace selvage::inline v0::backend::opencl {

#define SELVAGE_OPENCL_FUNCTIONS(ROW)           \
  ROW(clGetPlatformIDs)                         \
  ROW(clGetPlatformInfo)                        \
  ROW(clGetDeviceIDs)                           \
  ROW(clGetDeviceInfo)                          \
  ROW(clGetExtensionFunctionAddressForPlatform) \
  ROW(clCreateContext)                          \
  ROW(clCreateCommandQueueWithProperties)       \
  ROW(clReleaseCommandQueue)                    \
  ROW(clSVMAlloc)                               \
  ROW(clSVMFree)                                \
  ROW(clEnqueueSVMMemcpy)                       \
  ROW(clEnqueueSVMMemFill)                      \
  ROW(clCreateProgramWithIL)                    \
  ROW(clCreateProgramWithBinary)                \
  ROW(clBuildProgram)                           \
  ROW(clGetProgramBuildInfo)                    \
  ROW(clReleaseProgram)                         \
  ROW(clCreateKernel)                           \
  ROW(clReleaseKernel)                          \
  ROW(clSetKernelArg)                           \
  ROW(clSetKernelArgSVMPointer)                 \
  ROW(clEnqueueNDRangeKernel)                   \
  ROW(clEnqueueMarkerWithWaitList)              \
  ROW(clEnqueueBarrierWithWaitList)             \
  ROW(clCreateUserEvent)                        \
  ROW(clSetUserEventStatus)                     \
  ROW(clSetEventCallback)                       \
  ROW(clGetEventInfo)                           \
  ROW(clWaitForEvents)                          \
  ROW(clRetainEvent)                            \
  ROW(clReleaseEvent)                           \
  ROW(clFlush)

/// The ICD loader, opened at the first need and never closed.
class loader {
 public:
#define SELVAGE_ROW(name) decltype(&::name) name = nullptr;
  SELVAGE_OPENCL_FUNCTIONS(SELVAGE_ROW)
#undef SELVAGE_ROW

  /// Throws no_device if there is none, or one of before OpenCL 2.1.
  loader();

  /// Turns a failed call into an error.
  template <class... What>
  void check(cl_int result, fmt::format_string<What...> what, What&&... arguments) const {
    if (result != CL_SUCCESS) fail(code_of(result), result, fmt::format(what, std::forward<What>(arguments)...), {});
  }
  static error_code code_of(cl_int result);
  /// `log`, if not empty, is what the driver's compiler said.
  [[noreturn]] static void fail(error_code code, cl_int result, const std::string& what, std::string_view log);

  std::string text(cl_platform_id of, cl_platform_info what) const;
  std::string text(cl_device_id of, cl_device_info what) const;
  template <class T>
  T number(cl_device_id of, cl_device_info what, T otherwise) const {
    T value{};
    return clGetDeviceInfo(of, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : otherwise;
  }
};

/// Memory that one address means to host and kernels: the three ways there are, the best first.
enum class memory_model {
  usm,     ///< Intel's unified shared memory (cl_intel_unified_shared_memory), of devices and of the host
  fine,    ///< shared virtual memory, which the host may touch while kernels run
  coarse,  ///< shared virtual memory that it may not: fault records are copied to and fro
};

/// Ways to hand SPIR-V to a device.
enum class intake {
  il,       ///< clCreateProgramWithIL
  pocl,     ///< PoCL without IL: its LLVM's bitcode, made by the translator llvm-spirv
  rusticl,  ///< rusticl without IL: a program's binary is SPIR-V behind three words
};

/// A program of this SPIR-V, built. Throws selvage::error with the driver's build log.
cl_program build(const loader& cl, cl_context context, cl_device_id device, intake way, std::string_view spirv,
                 const std::string& device_name);

/// The translator for PoCL that stands on platform version `about` ("... LLVM 15.0.6 ..."): its path, empty if PATH has
/// none; `wanted` becomes its name.
std::string find_translator(std::string_view about, std::string& wanted);

}  // namespace selvage::inline v0::backend::opencl
