// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects of the stand-in for OpenCL: what its handles point to, and what the calls' beginnings have in common.
#pragma once

#include "fake_opencl.hpp"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <set>
#include <utility>

using selvage::test::fake_opencl;
using selvage::test::fake_opencl_device;
using selvage::test::fake_opencl_platform;
using callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

struct _cl_context {
  cl_device_id device;
};
struct _cl_event {
  cl_context context;
  cl_command_queue queue;  ///< null: a user's
  cl_int status = CL_QUEUED;
  int references = 1;
  std::vector<std::pair<callback, void*>> callbacks{};
};
struct command {
  cl_event done;  ///< holds a reference, as to each of `after`
  std::vector<cl_event> after;
  std::function<cl_int()> work;
};
struct _cl_command_queue {
  cl_context context;
  std::deque<command> work{};
  std::size_t flushed = 0;  ///< so many of `work` may run
  bool lost = false;        ///< a command has failed
};
struct _cl_program {
  cl_context context;
  std::vector<std::uint32_t> words;
  std::string log{};
  bool built = false;
};
struct _cl_kernel {
  cl_program program;
  void (*entry)(const void*, const std::int64_t*, const std::int64_t*);
  std::map<cl_uint, std::vector<char>> arguments{};
};

struct range {
  std::size_t bytes;
  cl_context owner;
  enum class kind { coarse, fine, usm_device, usm_host } what;
};
constexpr std::size_t memory_bytes = 1 << 20;  ///< of each allocation at most

/// Never destroyed: devices of the runtime live until the process ends.
struct world : fake_opencl {
  std::map<std::uintptr_t, range> memory;
  std::set<void*> handles;  ///< of all kinds that are alive
  std::set<cl_command_queue> of_queue;
};
inline world& all() {
  static auto* const w = new world;
  return *w;
}

inline const fake_opencl_device& facts(cl_device_id d) {
  return *reinterpret_cast<const fake_opencl_device*>(d);
}
inline const fake_opencl_platform& platform_of(cl_device_id d) {
  for (const fake_opencl_platform& p : all().platforms)
    if (&facts(d) >= p.devices.data() && &facts(d) < p.devices.data() + p.devices.size()) return p;
  std::abort();
}

template <class T, class... Fields>
T* make(std::size_t& count, Fields... fields) {
  T* const made = new T{fields...};
  all().handles.insert(made);
  ++count;
  return made;
}
template <class T>
inline cl_int drop(T* handle, std::size_t& count, cl_int otherwise) {
  if (all().handles.erase(handle) == 0) return ++all().foreign, otherwise;
  delete handle;
  --count;
  return CL_SUCCESS;
}
inline bool alive(void* handle) {
  return all().handles.contains(handle);
}

template <class T>
inline cl_int give(T value, std::size_t room, void* to, std::size_t* size) {
  if (size != nullptr) *size = sizeof value;
  if (to == nullptr) return CL_SUCCESS;
  if (room < sizeof value) return CL_INVALID_VALUE;
  std::memcpy(to, &value, sizeof value);
  return CL_SUCCESS;
}
inline cl_int give(const std::string& text, std::size_t room, void* to, std::size_t* size) {
  if (size != nullptr) *size = text.size() + 1;
  if (to == nullptr) return CL_SUCCESS;
  if (room < text.size() + 1) return CL_INVALID_VALUE;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return CL_SUCCESS;
}

/// The allocation in which `p` lies; null if it is memory that OpenCL does not know.
inline std::pair<const std::uintptr_t, range>* allocation(const void* p) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  auto next = all().memory.upper_bound(address);
  if (next == all().memory.begin()) return nullptr;
  auto& found = *--next;
  return address < found.first + found.second.bytes ? &found : nullptr;
}
inline bool is_svm(const range& r) {
  return r.what == range::kind::coarse || r.what == range::kind::fine;
}
/// Whether commands of `context` may touch [p, p + bytes) by functions for shared virtual memory (or unified memory).
inline bool reaches(cl_context context, const void* p, std::size_t bytes, bool svm) {
  const auto* a = allocation(p);
  return a == nullptr || (a->second.owner == context && is_svm(a->second) == svm &&
                          reinterpret_cast<std::uintptr_t>(p) + bytes <= a->first + a->second.bytes);
}

inline cl_int failure_of(const char* function) {
  const auto found = all().failures.find(function);
  return found == all().failures.end() ? CL_SUCCESS : found->second;
}

/// Commands of shared virtual memory, or of unified memory (`svm` says which), put on a queue.
cl_int copy(cl_command_queue q, void* to, const void* from, std::size_t bytes, bool svm);
cl_int fill(cl_command_queue q, void* to, const void* pattern, std::size_t size, std::size_t bytes, bool svm);

#define DRIVER extern "C" __attribute__((visibility("default")))
/// The lock, and the failure that the test wants of this function: as its value, or through its last argument.
#define BEGIN(name)                        \
  const std::lock_guard lock(all().mutex); \
  if (const cl_int failure = failure_of(name); failure != CL_SUCCESS) return failure
#define BEGIN_NULL(name, result)           \
  const std::lock_guard lock(all().mutex); \
  if ((*(result) = failure_of(name)) != CL_SUCCESS) return nullptr
