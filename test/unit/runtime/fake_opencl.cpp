// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for OpenCL's loader with drivers behind it: its functions on host memory, as strict as the specification
// about contexts, handles, ranges and flushing. Kernels are those of kernels.cpp. A program's code is SPIR-V's header,
// with or without more.
#include "fake_opencl_objects.hpp"

#include <dlfcn.h>

#include <algorithm>

namespace {

cl_int pointer_argument(cl_kernel k, cl_uint index, const void* p, bool svm) {
  const auto* a = allocation(p);
  if (p != nullptr && (a == nullptr || !reaches(k->program->context, p, 1, svm))) return CL_INVALID_ARG_VALUE;
  const auto* bytes = reinterpret_cast<const char*>(&p);
  k->arguments[index].assign(bytes, bytes + sizeof p);
  return CL_SUCCESS;
}

void* give_memory(cl_context owner, std::size_t bytes, range::kind what) {
  void* const p = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  std::memset(p, 0xcd, bytes);
  all().memory[reinterpret_cast<std::uintptr_t>(p)] = {bytes, owner, what};
  ++all().allocations;
  return p;
}
cl_int take_memory(cl_context owner, void* p, bool svm) {
  const auto found = all().memory.find(reinterpret_cast<std::uintptr_t>(p));
  if (found == all().memory.end() || found->second.owner != owner || is_svm(found->second) != svm)
    return ++all().foreign, CL_INVALID_VALUE;
  all().memory.erase(found);
  std::free(p);
  --all().allocations;
  return CL_SUCCESS;
}

}  // namespace

DRIVER fake_opencl* selvage_fake_opencl() {
  return &all();
}

DRIVER cl_int clGetPlatformIDs(cl_uint room, cl_platform_id* list, cl_uint* count) {
  BEGIN("clGetPlatformIDs");
  const std::size_t n = std::min(all().shown, all().platforms.size());
  if (n == 0) return -1001;  // CL_PLATFORM_NOT_FOUND_KHR
  if (count != nullptr) *count = static_cast<cl_uint>(n);
  for (std::size_t k = 0; k < std::min<std::size_t>(n, room); ++k)
    list[k] = reinterpret_cast<cl_platform_id>(&all().platforms[k]);
  return CL_SUCCESS;
}
DRIVER cl_int clGetPlatformInfo(cl_platform_id p, cl_platform_info what, size_t room, void* to, size_t* size) {
  BEGIN("clGetPlatformInfo");
  const auto& platform = *reinterpret_cast<const fake_opencl_platform*>(p);
  if (what == CL_PLATFORM_NAME) return give(platform.name, room, to, size);
  return what == CL_PLATFORM_VERSION ? give(platform.version, room, to, size) : CL_INVALID_VALUE;
}
DRIVER cl_int clGetDeviceIDs(cl_platform_id p, cl_device_type, cl_uint room, cl_device_id* list, cl_uint* count) {
  BEGIN("clGetDeviceIDs");
  auto& devices = reinterpret_cast<fake_opencl_platform*>(p)->devices;
  if (devices.empty()) return CL_DEVICE_NOT_FOUND;
  if (count != nullptr) *count = static_cast<cl_uint>(devices.size());
  for (std::size_t k = 0; k < std::min<std::size_t>(devices.size(), room); ++k)
    list[k] = reinterpret_cast<cl_device_id>(&devices[k]);
  return CL_SUCCESS;
}
DRIVER cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t room, void* to, size_t* size) {
  BEGIN("clGetDeviceInfo");
  const auto answer = [&](const auto& value) { return give(value, room, to, size); };
  const fake_opencl_device& f = facts(d);
  switch (what) {
    case CL_DEVICE_NAME:
      return answer(f.name);
    case CL_DRIVER_VERSION:
      return answer(std::string("1.2.3"));
    case CL_DEVICE_VERSION:
      return answer(f.version);
    case CL_DEVICE_EXTENSIONS:
      return answer(f.extensions);
    case CL_DEVICE_IL_VERSION:
      return answer(f.il);
    case CL_DEVICE_TYPE:
      return answer(cl_ulong{f.type});
    case CL_DEVICE_PLATFORM:
      return answer(&platform_of(d));
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return answer(cl_ulong{memory_bytes} * 4);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return answer(cl_ulong{memory_bytes});
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return answer(cl_uint{96});
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return answer(f.group);
    case CL_DEVICE_ADDRESS_BITS:
      return answer(cl_uint{f.address_bits});
    case CL_DEVICE_ENDIAN_LITTLE:
      return answer(cl_bool{CL_TRUE});
    case CL_DEVICE_AVAILABLE:
      return answer(cl_bool{f.available});
    case CL_DEVICE_COMPILER_AVAILABLE:
      return answer(cl_bool{f.compiler});
    case CL_DEVICE_SVM_CAPABILITIES:
      return answer(cl_ulong{f.svm});
    case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
      return answer(cl_ulong{f.shared_host});
    case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
      return answer(cl_ulong{f.shared_device});
    default:
      return CL_INVALID_VALUE;
  }
}

DRIVER cl_context clCreateContext(const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
                                  void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*, cl_int* result) {
  BEGIN_NULL("clCreateContext", result);
  const bool fine = count == 1 && properties != nullptr && properties[0] == CL_CONTEXT_PLATFORM &&
                    reinterpret_cast<const void*>(properties[1]) == &platform_of(devices[0]) && properties[2] == 0;
  if (!fine) return *result = CL_INVALID_PLATFORM, nullptr;
  return make<_cl_context>(all().contexts, devices[0]);
}
DRIVER void* clSVMAlloc(cl_context c, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment) {
  const std::lock_guard lock(all().mutex);
  const bool fine = (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0;
  const cl_ulong needed = fine ? CL_DEVICE_SVM_FINE_GRAIN_BUFFER : CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
  if (failure_of("clSVMAlloc") != CL_SUCCESS || !alive(c) || (facts(c->device).svm & needed) == 0) return nullptr;
  if (bytes == 0 || bytes > memory_bytes || alignment > 64) return nullptr;
  all().log.push_back(fine ? "fine memory" : "coarse memory");
  return give_memory(c, bytes, fine ? range::kind::fine : range::kind::coarse);
}
DRIVER void clSVMFree(cl_context c, void* p) {
  const std::lock_guard lock(all().mutex);
  take_memory(c, p, true);
}
namespace {

/// Intel's unified shared memory, which is reached by names alone.
void* usm_alloc(const char* name, cl_context c, std::size_t bytes, range::kind what, cl_int* result) {
  BEGIN_NULL(name, result);
  if (bytes == 0 || bytes > memory_bytes) return *result = CL_INVALID_BUFFER_SIZE, nullptr;
  all().log.push_back(what == range::kind::usm_host ? "usm host memory" : "usm device memory");
  return give_memory(c, bytes, what);
}
void* usm_device(cl_context c, cl_device_id, const cl_mem_properties_intel*, size_t bytes, cl_uint, cl_int* result) {
  return usm_alloc("clDeviceMemAllocINTEL", c, bytes, range::kind::usm_device, result);
}
void* usm_host(cl_context c, const cl_mem_properties_intel*, size_t bytes, cl_uint, cl_int* result) {
  return usm_alloc("clHostMemAllocINTEL", c, bytes, range::kind::usm_host, result);
}
cl_int usm_free(cl_context c, void* p) {
  BEGIN("clMemFreeINTEL");
  return take_memory(c, p, false);
}
cl_int usm_copy(cl_command_queue q, cl_bool wait, void* to, const void* from, size_t bytes, cl_uint, const cl_event*,
                cl_event*) {
  BEGIN("clEnqueueMemcpyINTEL");
  return wait == CL_FALSE ? copy(q, to, from, bytes, false) : CL_INVALID_VALUE;
}
cl_int usm_fill(cl_command_queue q, void* to, const void* pattern, size_t size, size_t bytes, cl_uint, const cl_event*,
                cl_event*) {
  BEGIN("clEnqueueMemFillINTEL");
  return fill(q, to, pattern, size, bytes, false);
}
cl_int usm_argument(cl_kernel k, cl_uint index, const void* p) {
  BEGIN("clSetKernelArgMemPointerINTEL");
  return pointer_argument(k, index, p, false);
}

}  // namespace

DRIVER void* clGetExtensionFunctionAddressForPlatform(cl_platform_id, const char* name) {
  const std::lock_guard lock(all().mutex);
  if (failure_of(name) == CL_INVALID_OPERATION) return nullptr;
  const std::string wanted = name;
  if (wanted == "clDeviceMemAllocINTEL") return reinterpret_cast<void*>(&usm_device);
  if (wanted == "clHostMemAllocINTEL") return reinterpret_cast<void*>(&usm_host);
  if (wanted == "clMemFreeINTEL") return reinterpret_cast<void*>(&usm_free);
  if (wanted == "clEnqueueMemcpyINTEL") return reinterpret_cast<void*>(&usm_copy);
  if (wanted == "clEnqueueMemFillINTEL") return reinterpret_cast<void*>(&usm_fill);
  if (wanted == "clSetKernelArgMemPointerINTEL") return reinterpret_cast<void*>(&usm_argument);
  return nullptr;
}

DRIVER cl_program clCreateProgramWithIL(cl_context c, const void* code, size_t bytes, cl_int* result) {
  BEGIN_NULL("clCreateProgramWithIL", result);
  if (facts(c->device).il.empty()) return *result = CL_INVALID_OPERATION, nullptr;
  std::vector<std::uint32_t> words(bytes / 4);
  std::memcpy(words.data(), code, words.size() * 4);
  if (words.empty() || words[0] != 0x07230203) return *result = CL_INVALID_VALUE, nullptr;
  all().log.push_back("program of IL");
  return make<_cl_program>(all().programs, c, std::move(words));
}
DRIVER cl_program clCreateProgramWithBinary(cl_context c, cl_uint count, const cl_device_id* devices,
                                            const size_t* lengths, const unsigned char** binaries, cl_int* status,
                                            cl_int* result) {
  BEGIN_NULL("clCreateProgramWithBinary", result);
  if (count != 1 || devices[0] != c->device) return *result = CL_INVALID_DEVICE, nullptr;
  std::vector<std::uint32_t> words(lengths[0] / 4);
  std::memcpy(words.data(), binaries[0], words.size() * 4);
  const bool rusticl = platform_of(c->device).name == "rusticl";
  const bool framed = words.size() > 3 && words[0] == 1 && words[1] == lengths[0] - 12 && words[2] == 4;
  const bool bitcode = !words.empty() && words[0] == 0xdec04342;
  if (!(rusticl ? framed && words[3] == 0x07230203 : bitcode))
    return *result = CL_INVALID_BINARY, *status = CL_INVALID_BINARY, nullptr;
  words.erase(words.begin(), words.begin() + (rusticl ? 3 : 0));
  all().log.push_back(rusticl ? "program of framed SPIR-V" : "program of bitcode");
  return make<_cl_program>(all().programs, c, std::move(words));
}
DRIVER cl_int clBuildProgram(cl_program p, cl_uint, const cl_device_id*, const char* options,
                             void(CL_CALLBACK*)(cl_program, void*), void*) {
  BEGIN("clBuildProgram");
  all().build_options = options;
  all().code = p->words;
  p->log = p->words.size() > 1 && p->words[1] == 0xbad ? "word 1: no such version\nbuild failed\n" : "";
  p->built = p->log.empty();
  return p->built ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}
DRIVER cl_int clGetProgramBuildInfo(cl_program p, cl_device_id, cl_program_build_info what, size_t room, void* to,
                                    size_t* size) {
  BEGIN("clGetProgramBuildInfo");
  return what == CL_PROGRAM_BUILD_LOG ? give(p->log, room, to, size) : CL_INVALID_VALUE;
}
DRIVER cl_int clReleaseProgram(cl_program p) {
  BEGIN("clReleaseProgram");
  return drop(p, all().programs, CL_INVALID_PROGRAM);
}

DRIVER cl_kernel clCreateKernel(cl_program p, const char* name, cl_int* result) {
  BEGIN_NULL("clCreateKernel", result);
  if (!p->built) return *result = CL_INVALID_PROGRAM_EXECUTABLE, nullptr;
  static void* const library = dlopen(SELVAGE_TEST_KERNELS, RTLD_NOW | RTLD_LOCAL);
  void* const entry = dlsym(library, name);
  if (entry == nullptr) return *result = CL_INVALID_KERNEL_NAME, nullptr;
  return make<_cl_kernel>(all().kernels, p, reinterpret_cast<decltype(_cl_kernel::entry)>(entry));
}
DRIVER cl_int clReleaseKernel(cl_kernel k) {
  BEGIN("clReleaseKernel");
  return drop(k, all().kernels, CL_INVALID_KERNEL);
}
DRIVER cl_int clSetKernelArg(cl_kernel k, cl_uint index, size_t size, const void* value) {
  BEGIN("clSetKernelArg");
  if (value == nullptr || size > 8) return CL_INVALID_ARG_SIZE;
  const auto* bytes = static_cast<const char*>(value);
  k->arguments[index].assign(bytes, bytes + size);
  return CL_SUCCESS;
}
DRIVER cl_int clSetKernelArgSVMPointer(cl_kernel k, cl_uint index, const void* p) {
  BEGIN("clSetKernelArgSVMPointer");
  return pointer_argument(k, index, p, true);
}
