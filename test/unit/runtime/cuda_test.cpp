// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cuda back end against a stand-in for NVIDIA's driver: which calls it makes, in which order and context, and what
// it says when one fails.
#include "backends/back_ends.hpp"
#include "check.hpp"
#include "compiled.hpp"
#include "device_state.hpp"
#include "fake_cuda.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>

using namespace selvage;
using namespace selvage::test;

namespace {

/// Opened before the runtime looks for a driver: dlopen then finds this one by its name.
void* const library = dlopen(SELVAGE_TEST_CUDA, RTLD_NOW | RTLD_LOCAL);

fake_cuda& fake() {
  static fake_cuda& f = *reinterpret_cast<fake_cuda_function>(dlsym(library, "selvage_fake_cuda"))();
  return f;
}

template <class... Arguments>
int call(const char* name, Arguments... arguments) {
  return reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name))(arguments...);
}

/// For a scope, a function of the driver fails.
struct failing {
  failing(const char* function, int code) : name(function) { fake().failures[name] = code; }
  ~failing() { fake().failures.erase(name); }
  std::string name;
};

backend::device& first() {
  return device("cuda").state()->back_end();
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* p = reinterpret_cast<const std::byte*>(text.data());
  return {p, p + text.size()};
}

const std::vector<std::byte> ptx = bytes_of(std::string_view(".version 8.8\0", 13));

codegen::step entry_named(const char* name) {
  codegen::step s;
  s.entry = name;
  return s;
}

std::vector<std::string> names(const std::vector<device>& devices) {
  std::vector<std::string> list;
  for (const device& d : devices) list.push_back(d.name());
  return list;
}

}  // namespace

TEST_CASE("devices are described without making a context") {
  REQUIRE(library != nullptr);
  const std::size_t contexts = fake().contexts;
  const auto devices = backend::cuda_provider()->devices();
  REQUIRE(devices.size() == 2);
  const backend::description& d = devices[1]->describe();
  CHECK(d.name == "Fake GPU");
  CHECK(d.architecture == "sm_90");
  CHECK(d.driver == "CUDA 12.8");
  CHECK(d.memory_bytes == std::uint64_t{1} << 20);
  CHECK(d.compute_units == 132);
  CHECK(d.maximum_group == 1024);
  CHECK(d.maximum_grid == std::array<std::uint64_t, 3>{2147483647, 65535, 65534});
  CHECK(d.float64);
  CHECK(d.fast_in_32_bits);
  CHECK_FALSE(d.shares_host_memory);
  CHECK(fake().contexts == contexts);
  backend::queue* const q = devices[1]->open_queue();
  devices[1]->close_queue(q);
  CHECK(fake().contexts == contexts + 1);
}

TEST_CASE("why there is no device") {
  backend::provider& cuda = *backend::cuda_provider();
  {
    const failing f("cuInit", 100);
    check_throws(error_code::no_device, {"starting NVIDIA's driver failed", "CUDA_ERROR_NO_DEVICE", "visible"},
                 [&] { cuda.devices(); });
  }
  {
    const failing f("cuInit", 12345);
    check_throws(error_code::no_device, {"an error without a name: no reason given (the driver's code 12345)"},
                 [&] { cuda.devices(); });
  }
  fake().devices = 0;
  check_throws(error_code::no_device, {"NVIDIA's driver is here, but it shows no GPU"}, [&] { cuda.devices(); });
  fake().devices = 2;
  const failing f("cuDeviceGetAttribute", 1);
  check_throws(error_code::device_failure, {"asking for attribute 75 of 'Fake GPU' failed", "CUDA_ERROR_INVALID_VALUE"},
               [&] { cuda.devices(); });
}

TEST_CASE("both back ends reach the GPUs: each once in all(), each by its name") {
  unsetenv("SELVAGE_DEVICE");
  CHECK(names(device::all()) == std::vector<std::string>{"offload", "offload:1", "host"});
  CHECK(names(device::all_by_every_back_end()) ==
        std::vector<std::string>{"offload", "offload:1", "cuda", "cuda:1", "host"});
  CHECK(device().name() == "offload");
  for (const char* name : {"cuda", "cuda:1", "offload", "offload:1"}) {
    setenv("SELVAGE_DEVICE", name, 1);
    CHECK(device().name() == name);
  }
  unsetenv("SELVAGE_DEVICE");
  check_throws(error_code::no_device, {"back end 'cuda' has 2 devices"}, [] { device d("cuda:2"); });
}

TEST_CASE("work on a queue runs in order, and only the context of the device is used") {
  backend::device& d = first();
  const std::size_t allocations = fake().allocations, streams = fake().streams, events = fake().events;
  const std::size_t modules = fake().modules, wrong = fake().foreign_frees;
  void* const memory = d.allocate(16, backend::memory::device);
  void* const mapped = d.allocate(16, backend::memory::mapped);
  std::memset(mapped, 1, 16);
  backend::queue* const q = d.open_queue();
  fake().log.clear();
  const std::array<double, 2> from{3, 4};
  std::array<double, 2> to{};
  d.fill(q, memory, 0, 16);
  d.copy(q, memory, from.data(), 16, backend::direction::to_device);
  backend::module* const m = d.load(ptx, codegen::code_format::ptx);
  backend::entry* const e = d.find(m, entry_named("daxpy"));
  struct {
    void* y;
    std::int64_t y_extent = 2, y_stride = 1;
    void* x;
    std::int64_t x_extent = 2, x_stride = 1;
    double a = 2;
  } block{.y = memory, .x = memory};
  d.launch(q, e, {.groups = {1, 1, 1}, .group = {2, 1, 1}, .shared_bytes = 1024}, std::as_bytes(std::span(&block, 1)));
  block.a = 1000;  // the block was copied
  backend::event* const reached = d.record(q);
  d.copy(q, to.data(), memory, 16, backend::direction::to_host);
  CHECK_FALSE(d.done(reached));
  d.synchronise(reached);
  CHECK(d.done(reached));
  CHECK(to[0] == 0.0);  // put on the queue after the event
  d.synchronise(q);
  CHECK(to == std::array<double, 2>{9, 12});
  d.copy(q, nullptr, nullptr, 0, backend::direction::to_device);
  d.fill(q, nullptr, 1, 0);
  CHECK(fake().log ==
        std::vector<std::string>{"fill 16", "to device 16", "launch 1 of 2 shared 1024", "record", "to host 16"});
  d.release(reached);
  d.unload(m);
  d.close_queue(q);
  d.free(memory, backend::memory::device);
  d.free(mapped, backend::memory::mapped);
  CHECK(fake().allocations == allocations);
  CHECK(fake().streams == streams);
  CHECK(fake().events == events);
  CHECK(fake().modules == modules);
  CHECK(fake().foreign_frees == wrong);
}

TEST_CASE("the thread's own context comes back, after failures too") {
  backend::device& d = first();
  backend::device& other = device("cuda:1").state()->back_end();
  void* mine = nullptr;
  REQUIRE(call("cuDevicePrimaryCtxRetain", &mine, 1) == 0);
  REQUIRE(call("cuCtxPushCurrent_v2", mine) == 0);
  const auto now = [] {
    void* c = nullptr;
    call("cuCtxGetCurrent", &c);
    return c;
  };
  void* const memory = d.allocate(64, backend::memory::device);
  CHECK(now() == mine);
  void* const elsewhere = other.allocate(64, backend::memory::device);
  CHECK(now() == mine);
  CHECK_THROWS_AS(d.allocate(1 << 21, backend::memory::device), error);
  CHECK(now() == mine);
  d.free(memory, backend::memory::device);
  other.free(elsewhere, backend::memory::device);
  CHECK(now() == mine);
  void* last = nullptr;
  CHECK(call("cuCtxPopCurrent_v2", &last) == 0);
  CHECK(now() == nullptr);
}

TEST_CASE("a queue waits for an event of another device, whose handle is released at once") {
  backend::device& a = first();
  backend::device& b = device("cuda:1").state()->back_end();
  backend::queue* const qa = a.open_queue();
  backend::queue* const qb = b.open_queue();
  void* const memory = a.allocate(8, backend::memory::device);
  double home = 0;
  const double value = 7;
  a.copy(qa, memory, &value, 8, backend::direction::to_device);
  a.copy(qa, &home, memory, 8, backend::direction::to_host);
  backend::event* const e = a.record(qa);
  b.wait(qb, e);
  a.release(e);
  b.synchronise(qb);
  CHECK(home == 7.0);
  a.synchronise(qa);
  a.free(memory, backend::memory::device);
  a.close_queue(qa);
  b.close_queue(qb);
}

TEST_CASE("failures say what was tried, with the driver's name and text, and leave nothing behind") {
  backend::device& d = first();
  backend::queue* const q = d.open_queue();
  check_throws(error_code::out_of_memory,
               {"cuda: allocating 2097152 bytes failed: CUDA_ERROR_OUT_OF_MEMORY: out of memory (the driver's code 2)"},
               [&] { d.allocate(1 << 21, backend::memory::device); });
  const auto throws = [&](const char* function, std::initializer_list<const char*> parts, auto&& f) {
    const failing failure(function, 700);
    check_throws(error_code::device_failure, {"CUDA_ERROR_ILLEGAL_ADDRESS: the text of the driver"}, f);
    check_throws(error_code::device_failure, parts, f);
  };
  void* const memory = d.allocate(8, backend::memory::device);
  double x = 0;
  throws("cuMemHostAlloc", {"allocating 64 bytes of the host's memory"},
         [&] { d.allocate(64, backend::memory::mapped); });
  throws("cuStreamCreate", {"opening a queue"}, [&] { d.open_queue(); });
  throws("cuMemcpyHtoDAsync", {"copying 8 bytes to the device"},
         [&] { d.copy(q, memory, &x, 8, backend::direction::to_device); });
  throws("cuMemcpyDtoHAsync", {"copying 8 bytes to the host"},
         [&] { d.copy(q, &x, memory, 8, backend::direction::to_host); });
  throws("cuMemsetD8Async", {"filling 8 bytes"}, [&] { d.fill(q, memory, 0, 8); });
  throws("cuStreamSynchronize", {"waiting for a queue"}, [&] { d.synchronise(q); });
  throws("cuCtxPushCurrent", {"entering a context"}, [&] { d.synchronise(q); });
  throws("cuEventCreate", {"making an event"}, [&] { d.record(q); });
  const std::size_t events = fake().events;
  throws("cuEventRecord", {"recording an event"}, [&] { d.record(q); });
  CHECK(fake().events == events);
  backend::event* const e = d.record(q);
  throws("cuEventQuery", {"asking for an event"}, [&] { static_cast<void>(d.done(e)); });
  throws("cuEventSynchronize", {"waiting for an event"}, [&] { d.synchronise(e); });
  throws("cuStreamWaitEvent", {"making a queue wait"}, [&] { d.wait(q, e); });
  backend::module* const m = d.load(ptx, codegen::code_format::ptx);
  check_throws(error_code::device_failure, {"finding the entry 'no_such'", "CUDA_ERROR_NOT_FOUND"},
               [&] { d.find(m, entry_named("no_such")); });
  backend::entry* const k = d.find(m, entry_named("daxpy"));
  throws("cuLaunchKernel", {"launching [3, 2, 1] groups of [4, 1, 1] work-items"},
         [&] { d.launch(q, k, {.groups = {3, 2, 1}, .group = {4, 1, 1}}, {}); });
  const backend::grid large{.groups = {1, std::uint64_t{1} << 32, 1}};
  check_throws(error_code::unsupported, {"[1, 4294967296, 1] groups", "[2147483647, 65535, 65534] groups at most"},
               [&] { d.launch(q, k, large, {}); });
  const backend::grid much{.shared_bytes = 100000};
  throws("cuFuncSetAttribute", {"100000 bytes of shared memory"}, [&] { d.launch(q, k, much, {}); });
  d.release(e);
  d.unload(m);
  d.close_queue(q);
  d.free(memory, backend::memory::device);
  const failing failure("cuDevicePrimaryCtxRetain", 2);
  const auto fresh = backend::cuda_provider()->devices();
  check_throws(error_code::out_of_memory, {"opening 'Fake GPU' failed"}, [&] { fresh[0]->open_queue(); });
  fake().failures.clear();
  backend::queue* const later = fresh[0]->open_queue();  // a failure is not kept
  fresh[0]->close_queue(later);
}

TEST_CASE("which code suits an sm_90: its own machine code best, then PTX, none of others") {
  backend::device& d = first();
  using enum codegen::code_format;
  CHECK(d.suits("sm_90", cubin) == 1000);
  CHECK(d.suits("sm_90", cubin) > d.suits("sm_90", ptx));
  CHECK(d.suits("sm_90", ptx) > d.suits("sm_80", ptx));
  CHECK(d.suits("sm_80", ptx) > d.suits("ptx", ptx));
  CHECK(d.suits("ptx", ptx) > 0);
  CHECK(d.suits("sm_80", cubin) == 0);
  CHECK(d.suits("sm_100", ptx) == 0);
  CHECK(d.suits("sm_90", shared_object) == 0);
  CHECK(d.suits("x86-64-v3", shared_object) == 0);
}

TEST_CASE("code that is not for the device is refused, with the log of the driver's compiler") {
  backend::device& d = first();
  const auto refuses = [&](error_code code, std::string_view text, codegen::code_format format,
                           std::initializer_list<const char*> parts) {
    check_throws(code, parts, [&] { d.load(bytes_of(text), format); });
  };
  using enum codegen::code_format;
  refuses(error_code::unsupported, "\177ELF", shared_object, {"not NVIDIA's", "'sm_90'"});
  refuses(error_code::invalid_file, ".version 8.8", ptx, {"zero byte"});
  refuses(error_code::invalid_file, "", ptx, {"zero byte"});
  refuses(error_code::invalid_file, std::string(100, 'x'), cubin, {"not an ELF file"});
  refuses(error_code::invalid_file, "\177ELF", cubin, {"not an ELF file"});
  refuses(error_code::device_failure, std::string_view("ret;\0", 5), ptx,
          {"loading a kernel's code for sm_90 failed: CUDA_ERROR_INVALID_PTX",
           "its log: ptxas fatal   : line 1; no version ptxas fatal   : aborted"});
  const failing failure("cuModuleLoadDataEx", 209);
  refuses(error_code::unsupported, "\177ELF" + std::string(60, ' '), cubin, {"CUDA_ERROR_NO_BINARY_FOR_GPU"});
}

TEST_CASE("more shared memory than 48 KiB is asked for before the launch") {
  backend::device& d = first();
  backend::queue* const q = d.open_queue();
  backend::module* const m = d.load(ptx, codegen::code_format::ptx);
  backend::entry* const k = d.find(m, entry_named("iota"));
  void* const memory = d.allocate(8, backend::memory::device);
  const std::array<std::int64_t, 3> block{reinterpret_cast<std::int64_t>(memory), 1, 1};
  fake().log.clear();
  for (const std::uint32_t bytes : {49152U, 49153U})
    d.launch(q, k, {.shared_bytes = bytes}, std::as_bytes(std::span(block)));
  CHECK(fake().log ==
        std::vector<std::string>{"launch 1 of 1 shared 49152", "shared memory 49153", "launch 1 of 1 shared 49153"});
  d.synchronise(q);
  d.unload(m);
  d.close_queue(q);
  d.free(memory, backend::memory::device);
}

TEST_CASE("threads that never saw the driver, each with a queue of its own") {
  backend::device& d = first();
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      backend::queue* const q = d.open_queue();
      for (int round = 0; round < 50; ++round) {
        void* const memory = d.allocate(8, backend::memory::device);
        const double from = t * 1000 + round;
        double to = -1;
        d.copy(q, memory, &from, 8, backend::direction::to_device);
        d.copy(q, &to, memory, 8, backend::direction::to_host);
        backend::event* const e = d.record(q);
        d.synchronise(e);
        d.release(e);
        d.free(memory, backend::memory::device);
        if (to == from) ++good;
      }
      d.close_queue(q);
    });
  for (std::thread& t : threads) t.join();
  CHECK(good == 8 * 50);
}

TEST_CASE("a compiled kernel with scratch memory, through buffers") {
  const device d("cuda");
  codegen::compiled_kernel sum = compiled_sum();
  sum.format = codegen::code_format::cubin;
  buffer<double> x(1000), r(1);
  std::iota(x.write().begin(), x.write().end(), 1.0);
  const argument list[] = {make_argument(r), make_argument(x)};
  const built_image image = sum_image();
  fake().log.clear();
  launch_compiled(sum, image.view(), d.default_queue(), list);
  CHECK(r.read()[0] == 500500.0);
  CHECK(fake().log ==
        std::vector<std::string>{"to device 8000", "fill 1000", "launch 125 of 1", "launch 1 of 1", "to host 8"});
}

TEST_CASE("a fault record is host memory that the kernel writes") {
  const device d("cuda");
  const built_image image = gather_image();
  buffer<double> y(3), x(4);
  buffer<std::int64_t> index(3);
  std::ranges::fill(x.write(), 5.0);
  std::ranges::copy(std::array<std::int64_t, 3>{0, 9, 2}, index.write().begin());
  const argument list[] = {make_argument(y), make_argument(x), make_argument(index)};
  codegen::compiled_kernel gather = compiled_gather();
  gather.format = codegen::code_format::cubin;
  launch_compiled(gather, image.view(), d.default_queue(), list);
  check_throws(error_code::out_of_bounds, {"kernel 'gather'", "index 9", "outside extent 4", "work-item (1)"},
               [&] { d.synchronise(); });
}
