// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test cases whose body runs on every device found, the host included; or on every GPU.
#pragma once

#include <selvage/runtime/device.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace selvage::test {

/// Those that compute, found once; SELVAGE_DEVICE does not matter. A GPU counts once for each back end that reaches it.
inline const std::vector<device>& all_devices() {
  static const std::vector<device> devices = device::all_by_every_back_end();
  return devices;
}

inline std::vector<device> all_gpus() {
  std::vector<device> gpus;
  for (const device& d : all_devices())
    if (!d.describe().shares_host_memory) gpus.push_back(d);
  return gpus;
}

/// An exception on one device is a failure there; the others still get their turn.
template <class Body>
void run_on(const std::vector<device>& devices, Body&& body) {
  for (const device& d : devices) {
    INFO("device " << d.name() << " (" << d.describe().name << ")");
    try {
      body(d);
    } catch (const std::exception& e) {
      FAIL_CHECK(std::string(e.what()));
    }
  }
}

template <class Body>
void run_on_gpus(const char* name, Body&& body) {
  const std::vector<device> gpus = all_gpus();
  if (gpus.empty()) std::printf("skipped: no device (%s)\n", name);
  run_on(gpus, body);
}

}  // namespace selvage::test

/// `DEVICE_TEST_CASE("name") { ... device ... }`: `device` is each device in turn.
#define DEVICE_TEST_CASE(name) \
  SELVAGE_DEVICE_TEST(name, selvage::test::run_on(selvage::test::all_devices(), body), DOCTEST_ANONYMOUS(device_body_))
/// The same on GPUs alone. Without one it says so and passes.
#define GPU_TEST_CASE(name) \
  SELVAGE_DEVICE_TEST(name, selvage::test::run_on_gpus(name, body), DOCTEST_ANONYMOUS(device_body_))

#define SELVAGE_DEVICE_TEST(name, run, function)       \
  static void function(const selvage::device& device); \
  TEST_CASE(name) {                                    \
    const auto body = &function;                       \
    run;                                               \
  }                                                    \
  static void function(const selvage::device& device)
