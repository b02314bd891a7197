// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One device of OpenCL: memory, queues, programs, launches and events. It has a context of its own.
#include "opencl_device.hpp"

#include "../once.hpp"

#include <selvage/codegen/recipe.hpp>
#include <selvage/ir/fault.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace selvage::inline v0::backend::opencl {
namespace {

struct cl_queue {
  cl_command_queue handle = nullptr;
  void* record = nullptr;  ///< where memory is coarse: the device's copy of the fault record of the launch that runs
};

struct cl_entry {
  cl_kernel handle = nullptr;
  std::vector<codegen::argument_slot> slots;
  std::mutex mutex;  ///< arguments are the kernel's own: they are set and used by one launch at a time
};

struct cl_module {
  cl_program program = nullptr;
  std::mutex mutex;
  std::vector<std::unique_ptr<cl_entry>> entries;
};

struct cl_reached {
  cl_event handle = nullptr;
  const void* device = nullptr;  ///< whose it is
};

cl_queue& queue_of(queue* q) {
  return *reinterpret_cast<cl_queue*>(q);
}
cl_reached& event_of(event* e) {
  return *reinterpret_cast<cl_reached*>(e);
}

/// The functions of cl_intel_unified_shared_memory.
struct usm_functions {
  clDeviceMemAllocINTEL_fn device_alloc = nullptr;
  clHostMemAllocINTEL_fn host_alloc = nullptr;
  clMemFreeINTEL_fn free = nullptr;
  clEnqueueMemcpyINTEL_fn copy = nullptr;
  clEnqueueMemFillINTEL_fn fill = nullptr;
  clSetKernelArgMemPointerINTEL_fn argument = nullptr;
};

class opencl_device final : public device {
 public:
  opencl_device(const loader& cl, cl_platform_id platform, cl_device_id handle, description about, intake way,
                memory_model memory)
      : cl_(cl), platform_(platform), handle_(handle), about_(std::move(about)), way_(way), model_(memory) {}

  const description& describe() const override { return about_; }
  int suits(std::string_view target, codegen::code_format format) const override {
    if (format != codegen::code_format::spirv) return 0;
    if (target == about_.architecture) return 1000;
    return about_.architecture == "spirv64" && target == "spirv64v1.2" ? 900 : 0;
  }

  void* allocate(std::size_t bytes, memory kind) override {
    open();
    void* p = nullptr;
    cl_int result = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (model_ == memory_model::usm) {
      p = kind == memory::device ? usm_.device_alloc(context_, handle_, nullptr, bytes, 64, &result)
                                 : usm_.host_alloc(context_, nullptr, bytes, 64, &result);
      if (p == nullptr && result == CL_SUCCESS) result = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    } else if (kind == memory::mapped && model_ == memory_model::coarse) {
      if (bytes <= SIZE_MAX - 63) p = std::aligned_alloc(64, (bytes + 63) / 64 * 64);  // see launch
    } else {
      const cl_svm_mem_flags fine = kind == memory::mapped ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0;
      p = cl_.clSVMAlloc(context_, CL_MEM_READ_WRITE | fine, bytes, 64);
    }
    if (p == nullptr) {
      if (result == CL_INVALID_BUFFER_SIZE) result = CL_MEM_OBJECT_ALLOCATION_FAILURE;
      cl_.fail(result == CL_OUT_OF_RESOURCES ? error_code::out_of_memory : loader::code_of(result), result,
               fmt::format("allocating {} bytes (one allocation has {} at most)", bytes,
                           cl_.number<cl_ulong>(handle_, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 0)),
               {});
    }
    return p;
  }
  void free(void* p, memory kind) noexcept override {
    if (model_ == memory_model::usm)
      static_cast<void>(usm_.free(context_, p));
    else if (kind == memory::mapped && model_ == memory_model::coarse)
      std::free(p);
    else
      cl_.clSVMFree(context_, p);
  }

  queue* open_queue() override {
    open();
    auto q = std::make_unique<cl_queue>();
    cl_int result = CL_SUCCESS;
    q->handle = cl_.clCreateCommandQueueWithProperties(context_, handle_, nullptr, &result);
    cl_.check(result, "opening a queue");
    return reinterpret_cast<queue*>(q.release());
  }
  void close_queue(queue* on) noexcept override {
    const std::unique_ptr<cl_queue> q(&queue_of(on));
    if (q->record != nullptr) cl_.clSVMFree(context_, q->record);
    static_cast<void>(cl_.clReleaseCommandQueue(q->handle));
  }

  void copy(queue* on, void* to, const void* from, std::size_t bytes, direction way) override {
    if (bytes == 0) return;
    enqueue_copy(queue_of(on), to, from, bytes,
                 fmt::format("copying {} bytes to the {}", bytes, way == direction::to_device ? "device" : "host"));
    flush(on);
  }
  void fill(queue* on, void* to, std::uint8_t value, std::size_t bytes) override {
    if (bytes == 0) return;
    const cl_command_queue q = queue_of(on).handle;
    cl_.check(model_ == memory_model::usm ? usm_.fill(q, to, &value, 1, bytes, 0, nullptr, nullptr)
                                          : cl_.clEnqueueSVMMemFill(q, to, &value, 1, bytes, 0, nullptr, nullptr),
              "filling {} bytes", bytes);
    flush(on);
  }

  module* load(std::span<const std::byte> code, codegen::code_format format) override {
    if (format != codegen::code_format::spirv)
      throw error(error_code::unsupported,
                  fmt::format("opencl: the machine code is not SPIR-V; compile it for '{}'", about_.architecture));
    open();
    auto m = std::make_unique<cl_module>();
    m->program =
        build(cl_, context_, handle_, way_, {reinterpret_cast<const char*>(code.data()), code.size()}, about_.name);
    return reinterpret_cast<module*>(m.release());
  }
  void unload(module* loaded) noexcept override {
    const std::unique_ptr<cl_module> m(reinterpret_cast<cl_module*>(loaded));
    for (const auto& e : m->entries) static_cast<void>(cl_.clReleaseKernel(e->handle));
    static_cast<void>(cl_.clReleaseProgram(m->program));
  }
  entry* find(module* in, const codegen::step& s) override {
    auto& m = *reinterpret_cast<cl_module*>(in);
    auto e = std::make_unique<cl_entry>();
    e->slots = s.slots;
    const std::lock_guard lock(m.mutex);
    m.entries.reserve(m.entries.size() + 1);
    cl_int result = CL_SUCCESS;
    e->handle = cl_.clCreateKernel(m.program, s.entry.c_str(), &result);
    cl_.check(result, "finding the entry '{}' in a kernel's code", s.entry);
    return reinterpret_cast<entry*>(m.entries.emplace_back(std::move(e)).get());
  }

  void launch(queue* on, entry* what, const grid& over, std::span<const std::byte> block) override {
    cl_queue& q = queue_of(on);
    auto& e = *reinterpret_cast<cl_entry*>(what);
    std::array<std::size_t, 3> items{};
    std::array<std::size_t, 3> group{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (over.groups[k] > about_.maximum_grid[k])
        throw error(error_code::unsupported,
                    fmt::format("opencl: launching [{}] groups: the device takes [{}] at most",
                                fmt::join(over.groups, ", "), fmt::join(about_.maximum_grid, ", ")));
      group[k] = over.group[k];
      items[k] = over.groups[k] * over.group[k];
    }
    const std::lock_guard lock(e.mutex);
    void* record = nullptr;
    for (cl_uint k = 0; k < e.slots.size(); ++k) {
      const codegen::argument_slot& slot = e.slots[k];
      const std::byte* value = block.data() + slot.offset;
      using source = codegen::argument_slot::source;
      if (slot.from != source::pointer && slot.from != source::fault && slot.from != source::scratch) {
        cl_.check(cl_.clSetKernelArg(e.handle, k, slot.size, value), "setting argument {} of a kernel", k);
        continue;
      }
      void* p = nullptr;
      std::memcpy(&p, value, sizeof p);
      // Kernels do not reach the host's memory: the record goes to and fro on the queue, around the kernel.
      if (slot.from == source::fault && model_ == memory_model::coarse) p = device_record(q, record = p);
      cl_.check(
          model_ == memory_model::usm ? usm_.argument(e.handle, k, p) : cl_.clSetKernelArgSVMPointer(e.handle, k, p),
          "setting argument {} of a kernel, a pointer", k);
    }
    if (record != nullptr)
      enqueue_copy(q, q.record, record, sizeof(ir::fault_record), "copying a launch's fault record");
    cl_.check(
        cl_.clEnqueueNDRangeKernel(q.handle, e.handle, 3, nullptr, items.data(), group.data(), 0, nullptr, nullptr),
        "launching [{}] work-items in groups of [{}]", fmt::join(items, ", "), fmt::join(group, ", "));
    if (record != nullptr)
      enqueue_copy(q, record, q.record, sizeof(ir::fault_record), "copying a launch's fault record");
    flush(on);
  }

  event* record(queue* on) override {
    auto e = std::make_unique<cl_reached>();
    e->device = this;
    cl_.check(cl_.clEnqueueMarkerWithWaitList(queue_of(on).handle, 0, nullptr, &e->handle), "recording an event");
    flush(on);  // else it might never be reached for who only asks
    return reinterpret_cast<event*>(e.release());
  }
  void wait(queue* on, event* until) override {
    const cl_reached& e = event_of(until);
    cl_event barrier = e.handle;
    if (e.device != this) barrier = stand_in(e.handle);
    const cl_int result = cl_.clEnqueueBarrierWithWaitList(queue_of(on).handle, 1, &barrier, nullptr);
    if (e.device != this) static_cast<void>(cl_.clReleaseEvent(barrier));
    cl_.check(result, "making a queue wait for an event");
    flush(on);
  }
  bool done(event* e) override {
    cl_int status = CL_QUEUED;
    cl_.check(
        cl_.clGetEventInfo(event_of(e).handle, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        "asking for an event");
    if (status < 0) cl_.check(status, "work on a queue");
    return status == CL_COMPLETE;
  }
  void synchronise(event* e) override {
    cl_.check(cl_.clWaitForEvents(1, &event_of(e).handle), "waiting for an event");
  }
  void synchronise(queue* on) override {
    // By an event: clFinish says nothing of commands that have failed.
    event* const end = record(on);
    const cl_int result = cl_.clWaitForEvents(1, &event_of(end).handle);
    release(end);
    cl_.check(result, "waiting for a queue");
  }
  void release(event* e) noexcept override {
    const std::unique_ptr<cl_reached> owned(&event_of(e));
    static_cast<void>(cl_.clReleaseEvent(owned->handle));
  }

 private:
  /// The context is made at the first call that needs it: to be listed costs a device nothing.
  void open() {
    opened_([&] {
      if (model_ == memory_model::usm) {
        const auto find = [&](auto& function, const char* name) {
          function = reinterpret_cast<std::decay_t<decltype(function)>>(
              cl_.clGetExtensionFunctionAddressForPlatform(platform_, name));
          if (function == nullptr)
            throw error(error_code::device_failure,
                        fmt::format("opencl: the driver of '{}' lacks {}", about_.name, name));
        };
        find(usm_.device_alloc, "clDeviceMemAllocINTEL");
        find(usm_.host_alloc, "clHostMemAllocINTEL");
        find(usm_.free, "clMemFreeINTEL");
        find(usm_.copy, "clEnqueueMemcpyINTEL");
        find(usm_.fill, "clEnqueueMemFillINTEL");
        find(usm_.argument, "clSetKernelArgMemPointerINTEL");
      }
      const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                  reinterpret_cast<cl_context_properties>(platform_), 0};
      cl_int result = CL_SUCCESS;
      context_ = cl_.clCreateContext(properties, 1, &handle_, nullptr, nullptr, &result);
      cl_.check(result, "opening '{}'", about_.name);
    });
  }

  void enqueue_copy(const cl_queue& q, void* to, const void* from, std::size_t bytes, const std::string& what) {
    cl_.check(model_ == memory_model::usm
                  ? usm_.copy(q.handle, CL_FALSE, to, from, bytes, 0, nullptr, nullptr)
                  : cl_.clEnqueueSVMMemcpy(q.handle, CL_FALSE, to, from, bytes, 0, nullptr, nullptr),
              "{}", what);
  }
  void flush(queue* on) { cl_.check(cl_.clFlush(queue_of(on).handle), "starting the work on a queue"); }

  /// The queue's copy of a fault record; null for null.
  void* device_record(cl_queue& q, const void* of) {
    if (of == nullptr) return nullptr;
    if (q.record == nullptr) q.record = allocate(sizeof(ir::fault_record), memory::device);
    return q.record;
  }

  /// An event of this device's context that is reached when one of another context is.
  cl_event stand_in(cl_event other) {
    struct bridge {
      const loader& cl;
      cl_event ours;
    };
    cl_int result = CL_SUCCESS;
    cl_event ours = cl_.clCreateUserEvent(context_, &result);
    cl_.check(result, "making an event for another device's");
    cl_.clRetainEvent(ours);
    auto b = std::make_unique<bridge>(bridge{cl_, ours});
    result = cl_.clSetEventCallback(
        other, CL_COMPLETE,
        [](cl_event, cl_int status, void* data) {
          const std::unique_ptr<bridge> owned(static_cast<bridge*>(data));
          owned->cl.clSetUserEventStatus(owned->ours, status < 0 ? status : CL_COMPLETE);
          owned->cl.clReleaseEvent(owned->ours);
        },
        b.get());
    if (result != CL_SUCCESS) {
      cl_.clReleaseEvent(ours);
      cl_.clReleaseEvent(ours);
      cl_.check(result, "watching another device's event");
    }
    static_cast<void>(b.release());
    return ours;
  }

  const loader& cl_;
  cl_platform_id platform_;
  cl_device_id handle_;
  description about_;
  intake way_;
  memory_model model_;
  detail::once opened_;
  cl_context context_ = nullptr;
  usm_functions usm_;
};

}  // namespace

std::shared_ptr<device> make_device(const loader& cl, cl_platform_id platform, cl_device_id handle, description about,
                                    intake way, memory_model memory) {
  return std::make_shared<opencl_device>(cl, platform, handle, std::move(about), way, memory);
}

}  // namespace selvage::inline v0::backend::opencl
