// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL's loader: its functions, its information, its errors.
#include "opencl_api.hpp"

#include <dlfcn.h>

namespace selvage::inline v0::backend::opencl {
namespace {

const char* name_of(cl_int result) {
  switch (result) {
#define SELVAGE_ROW(name) \
  case name:              \
    return #name;
    SELVAGE_ROW(CL_DEVICE_NOT_FOUND)
    SELVAGE_ROW(CL_DEVICE_NOT_AVAILABLE)
    SELVAGE_ROW(CL_COMPILER_NOT_AVAILABLE)
    SELVAGE_ROW(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    SELVAGE_ROW(CL_OUT_OF_RESOURCES)
    SELVAGE_ROW(CL_OUT_OF_HOST_MEMORY)
    SELVAGE_ROW(CL_PROFILING_INFO_NOT_AVAILABLE)
    SELVAGE_ROW(CL_MEM_COPY_OVERLAP)
    SELVAGE_ROW(CL_BUILD_PROGRAM_FAILURE)
    SELVAGE_ROW(CL_MAP_FAILURE)
    SELVAGE_ROW(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    SELVAGE_ROW(CL_INVALID_VALUE)
    SELVAGE_ROW(CL_INVALID_DEVICE_TYPE)
    SELVAGE_ROW(CL_INVALID_PLATFORM)
    SELVAGE_ROW(CL_INVALID_DEVICE)
    SELVAGE_ROW(CL_INVALID_CONTEXT)
    SELVAGE_ROW(CL_INVALID_QUEUE_PROPERTIES)
    SELVAGE_ROW(CL_INVALID_COMMAND_QUEUE)
    SELVAGE_ROW(CL_INVALID_MEM_OBJECT)
    SELVAGE_ROW(CL_INVALID_BINARY)
    SELVAGE_ROW(CL_INVALID_BUILD_OPTIONS)
    SELVAGE_ROW(CL_INVALID_PROGRAM)
    SELVAGE_ROW(CL_INVALID_PROGRAM_EXECUTABLE)
    SELVAGE_ROW(CL_INVALID_KERNEL_NAME)
    SELVAGE_ROW(CL_INVALID_KERNEL_DEFINITION)
    SELVAGE_ROW(CL_INVALID_KERNEL)
    SELVAGE_ROW(CL_INVALID_ARG_INDEX)
    SELVAGE_ROW(CL_INVALID_ARG_VALUE)
    SELVAGE_ROW(CL_INVALID_ARG_SIZE)
    SELVAGE_ROW(CL_INVALID_KERNEL_ARGS)
    SELVAGE_ROW(CL_INVALID_WORK_DIMENSION)
    SELVAGE_ROW(CL_INVALID_WORK_GROUP_SIZE)
    SELVAGE_ROW(CL_INVALID_WORK_ITEM_SIZE)
    SELVAGE_ROW(CL_INVALID_EVENT_WAIT_LIST)
    SELVAGE_ROW(CL_INVALID_EVENT)
    SELVAGE_ROW(CL_INVALID_OPERATION)
    SELVAGE_ROW(CL_INVALID_BUFFER_SIZE)
    SELVAGE_ROW(CL_INVALID_GLOBAL_WORK_SIZE)
    SELVAGE_ROW(CL_INVALID_PROPERTY)
#undef SELVAGE_ROW
    case -1001:
      return "CL_PLATFORM_NOT_FOUND_KHR";
    default:
      return "an error without a name";
  }
}

template <class Of, class What, class Get>
std::string text_by(Get get, Of of, What what) {
  std::size_t size = 0;
  if (get(of, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (get(of, what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  if (const std::size_t end = text.find('\0'); end != std::string::npos) text.resize(end);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

loader::loader() {
  void* library = nullptr;
  std::string tried;
  for (const char* file : {"libOpenCL.so.1", "libOpenCL.so"}) {
    library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
    const char* reason = dlerror();
    tried += fmt::format("{}{}", tried.empty() ? "" : "; ", reason != nullptr ? reason : file);
  }
  if (library == nullptr)
    throw error(error_code::no_device,
                fmt::format("opencl: there is no OpenCL: libOpenCL.so.1 cannot be opened; install the driver of your "
                            "device and the loader (package ocl-icd-libopencl1) (tried: {})",
                            tried));
  std::string missing;
  const auto find = [&](const char* symbol) {
    void* address = dlsym(library, symbol);
    if (address == nullptr) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", symbol);
    return address;
  };
#define SELVAGE_ROW(name) name = reinterpret_cast<decltype(&::name)>(find(#name));
  SELVAGE_OPENCL_FUNCTIONS(SELVAGE_ROW)
#undef SELVAGE_ROW
  if (!missing.empty())
    throw error(error_code::no_device,
                fmt::format("opencl: the loader libOpenCL.so.1 lacks {}: it is older than OpenCL 2.1; install a later "
                            "one",
                            missing));
}

error_code loader::code_of(cl_int result) {
  const bool memory = result == CL_MEM_OBJECT_ALLOCATION_FAILURE || result == CL_OUT_OF_HOST_MEMORY;
  return memory ? error_code::out_of_memory : error_code::device_failure;
}

void loader::fail(error_code code, cl_int result, const std::string& what, std::string_view log) {
  throw error(code, fmt::format("opencl: {} failed: {} ({}){}{}", what, name_of(result), result,
                                log.empty() ? "" : "; the build log: ", log));
}

std::string loader::text(cl_platform_id of, cl_platform_info what) const {
  return text_by(clGetPlatformInfo, of, what);
}
std::string loader::text(cl_device_id of, cl_device_info what) const {
  return text_by(clGetDeviceInfo, of, what);
}

}  // namespace selvage::inline v0::backend::opencl
