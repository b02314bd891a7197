// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for NVIDIA's driver library: its functions on host memory, as strict as the driver about contexts, handles
// and ranges. Work runs when somebody waits for it, so that who forgets to wait sees old data. Kernels are those of
// kernels.cpp.
#include "fake_cuda.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <set>

namespace {

using selvage::test::fake_cuda;

enum result {
  ok = 0,
  invalid_value = 1,
  no_memory = 2,
  invalid_context = 201,
  invalid_ptx = 218,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600
};

struct context {
  int device;
  std::size_t used = 0;
};
struct stream {
  context* owner;
  std::deque<std::function<void()>> work;
  std::size_t put = 0;
  std::size_t over = 0;

  void run(std::size_t up_to) {
    for (; over < up_to; ++over) {
      const auto next = std::move(work.front());
      work.pop_front();
      next();
    }
  }
};
struct event {
  std::shared_ptr<stream> on;
  std::size_t place = 0;
};
struct module {
  void* library;
};
struct range {
  std::size_t bytes;
  context* owner;
  bool host;
};
using kernel = void (*)(const void*, const std::int64_t*, const std::int64_t*);

/// Never destroyed: devices of the runtime live until the process ends.
struct world : fake_cuda {
  context primary[8] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}};
  std::map<std::uint64_t, range> memory;
  std::map<void*, std::shared_ptr<stream>> of_stream;
  std::set<void*> of_event;
};
world& all() {
  static auto* const w = new world;
  return *w;
}

thread_local std::vector<context*> stack;

context* here() {
  return stack.empty() ? nullptr : stack.back();
}

/// Whether [p, p + bytes) is device memory of the current context.
bool inside(std::uint64_t p, std::size_t bytes) {
  auto next = all().memory.upper_bound(p);
  if (next == all().memory.begin()) return false;
  const auto& [first, r] = *--next;
  return !r.host && r.owner == here() && p + bytes <= first + r.bytes;
}

std::shared_ptr<stream> stream_of(void* s) {
  const auto found = all().of_stream.find(s);
  return found == all().of_stream.end() || found->second->owner != here() ? nullptr : found->second;
}

int put(void* s, const std::string& text, std::function<void()> what) {
  const std::shared_ptr<stream> on = stream_of(s);
  if (!on) return invalid_handle;
  all().log.push_back(text);
  on->work.push_back(std::move(what));
  ++on->put;
  return ok;
}

int failure_of(const char* function) {
  const auto found = all().failures.find(function);
  return found == all().failures.end() ? int{ok} : found->second;
}

std::string number(std::size_t n) {
  return std::to_string(n);
}

}  // namespace

#define DRIVER extern "C" __attribute__((visibility("default")))
/// The lock, and the failure that the test wants of this function.
#define BEGIN(name)                        \
  const std::lock_guard lock(all().mutex); \
  if (const int failure = failure_of(name); failure != ok) return failure
#define BEGIN_IN_CONTEXT(name) \
  BEGIN(name);                 \
  if (here() == nullptr) return invalid_context

DRIVER fake_cuda* selvage_fake_cuda() {
  return &all();
}

DRIVER int cuInit(unsigned) {
  BEGIN("cuInit");
  return ok;
}
DRIVER int cuGetErrorName(int code, const char** name) {
  switch (code) {
    case invalid_value:
      *name = "CUDA_ERROR_INVALID_VALUE";
      return ok;
    case no_memory:
      *name = "CUDA_ERROR_OUT_OF_MEMORY";
      return ok;
    case 100:
      *name = "CUDA_ERROR_NO_DEVICE";
      return ok;
    case invalid_context:
      *name = "CUDA_ERROR_INVALID_CONTEXT";
      return ok;
    case 209:
      *name = "CUDA_ERROR_NO_BINARY_FOR_GPU";
      return ok;
    case invalid_ptx:
      *name = "CUDA_ERROR_INVALID_PTX";
      return ok;
    case invalid_handle:
      *name = "CUDA_ERROR_INVALID_HANDLE";
      return ok;
    case not_found:
      *name = "CUDA_ERROR_NOT_FOUND";
      return ok;
    case 700:
      *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
      return ok;
    default:
      *name = nullptr;
      return invalid_value;
  }
}
DRIVER int cuGetErrorString(int code, const char** text) {
  if (code == 12345) return invalid_value;
  *text = code == no_memory ? "out of memory" : "the text of the driver";
  return ok;
}
DRIVER int cuDriverGetVersion(int* version) {
  *version = 12080;
  return ok;
}
DRIVER int cuDeviceGetCount(int* count) {
  BEGIN("cuDeviceGetCount");
  *count = all().devices;
  return ok;
}
DRIVER int cuDeviceGet(int* device, int k) {
  *device = k;
  return k < all().devices ? ok : invalid_value;
}
DRIVER int cuDeviceGetName(char* name, int length, int) {
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(length));
  return ok;
}
DRIVER int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = all().memory_bytes;
  return ok;
}
DRIVER int cuDeviceGetAttribute(int* value, int which, int) {
  BEGIN("cuDeviceGetAttribute");
  static const std::map<int, int> values{{1, 1024}, {5, 2147483647}, {6, 65535}, {7, 65534},
                                         {16, 132}, {75, 9},         {76, 0}};
  const auto found = values.find(which);
  if (found == values.end()) return invalid_value;
  *value = found->second;
  return ok;
}
DRIVER int cuDevicePrimaryCtxRetain(void** c, int device) {
  BEGIN("cuDevicePrimaryCtxRetain");
  ++all().contexts;
  *c = &all().primary[device];
  return ok;
}
DRIVER int cuCtxGetCurrent(void** c) {
  *c = here();
  return ok;
}
DRIVER int cuCtxPushCurrent_v2(void* c) {
  BEGIN("cuCtxPushCurrent");
  if (c == nullptr) return invalid_context;
  stack.push_back(static_cast<context*>(c));
  return ok;
}
DRIVER int cuCtxPopCurrent_v2(void** c) {
  if (stack.empty()) return invalid_context;
  *c = stack.back();
  stack.pop_back();
  return ok;
}

namespace {
int give(std::uint64_t& address, std::size_t bytes, bool host) {
  if (bytes == 0) return invalid_value;
  if (!host && here()->used + bytes > all().memory_bytes) return no_memory;
  void* p = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(p, 0xcd, bytes);
  address = reinterpret_cast<std::uint64_t>(p);
  all().memory[address] = {bytes, here(), host};
  if (!host) here()->used += bytes;
  ++all().allocations;
  return ok;
}
int take(std::uint64_t address, bool host) {
  const auto found = all().memory.find(address);
  if (here() == nullptr || found == all().memory.end() || found->second.host != host || found->second.owner != here()) {
    ++all().foreign_frees;
    return invalid_value;
  }
  if (!host) here()->used -= found->second.bytes;
  all().memory.erase(found);
  std::free(reinterpret_cast<void*>(address));
  --all().allocations;
  return ok;
}
}  // namespace

DRIVER int cuMemAlloc_v2(std::uint64_t* p, std::size_t bytes) {
  BEGIN_IN_CONTEXT("cuMemAlloc");
  return give(*p, bytes, false);
}
DRIVER int cuMemFree_v2(std::uint64_t p) {
  BEGIN("cuMemFree");
  return take(p, false);
}
DRIVER int cuMemHostAlloc(void** p, std::size_t bytes, unsigned flags) {
  BEGIN_IN_CONTEXT("cuMemHostAlloc");
  if (flags != 3) return invalid_value;  // portable and mapped
  std::uint64_t address = 0;
  const int r = give(address, bytes, true);
  *p = reinterpret_cast<void*>(address);
  return r;
}
DRIVER int cuMemFreeHost(void* p) {
  BEGIN("cuMemFreeHost");
  return take(reinterpret_cast<std::uint64_t>(p), true);
}
DRIVER int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void* s) {
  BEGIN_IN_CONTEXT("cuMemcpyHtoDAsync");
  if (!inside(to, bytes)) return invalid_value;
  return put(s, "to device " + number(bytes), [=] { std::memcpy(reinterpret_cast<void*>(to), from, bytes); });
}
DRIVER int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void* s) {
  BEGIN_IN_CONTEXT("cuMemcpyDtoHAsync");
  if (!inside(from, bytes)) return invalid_value;
  return put(s, "to host " + number(bytes), [=] { std::memcpy(to, reinterpret_cast<void*>(from), bytes); });
}
DRIVER int cuMemsetD8Async(std::uint64_t to, unsigned char value, std::size_t bytes, void* s) {
  BEGIN_IN_CONTEXT("cuMemsetD8Async");
  if (!inside(to, bytes)) return invalid_value;
  return put(s, "fill " + number(bytes), [=] { std::memset(reinterpret_cast<void*>(to), value, bytes); });
}

DRIVER int cuStreamCreate(void** s, unsigned flags) {
  BEGIN_IN_CONTEXT("cuStreamCreate");
  if (flags != 1) return invalid_value;  // not ordered with the default stream
  const auto made = std::make_shared<stream>();
  made->owner = here();
  all().of_stream[made.get()] = made;
  *s = made.get();
  ++all().streams;
  return ok;
}
DRIVER int cuStreamDestroy_v2(void* s) {
  BEGIN("cuStreamDestroy");
  if (!stream_of(s)) return ++all().foreign_frees, invalid_handle;
  all().of_stream.erase(s);
  --all().streams;
  return ok;
}
DRIVER int cuStreamSynchronize(void* s) {
  BEGIN_IN_CONTEXT("cuStreamSynchronize");
  const std::shared_ptr<stream> on = stream_of(s);
  if (!on) return invalid_handle;
  on->run(on->put);
  return ok;
}
DRIVER int cuStreamWaitEvent(void* s, void* e, unsigned) {
  BEGIN_IN_CONTEXT("cuStreamWaitEvent");
  if (!all().of_event.contains(e)) return invalid_handle;
  const event until = *static_cast<event*>(e);  // as it was recorded last; the handle may be destroyed
  return put(s, "wait", [until] {
    if (until.on) until.on->run(until.place);
  });
}
DRIVER int cuEventCreate(void** e, unsigned flags) {
  BEGIN_IN_CONTEXT("cuEventCreate");
  if (flags != 2) return invalid_value;  // without a time
  *e = *all().of_event.insert(new event).first;
  ++all().events;
  return ok;
}
DRIVER int cuEventDestroy_v2(void* e) {
  BEGIN("cuEventDestroy");
  if (here() == nullptr || all().of_event.erase(e) == 0) return ++all().foreign_frees, invalid_handle;
  delete static_cast<event*>(e);
  --all().events;
  return ok;
}
DRIVER int cuEventRecord(void* e, void* s) {
  BEGIN_IN_CONTEXT("cuEventRecord");
  const std::shared_ptr<stream> on = stream_of(s);
  if (!on || !all().of_event.contains(e)) return invalid_handle;
  *static_cast<event*>(e) = {on, on->put};
  all().log.push_back("record");
  return ok;
}
DRIVER int cuEventQuery(void* e) {
  BEGIN_IN_CONTEXT("cuEventQuery");
  if (!all().of_event.contains(e)) return invalid_handle;
  const auto& [on, place] = *static_cast<event*>(e);
  return on->over >= place ? ok : not_ready;
}
DRIVER int cuEventSynchronize(void* e) {
  BEGIN_IN_CONTEXT("cuEventSynchronize");
  if (!all().of_event.contains(e)) return invalid_handle;
  const auto& [on, place] = *static_cast<event*>(e);
  on->run(place);
  return ok;
}

DRIVER int cuModuleLoadDataEx(void** m, const void* code, unsigned count, int* options, void** values) {
  BEGIN_IN_CONTEXT("cuModuleLoadDataEx");
  const auto* text = static_cast<const char*>(code);
  if (std::memcmp(text, "\177ELF", 4) != 0 && std::strstr(text, ".version") == nullptr) {
    for (unsigned k = 0; k + 1 < count; ++k)
      if (options[k] == 5 && options[k + 1] == 6)
        std::strncpy(static_cast<char*>(values[k]), "ptxas fatal   : line 1; no version\nptxas fatal   : aborted\n",
                     reinterpret_cast<std::size_t>(values[k + 1]));
    return invalid_ptx;
  }
  *m = new module{dlopen(SELVAGE_TEST_KERNELS, RTLD_NOW | RTLD_LOCAL)};
  ++all().modules;
  return ok;
}
DRIVER int cuModuleUnload(void* m) {
  BEGIN("cuModuleUnload");
  if (here() == nullptr) return ++all().foreign_frees, invalid_context;
  delete static_cast<module*>(m);
  --all().modules;
  return ok;
}
DRIVER int cuModuleGetFunction(void** f, void* m, const char* name) {
  BEGIN_IN_CONTEXT("cuModuleGetFunction");
  *f = dlsym(static_cast<module*>(m)->library, name);
  return *f != nullptr ? ok : not_found;
}
#ifndef FAKE_CUDA_OLD
DRIVER int cuFuncSetAttribute(void*, int attribute, int value) {
  BEGIN_IN_CONTEXT("cuFuncSetAttribute");
  if (attribute != 8) return invalid_value;
  all().log.push_back("shared memory " + number(static_cast<std::size_t>(value)));
  return ok;
}
#endif
DRIVER int cuLaunchKernel(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void* s, void** parameters, void** extra) {
  BEGIN_IN_CONTEXT("cuLaunchKernel");
  std::vector<char> block;
  if (parameters != nullptr || bx * by * bz > 1024) return invalid_value;
  if (extra != nullptr) {
    if (extra[0] != reinterpret_cast<void*>(1) || extra[2] != reinterpret_cast<void*>(2) || extra[4] != nullptr)
      return invalid_value;
    const auto* bytes = static_cast<const char*>(extra[1]);
    block.assign(bytes, bytes + *static_cast<std::size_t*>(extra[3]));
  }
  const std::vector<std::int64_t> end{std::int64_t{gx} * bx, std::int64_t{gy} * by, std::int64_t{gz} * bz};
  return put(s, "launch " + number(gx) + " of " + number(bx) + (shared != 0 ? " shared " + number(shared) : ""), [=] {
    const std::int64_t begin[3] = {0, 0, 0};
    reinterpret_cast<kernel>(f)(block.data(), begin, end.data());
  });
}
