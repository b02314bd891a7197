// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which devices there are, and how one is chosen.
#include "check.hpp"
#include "images.hpp"
#include "test_device.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace selvage;
using namespace selvage::test;

namespace {

/// Sets an environment variable for a scope.
class environment {
 public:
  environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, had_ = true;
    setenv(name, value, 1);
  }
  ~environment() {
    if (had_)
      setenv(name_, old_.c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

}  // namespace

TEST_CASE("the host is always there, and the null device only if it is asked for") {
  std::vector<std::string> problems;
  const std::vector<device> all = device::all(&problems);
  REQUIRE_FALSE(all.empty());
  // Behind it are other drivers of its processor alone.
  const auto host_itself = std::ranges::find(all, device("host"));
  REQUIRE(host_itself != all.end());
  CHECK(std::all_of(host_itself + 1, all.end(), [](const device& d) { return d.describe().is_host_processor; }));
  CHECK(std::none_of(all.begin(), host_itself, [](const device& d) { return d.describe().is_host_processor; }));
  CHECK(std::ranges::none_of(all, [](const device& d) { return d.name() == "null"; }));
  const backend::description& host = device("host").describe();
  CHECK(host.architecture == "host");
  CHECK(host.shares_host_memory);
  CHECK(host.compute_units >= 1);
  CHECK(host.memory_bytes > 0);
  CHECK(device("null").name() == "null");
}

TEST_CASE("SELVAGE_DEVICE chooses, and a wrong one is said clearly") {
  {
    const environment e("SELVAGE_DEVICE", "null");
    CHECK(device().name() == "null");
  }
  {
    const environment e("SELVAGE_DEVICE", "host:0");
    CHECK(device() == device("host"));
  }
  const auto wrong = [](const char* value, std::initializer_list<const char*> parts) {
    const environment e("SELVAGE_DEVICE", value);
    check_throws(error_code::no_device, parts, [] { device d; });
  };
  wrong("gpu", {"SELVAGE_DEVICE is 'gpu'", "offload, cuda, opencl, host, null", "selvage-info"});
  wrong("host:1", {"SELVAGE_DEVICE is 'host:1'", "has 1 device"});
  wrong("host:", {"'host:'", "a device's number"});
  wrong("host:0x", {"'host:0x'", "a device's number"});
  check_throws(error_code::no_device, {"the device's name is 'tpu'"}, [] { device d("tpu"); });
}

TEST_CASE("a queue and a device of the caller's own back end") {
  const device d = device::own(std::make_shared<test_device>(), "mine");
  CHECK(d.name() == "mine");
  CHECK(d.default_queue() == d.default_queue());
  CHECK_FALSE(queue(d) == d.default_queue());
  CHECK(queue(d).device() == d);
  CHECK_FALSE(d == device("host"));
}

TEST_CASE("SELVAGE_DUMP writes image, LLVM IR and assembly of each kernel that is compiled") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "selvage-dump-test";
  std::filesystem::remove_all(folder);
  const device d = device::own(std::make_shared<test_device>(), "test");
  test_kernel daxpy(daxpy_image());
  buffer<double> x(3), y(3);
  std::ranges::fill(x.write(), 1.0);
  std::ranges::fill(y.write(), 1.0);
  {
    const environment e("SELVAGE_DUMP", folder.c_str());
    daxpy(d, y, x, 1.0);
    daxpy(d, y, x, 1.0);
  }
  d.synchronise();
  std::vector<std::string> names;
  for (const auto& f : std::filesystem::directory_iterator(folder)) names.push_back(f.path().filename().string());
  std::ranges::sort(names);
  REQUIRE(names.size() == 3);
  for (const std::string& name : names) CHECK(name.starts_with("daxpy-"));
  CHECK(std::ranges::count_if(names, [](const std::string& s) { return s.ends_with(".image"); }) == 1);
  CHECK(std::ranges::count_if(names, [](const std::string& s) { return s.ends_with("-host-contiguous.ll"); }) == 1);
  CHECK(std::ranges::count_if(names, [](const std::string& s) { return s.ends_with("-host-contiguous.s"); }) == 1);
  for (const auto& f : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(f.path());
    std::string first;
    std::getline(file, first);
    INFO(f.path().filename().string() << ": " << first);
    CHECK(first.find("daxpy") != std::string::npos);
  }
  std::filesystem::remove_all(folder);
  const environment e("SELVAGE_DUMP", "/proc/no-such-folder");
  check_throws(error_code::invalid_argument, {"SELVAGE_DUMP", "/proc/no-such-folder"}, [&] {
    test_kernel fill(fill_image());
    fill(d, y, 1.0);
  });
}
