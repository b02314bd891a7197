// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues and events of the stand-in for OpenCL. Work runs when somebody waits for it, so that who forgets to wait sees
// old data; it runs only once it is flushed.
#include "fake_opencl_objects.hpp"

#include <algorithm>
#include <span>

namespace {

void complete(cl_event e, cl_int status) {
  e->status = status;
  for (const auto& [function, data] : std::exchange(e->callbacks, {})) function(e, status, data);
}
void let_go(cl_event e) {
  if (--e->references == 0) drop(e, all().events, CL_INVALID_EVENT);
}

bool reach(cl_event e);

/// Runs a queue's first command; false if it can never run.
bool run_first(cl_command_queue q) {
  if (q->flushed == 0) return false;
  for (cl_event e : std::vector<cl_event>(q->work.front().after))
    if (!reach(e)) return false;
  command next = std::move(q->work.front());
  q->work.pop_front();
  --q->flushed;
  const bool failed =
      q->lost || std::any_of(next.after.begin(), next.after.end(), [](cl_event e) { return e->status < 0; });
  const cl_int status = failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : next.work();
  q->lost = status < 0;
  complete(next.done, status < 0 ? status : CL_COMPLETE);
  for (cl_event e : next.after) let_go(e);
  let_go(next.done);
  return true;
}

/// Runs what must run before the event is reached; false if it can never be.
bool reach(cl_event e) {
  ++e->references;
  while (e->status > 0) {
    bool moved = false;
    if (e->queue != nullptr) {
      moved = run_first(e->queue);
    } else {
      // Somebody sets it when an event that he watches is reached.
      for (cl_command_queue q : all().of_queue) {
        const auto watched = std::ranges::find_if(q->work, [](const command& c) { return !c.done->callbacks.empty(); });
        if (watched == q->work.end()) continue;
        moved = reach(watched->done);
        break;
      }
    }
    if (!moved) break;
  }
  const bool reached = e->status <= 0;
  let_go(e);
  return reached;
}

/// Puts work on a queue.
cl_int put(cl_command_queue q, const std::string& text, cl_uint count, const cl_event* after, cl_event* done,
           std::function<cl_int()> work) {
  if (!alive(q)) return CL_INVALID_COMMAND_QUEUE;
  for (cl_event e : std::span(after, count)) {
    if (!alive(e)) return CL_INVALID_EVENT_WAIT_LIST;
    if (e->context != q->context) return CL_INVALID_CONTEXT;
  }
  command c{make<_cl_event>(all().events, q->context, q), {after, after + count}, std::move(work)};
  for (cl_event e : c.after) ++e->references;
  if (done != nullptr) ++c.done->references, *done = c.done;
  all().log.push_back(text);
  q->work.push_back(std::move(c));
  return CL_SUCCESS;
}

std::string number(std::size_t n) {
  return std::to_string(n);
}

}  // namespace

cl_int copy(cl_command_queue q, void* to, const void* from, std::size_t bytes, bool svm) {
  if (to == nullptr || from == nullptr) return CL_INVALID_VALUE;
  if (!reaches(q->context, to, bytes, svm) || !reaches(q->context, from, bytes, svm)) return CL_INVALID_VALUE;
  const char* const way = allocation(to) == nullptr ? " home" : allocation(from) == nullptr ? " there" : "";
  return put(q, (svm ? "svm copy " : "usm copy ") + number(bytes) + way, 0, nullptr, nullptr, [=] {
    std::memcpy(to, from, bytes);
    return CL_SUCCESS;
  });
}
cl_int fill(cl_command_queue q, void* to, const void* pattern, std::size_t size, std::size_t bytes, bool svm) {
  if (size != 1 || allocation(to) == nullptr || !reaches(q->context, to, bytes, svm)) return CL_INVALID_VALUE;
  const char value = *static_cast<const char*>(pattern);
  return put(q, (svm ? "svm fill " : "usm fill ") + number(bytes), 0, nullptr, nullptr, [=] {
    std::memset(to, value, bytes);
    return CL_SUCCESS;
  });
}
DRIVER cl_command_queue clCreateCommandQueueWithProperties(cl_context c, cl_device_id d,
                                                           const cl_queue_properties* properties, cl_int* result) {
  BEGIN_NULL("clCreateCommandQueueWithProperties", result);
  if (!alive(c) || c->device != d) return *result = CL_INVALID_DEVICE, nullptr;
  if (properties != nullptr && properties[0] != 0) return *result = CL_INVALID_QUEUE_PROPERTIES, nullptr;  // in order
  return *all().of_queue.insert(make<_cl_command_queue>(all().queues, c)).first;
}
DRIVER cl_int clReleaseCommandQueue(cl_command_queue q) {
  BEGIN("clReleaseCommandQueue");
  if (alive(q) && !q->work.empty()) ++all().stuck;  // nobody waited for it
  all().of_queue.erase(q);
  return drop(q, all().queues, CL_INVALID_COMMAND_QUEUE);
}
DRIVER cl_int clFlush(cl_command_queue q) {
  BEGIN("clFlush");
  if (!alive(q)) return CL_INVALID_COMMAND_QUEUE;
  q->flushed = q->work.size();
  return CL_SUCCESS;
}

DRIVER cl_int clEnqueueSVMMemcpy(cl_command_queue q, cl_bool wait, void* to, const void* from, size_t bytes, cl_uint,
                                 const cl_event*, cl_event*) {
  BEGIN("clEnqueueSVMMemcpy");
  return wait == CL_FALSE ? copy(q, to, from, bytes, true) : CL_INVALID_VALUE;
}
DRIVER cl_int clEnqueueSVMMemFill(cl_command_queue q, void* to, const void* pattern, size_t size, size_t bytes, cl_uint,
                                  const cl_event*, cl_event*) {
  BEGIN("clEnqueueSVMMemFill");
  return fill(q, to, pattern, size, bytes, true);
}

DRIVER cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dimensions, const size_t* offset,
                                     const size_t* items, const size_t* group, cl_uint, const cl_event*, cl_event*) {
  BEGIN("clEnqueueNDRangeKernel");
  if (!alive(q) || q->context != k->program->context) return CL_INVALID_CONTEXT;
  if (dimensions != 3 || offset != nullptr) return CL_INVALID_WORK_DIMENSION;
  if (group[0] * group[1] * group[2] > facts(q->context->device).group) return CL_INVALID_WORK_GROUP_SIZE;
  for (std::size_t d = 0; d < 3; ++d)
    if (items[d] == 0 || items[d] % group[d] != 0) return CL_INVALID_GLOBAL_WORK_SIZE;
  std::vector<char> block;  // as kernels.cpp reads it: each field aligned to its size
  for (cl_uint index = 0; index < k->arguments.size(); ++index) {
    const auto found = k->arguments.find(index);
    if (found == k->arguments.end()) return CL_INVALID_KERNEL_ARGS;
    const std::size_t size = found->second.size();
    block.resize((block.size() + size - 1) / size * size);
    block.insert(block.end(), found->second.begin(), found->second.end());
  }
  const std::vector<std::int64_t> end(items, items + 3);
  const cl_int status = all().launch_status;
  return put(q, "launch " + number(items[0]) + " of " + number(group[0]), 0, nullptr, nullptr, [=, entry = k->entry] {
    const std::int64_t begin[3] = {0, 0, 0};
    if (status == CL_SUCCESS) entry(block.data(), begin, end.data());
    return status;
  });
}

DRIVER cl_int clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint count, const cl_event* after, cl_event* done) {
  BEGIN("clEnqueueMarkerWithWaitList");
  return put(q, "marker", count, after, done, [] { return CL_SUCCESS; });
}
DRIVER cl_int clEnqueueBarrierWithWaitList(cl_command_queue q, cl_uint count, const cl_event* after, cl_event* done) {
  BEGIN("clEnqueueBarrierWithWaitList");
  return put(q, "barrier", count, after, done, [] { return CL_SUCCESS; });
}
DRIVER cl_event clCreateUserEvent(cl_context c, cl_int* result) {
  BEGIN_NULL("clCreateUserEvent", result);
  cl_event const e = make<_cl_event>(all().events, c, nullptr);
  e->status = CL_SUBMITTED;
  return e;
}
DRIVER cl_int clSetUserEventStatus(cl_event e, cl_int status) {
  BEGIN("clSetUserEventStatus");
  if (!alive(e) || e->queue != nullptr || e->status <= 0) return ++all().foreign, CL_INVALID_OPERATION;
  complete(e, status);
  return CL_SUCCESS;
}
DRIVER cl_int clSetEventCallback(cl_event e, cl_int when, callback function, void* data) {
  BEGIN("clSetEventCallback");
  if (!alive(e)) return CL_INVALID_EVENT;
  if (when != CL_COMPLETE) return CL_INVALID_VALUE;
  e->callbacks.emplace_back(function, data);
  if (e->status <= 0) complete(e, e->status);
  return CL_SUCCESS;
}
DRIVER cl_int clGetEventInfo(cl_event e, cl_event_info what, size_t room, void* to, size_t* size) {
  BEGIN("clGetEventInfo");
  if (!alive(e)) return CL_INVALID_EVENT;
  return what == CL_EVENT_COMMAND_EXECUTION_STATUS ? give(e->status, room, to, size) : CL_INVALID_VALUE;
}
DRIVER cl_int clWaitForEvents(cl_uint count, const cl_event* events) {
  BEGIN("clWaitForEvents");
  for (cl_event e : std::span(events, count)) {
    if (!alive(e)) return CL_INVALID_EVENT;
    if (!reach(e)) return ++all().stuck, CL_INVALID_OPERATION;
    if (e->status < 0) return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  return CL_SUCCESS;
}
DRIVER cl_int clRetainEvent(cl_event e) {
  BEGIN("clRetainEvent");
  if (!alive(e)) return ++all().foreign, CL_INVALID_EVENT;
  ++e->references;
  return CL_SUCCESS;
}
DRIVER cl_int clReleaseEvent(cl_event e) {
  BEGIN("clReleaseEvent");
  if (!alive(e)) return ++all().foreign, CL_INVALID_EVENT;
  let_go(e);
  return CL_SUCCESS;
}
