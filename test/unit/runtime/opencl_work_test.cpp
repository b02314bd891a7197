// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opencl back end against a stand-in for the loader and its drivers: which calls put work on queues, in which
// order, and what is said when it fails.
#include "opencl_fixture.hpp"

#include <selvage/ir/fault.hpp>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

using namespace selvage;
using namespace selvage::test;

TEST_CASE("work on a queue runs in order, by the device's own ways, and leaves nothing behind") {
  const auto trace = [](const char* name) {
    fake().log.clear();
    bench b(name);
    b.d.fill(b.q, b.memory, 0, 16);
    b.put({3, 4});
    daxpy_block block{.y = b.memory, .x = b.memory};
    b.d.launch(b.q, b.e, {.groups = {1, 1, 1}, .group = {2, 1, 1}}, bytes_of(block));
    block.a = 1000;  // the block was copied
    backend::event* const reached = b.d.record(b.q);
    std::array<double, 2> to{};
    b.d.copy(b.q, to.data(), b.memory, 16, backend::direction::to_host);
    CHECK_FALSE(b.d.done(reached));
    b.d.synchronise(reached);
    CHECK(b.d.done(reached));
    CHECK(to[0] == 0.0);  // put on the queue after the event
    b.d.synchronise(b.q);
    CHECK(to == std::array<double, 2>{9, 12});
    b.d.release(reached);
    b.d.copy(b.q, nullptr, nullptr, 0, backend::direction::to_device);
    b.d.fill(b.q, nullptr, 1, 0);
    return fake().log;
  };
  using log = std::vector<std::string>;
  CHECK(trace("shared") == log{"program of IL", "usm device memory", "usm fill 16", "usm copy 16 there",
                               "launch 2 of 2", "marker", "usm copy 16 home", "marker"});
  const log svm{"program of IL", "coarse memory", "svm fill 16",      "svm copy 16 there",
                "launch 2 of 2", "marker",        "svm copy 16 home", "marker"};
  for (const char* name : {"fine", "coarse", "half shared", "older", "processor"}) CHECK(trace(name) == svm);
  log framed = svm;
  framed[0] = "program of framed SPIR-V";
  CHECK(trace("framed") == framed);
}

TEST_CASE("fault records: reached by the kernel, or copied around each launch") {
  const built_image image = gather_image();
  const auto trace = [&](const char* name) {
    const device d = of_runtime(name);
    const queue q(d);
    buffer<double> y(3), x(4);
    buffer<std::int64_t> index(3);
    std::ranges::fill(x.write(), 5.0);
    const argument list[] = {make_argument(y), make_argument(x), make_argument(index)};
    const codegen::compiled_kernel gather = for_opencl(compiled_gather());
    std::vector<std::vector<std::string>> logs;
    for (const std::int64_t wrong : {9, 1}) {
      std::ranges::copy(std::array<std::int64_t, 3>{0, wrong, 2}, index.write().begin());
      fake().log.clear();
      launch_compiled(gather, image.view(), q, list);
      logs.push_back(fake().log);
      if (wrong == 9)
        check_throws(error_code::out_of_bounds, {"kernel 'gather'", "index 9", "outside extent 4", "work-item (1)"},
                     [&] { q.synchronise(); });
    }
    CHECK(y.read()[1] == 5.0);  // the second launch found a clean record
    return logs;
  };
  const std::size_t allocations = fake().allocations;
  const auto has = [](const std::vector<std::string>& log, const char* what) {
    return std::ranges::count(log, std::string(what));
  };
  const auto shared = trace("shared");
  CHECK(has(shared[0], "usm host memory") == 1);
  CHECK(shared[1].back() == "launch 3 of 1");
  const auto fine = trace("fine");
  CHECK(has(fine[0], "fine memory") == 1);
  CHECK(fine[1].back() == "launch 3 of 1");
  const auto coarse = trace("coarse");
  CHECK(has(coarse[0], "fine memory") == 0);
  const std::string bytes = std::to_string(sizeof(ir::fault_record));
  const std::vector<std::string> around{"svm copy " + bytes + " there", "launch 3 of 1", "svm copy " + bytes + " home"};
  REQUIRE(coarse[1].size() >= 3);
  CHECK(std::vector<std::string>(coarse[1].end() - 3, coarse[1].end()) == around);
  CHECK(has(coarse[1], "coarse memory") == 0);  // the queue's copy is made once
  CHECK(fake().allocations == allocations);
}

TEST_CASE("failures say what was tried, with the error's name, and leave nothing behind") {
  bench b("shared");
  backend::device& d = b.d;
  const auto throws = [&](const char* function, const char* part, auto&& f) {
    const failing failure(function, -5);
    check_throws(error_code::device_failure, {"opencl: ", part, " failed: CL_OUT_OF_RESOURCES (-5)"}, f);
  };
  check_throws(error_code::out_of_memory,
               {"opencl: allocating 2097152 bytes (one allocation has 1048576 at most) failed: "
                "CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)"},
               [&] { d.allocate(1 << 21, backend::memory::device); });
  check_throws(error_code::out_of_memory, {"allocating 2097152 bytes", "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
               [&] { named("fine").allocate(1 << 21, backend::memory::device); });
  {
    const failing failure("clHostMemAllocINTEL", -5);  // an allocation that lacks resources lacks memory
    check_throws(error_code::out_of_memory, {"allocating 64 bytes", "CL_OUT_OF_RESOURCES (-5)"},
                 [&] { d.allocate(64, backend::memory::mapped); });
  }
  double x = 0;
  throws("clCreateCommandQueueWithProperties", "opening a queue", [&] { d.open_queue(); });
  throws("clEnqueueMemcpyINTEL", "copying 8 bytes to the device",
         [&] { d.copy(b.q, b.memory, &x, 8, backend::direction::to_device); });
  throws("clEnqueueMemcpyINTEL", "copying 8 bytes to the host",
         [&] { d.copy(b.q, &x, b.memory, 8, backend::direction::to_host); });
  throws("clEnqueueMemFillINTEL", "filling 8 bytes", [&] { d.fill(b.q, b.memory, 0, 8); });
  throws("clEnqueueMarkerWithWaitList", "recording an event", [&] { d.record(b.q); });
  throws("clSetKernelArgMemPointerINTEL", "setting argument 0 of a kernel, a pointer", [&] { b.launch(); });
  throws("clSetKernelArg", "setting argument 1 of a kernel", [&] { b.launch(); });
  throws("clEnqueueNDRangeKernel", "launching [2, 1, 1] work-items in groups of [2, 1, 1]", [&] { b.launch(); });
  backend::event* const e = d.record(b.q);
  throws("clGetEventInfo", "asking for an event", [&] { static_cast<void>(d.done(e)); });
  throws("clWaitForEvents", "waiting for an event", [&] { d.synchronise(e); });
  throws("clWaitForEvents", "waiting for a queue", [&] { d.synchronise(b.q); });
  throws("clEnqueueBarrierWithWaitList", "making a queue wait for an event", [&] { d.wait(b.q, e); });
  throws("clCreateKernel", "finding the entry 'daxpy' in a kernel's code", [&] { d.find(b.m, daxpy_step()); });
  check_throws(error_code::device_failure, {"finding the entry 'no_such'", "CL_INVALID_KERNEL_NAME (-46)"},
               [&] { d.find(b.m, daxpy_step("no_such")); });
  check_throws(error_code::unsupported, {"[1, 4294967296, 1] groups", "2147483647] at most"},
               [&] { d.launch(b.q, b.e, {.groups = {1, std::uint64_t{1} << 32, 1}}, {}); });
  const failing strange("clEnqueueMemFillINTEL", -9999);
  check_throws(error_code::device_failure, {"an error without a name (-9999)"}, [&] { d.fill(b.q, b.memory, 0, 8); });
  d.synchronise(b.q);
  d.release(e);
}

TEST_CASE("a kernel that fails while it runs is told by every way to wait for it") {
  const std::array<const char*, 4> ways{"done", "event", "queue", "another device's queue"};
  for (const std::string way : ways) {
    INFO(way);
    bench other("coarse");
    bench b("fine");
    b.put({1, 2});
    fake().launch_status = -5;
    b.launch();
    fake().launch_status = 0;
    backend::event* const e = b.d.record(b.q);
    const char* const name = "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST (-14)";
    const auto fails = [&](const char* what, auto&& f) { check_throws(error_code::device_failure, {what, name}, f); };
    if (way == "event") {
      fails("waiting for an event failed", [&] { b.d.synchronise(e); });
    } else if (way == "another device's queue") {
      other.d.wait(other.q, e);
      other.put({1, 2});
      fails("waiting for a queue failed", [&] { other.d.synchronise(other.q); });
      CHECK_THROWS_AS(b.d.synchronise(b.q), error);
    } else {
      fails("waiting for a queue failed", [&] { b.d.synchronise(b.q); });
      if (way == "done") fails("work on a queue failed", [&] { static_cast<void>(b.d.done(e)); });
    }
    b.d.release(e);
  }
  const device d = of_runtime("fine");
  buffer<double> x(8), r(1);
  std::ranges::fill(x.write(), 1.0);
  const argument list[] = {make_argument(r), make_argument(x)};
  const built_image image = sum_image();
  const queue q(d);
  fake().launch_status = -5;
  launch_compiled(for_opencl(compiled_sum()), image.view(), q, list);
  fake().launch_status = 0;
  check_throws(error_code::device_failure, {"CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"}, [&] { q.synchronise(); });
}

TEST_CASE("a queue waits for an event of another context, whose handle is released at once") {
  bench a("fine");
  bench b("shared");
  double home = 0;
  const std::array<double, 2> value{7, 8};
  a.put(value);
  a.d.copy(a.q, &home, a.memory, 8, backend::direction::to_host);
  backend::event* const e = a.d.record(a.q);
  b.d.wait(b.q, e);
  b.put(value);
  backend::event* const after = b.d.record(b.q);
  CHECK_FALSE(b.d.done(after));
  a.d.release(e);
  b.d.synchronise(b.q);
  CHECK(home == 7.0);
  CHECK(b.d.done(after));
  b.d.release(after);
  a.d.synchronise(a.q);
  // An event that was reached long ago, and one of the same context.
  backend::event* const old = a.d.record(a.q);
  a.d.synchronise(old);
  b.d.wait(b.q, old);
  fake().log.clear();
  backend::queue* const second = a.d.open_queue();
  a.d.wait(second, old);
  CHECK(fake().log == std::vector<std::string>{"barrier"});
  a.d.synchronise(second);
  a.d.close_queue(second);
  b.d.synchronise(b.q);
  const failing failure("clSetEventCallback", -58);
  check_throws(error_code::device_failure, {"watching another device's event failed: CL_INVALID_EVENT (-58)"},
               [&] { b.d.wait(b.q, old); });
  a.d.release(old);
}

TEST_CASE("two devices of two contexts share a buffer through the runtime") {
  const device first = of_runtime("coarse"), second = of_runtime("shared");
  buffer<double> x(8), r(1), s(1);
  std::iota(x.write().begin(), x.write().end(), 1.0);
  const built_image image = sum_image();
  const codegen::compiled_kernel sum = for_opencl(compiled_sum());
  for (const device& d : {first, second}) {
    const argument list[] = {make_argument(r), make_argument(x)};
    launch_compiled(sum, image.view(), d.default_queue(), list);
  }
  const argument again[] = {make_argument(s), make_argument(r)};
  launch_compiled(sum, image.view(), first.default_queue(), again);
  CHECK(s.read()[0] == 36.0);
  CHECK(fake().stuck == 0);
  CHECK(fake().foreign == 0);
}

TEST_CASE("threads with queues of their own, and one kernel for all") {
  bench b("coarse");
  backend::device& d = b.d;
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      backend::queue* const q = d.open_queue();
      void* const memory = d.allocate(16, backend::memory::device);
      for (int round = 0; round < 50; ++round) {
        const std::array<double, 2> from{t * 1000.0 + round, 1};
        std::array<double, 2> to{};
        d.copy(q, memory, from.data(), 16, backend::direction::to_device);
        d.launch(q, b.e, {.groups = {1, 1, 1}, .group = {2, 1, 1}}, bytes_of({.y = memory, .x = memory}));
        d.copy(q, to.data(), memory, 16, backend::direction::to_host);
        backend::event* const e = d.record(q);
        d.synchronise(e);
        d.release(e);
        if (to[0] == 3 * from[0] && to[1] == 3) ++good;
      }
      d.free(memory, backend::memory::device);
      d.close_queue(q);
    });
  for (std::thread& t : threads) t.join();
  CHECK(good == 8 * 50);
}
