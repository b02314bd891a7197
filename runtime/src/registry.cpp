// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The back ends that there are, and the devices they have.
#include "registry.hpp"

#include "backends/back_ends.hpp"
#include "plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <optional>

namespace selvage::inline v0::detail {
namespace {

/// One row a back end, the best first.
struct back_end {
  const char* name;
  bool computes;                     ///< may be chosen without being named
  backend::provider* (*built_in)();  ///< null: a plug-in
  const char* plugin;
};

constexpr back_end back_ends[] = {
    {"offload", true, nullptr, "libselvage_offload.so"}, {"cuda", true, backend::cuda_provider, nullptr},
    {"opencl", true, backend::opencl_provider, nullptr}, {"host", true, backend::host_provider, nullptr},
    {"null", false, backend::null_provider, nullptr},
};

/// The devices of a back end, or why there are none. Found once.
struct found {
  bool looked = false;
  std::vector<std::shared_ptr<device_state>> devices;
  std::vector<std::string> left_out;  ///< of devices that are there, why they cannot be used
  std::optional<error> problem;
};

class registry {
 public:
  const found& devices_of(const back_end& b) {
    const std::lock_guard lock(mutex_);
    found& f = found_[&b - back_ends];
    if (f.looked) return f;
    f.looked = true;
    try {
      const auto make = b.built_in != nullptr
                            ? b.built_in
                            : reinterpret_cast<backend::plugin_function>(
                                  open_plugin(b.plugin, backend::plugin_symbol, fmt::format("back end '{}'", b.name)));
      backend::provider* const p = make();
      for (std::shared_ptr<backend::device>& d : p->devices()) {
        const std::size_t k = f.devices.size();
        f.devices.push_back(std::make_shared<device_state>(
            std::move(d), k == 0 ? std::string(b.name) : fmt::format("{}:{}", b.name, k), p));
      }
      f.left_out = p->left_out();
      if (f.devices.empty())
        f.problem.emplace(error_code::no_device, fmt::format("back end '{}' has no device", b.name));
    } catch (const error& e) {
      f.problem = e;
    }
    return f;
  }

 private:
  std::mutex mutex_;
  found found_[std::size(back_ends)];
};

/// Never destroyed: devices outlive every object with static storage that uses them.
registry& all() {
  static auto* const r = new registry;
  return *r;
}

std::string names() {
  std::string list;
  for (const back_end& b : back_ends) list += fmt::format("{}{}", list.empty() ? "" : ", ", b.name);
  return list;
}

}  // namespace

std::shared_ptr<device_state> device_by_name(std::string_view name, std::string_view source) {
  const std::size_t colon = name.find(':');
  const std::string_view stem = name.substr(0, colon);
  for (const back_end& b : back_ends) {
    if (stem != b.name) continue;
    std::size_t number = 0;
    if (colon != std::string_view::npos) {
      const std::string_view digits = name.substr(colon + 1);
      const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (digits.empty() || status != std::errc() || end != digits.data() + digits.size())
        throw error(
            error_code::no_device,
            fmt::format("{} is '{}'; after the colon stands a device's number, as in '{}:0'", source, name, stem));
    }
    const found& f = all().devices_of(b);
    if (f.problem) throw error(f.problem->code(), fmt::format("{} is '{}': {}", source, name, f.problem->what()));
    if (number >= f.devices.size())
      throw error(error_code::no_device,
                  fmt::format("{} is '{}', but back end '{}' has {} device{}: its numbers begin at 0", source, name,
                              stem, f.devices.size(), f.devices.size() == 1 ? "" : "s"));
    return f.devices[number];
  }
  throw error(error_code::no_device,
              fmt::format("{} is '{}', which names no back end; there are: {} (and offload:1 and so "
                          "on for further devices; selvage-info lists them)",
                          source, name, names()));
}

std::shared_ptr<device_state> default_device() {
  if (const char* name = std::getenv("SELVAGE_DEVICE"); name != nullptr && *name != '\0')
    return device_by_name(name, "SELVAGE_DEVICE");
  std::string reasons;
  for (const back_end& b : back_ends) {
    if (!b.computes) continue;
    const found& f = all().devices_of(b);
    for (const std::shared_ptr<device_state>& d : f.devices)
      if (!d->describe().is_host_processor) return d;
    if (f.problem) reasons += fmt::format("; {}", f.problem->what());
  }
  throw error(error_code::no_device, "there is no device at all" + reasons);
}

std::vector<std::shared_ptr<device_state>> all_devices(std::vector<std::string>* problems, bool by_every_back_end) {
  std::vector<std::shared_ptr<device_state>> devices;
  for (const back_end& b : back_ends) {
    if (!b.computes) continue;
    const found& f = all().devices_of(b);
    // A back end shows all devices of a kind or none, so one with the name of a better back end's is reached by that.
    const auto better = static_cast<std::ptrdiff_t>(devices.size());
    for (const std::shared_ptr<device_state>& d : f.devices) {
      const auto same = [&](const auto& other) { return other->describe().name == d->describe().name; };
      if (by_every_back_end || std::none_of(devices.begin(), devices.begin() + better, same)) devices.push_back(d);
    }
    if (problems == nullptr) continue;
    problems->insert(problems->end(), f.left_out.begin(), f.left_out.end());
    if (f.problem) problems->emplace_back(f.problem->what());
  }
  // `host` knows the processor better than another driver does.
  std::vector<std::shared_ptr<device_state>> sorted;
  for (const bool processor : {false, true})
    std::ranges::copy_if(devices, std::back_inserter(sorted),
                         [&](const auto& d) { return d->describe().is_host_processor == processor; });
  return sorted;
}

}  // namespace selvage::inline v0::detail
