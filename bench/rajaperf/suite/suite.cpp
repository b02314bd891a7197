// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of results, its CSV file, and the list of what is wrong.
#include "suite.hpp"

#include "checks.hpp"
#include "registry.hpp"

#include <fmt/core.h>
#include <fmt/os.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace rajaperf {
namespace {

bool chosen(const options& o, std::string_view name) {
  const std::string_view group = name.substr(0, name.find('_'));
  return std::ranges::any_of(o.kernels, [&](const auto& k) { return k == "all" || k == group || k == name; });
}

/// A chosen name that is neither in the suite nor among the known checksums is a mistake.
std::string unknown_name(const options& o, const std::vector<std::string>& known) {
  for (const std::string& k : o.kernels) {
    const auto fits = [&](std::string_view name) { return k == "all" || k == name || name.starts_with(k + "_"); };
    if (std::ranges::none_of(kernels(), fits, &entry::name) && std::ranges::none_of(known, fits)) return k;
  }
  return {};
}

/// Runs kernels and collects what is wrong with them.
class suite {
 public:
  explicit suite(const options& o)
      : options_(o), device_(o.device.empty() ? selvage::device() : selvage::device(o.device)) {
    if (!o.known.empty()) known_.emplace(o.known);
    if (const std::string name = unknown_name(o, known_ ? known_->kernels() : std::vector<std::string>());
        !name.empty())
      throw std::runtime_error(fmt::format("no kernel or group '{}': see --list", name));
    if (!o.csv.empty()) {
      csv_.emplace(fmt::output_file(o.csv));
      csv_->print("kernel,device,size,reps,checksum,seconds_per_rep,bytes_per_rep,flops_per_rep\n");
    }
  }

  /// True if all is right.
  bool run() {
    fmt::print("{:<32} {:>9} {:>5} {:>25} {:>12} {:>9} {:>9}\n", "kernel on " + device_.name(), "size", "reps",
               "checksum", "us a rep", "GB/s", "GFLOP/s");
    for (const std::int64_t size : options_.sizes)
      for (const int reps : options_.reps)
        for (const entry& e : kernels())
          if (chosen(options_, e.name)) run(e, size, reps);
    if (known_)
      for (const std::string& name : known_->kernels())
        if (chosen(options_, name) && std::ranges::find(kernels(), name, &entry::name) == kernels().end())
          fmt::print("missing: {}\n", name);
    for (const std::string& f : failures_) fmt::print("FAILED: {}\n", f);
    fmt::print("{} runs, {} comparisons, {} failures\n", runs_, comparisons_, failures_.size());
    return failures_.empty();
  }

 private:
  outcome one(const entry& e, std::int64_t size, int reps, implementation which) const {
    trial t(device_, size, reps, which);
    e.run(t);
    return t.result();
  }

  void run(const entry& e, std::int64_t size, int reps) try {
    ++runs_;
    if (csv_) one(e, size, 1, implementation::selvage);  // compiles the kernels, ahead of the clock
    const outcome o = one(e, size, reps, implementation::selvage);
    fmt::print("{:<32} {:>9} {:>5} {:>25.17Lg} {:>12.3f} {:>9.3f} {:>9.3f}\n", e.name, size, reps, o.checksum,
               o.seconds * 1e6, static_cast<double>(o.bytes) / o.seconds * 1e-9,
               static_cast<double>(o.flops) / o.seconds * 1e-9);
    if (csv_)
      csv_->print("{},{},{},{},{:.20g},{:.9g},{},{}\n", e.name, device_.name(), size, reps, o.checksum, o.seconds,
                  o.bytes, o.flops);
    if (known_) {
      if (const long double* right = known_->find(e.name, size, reps))
        compare(e, size, reps, fmt::format("checksum {:.20g}, known {:.20g}", o.checksum, *right),
                relative_difference(o.checksum, *right));
      else
        fail(e, size, reps, "no known checksum");
    }
    if (options_.reference) {
      const outcome plain = one(e, size, reps, implementation::reference);
      compare(e, size, reps, fmt::format("checksum {:.20g}, of the reference {:.20g}", o.checksum, plain.checksum),
              relative_difference(o.results, plain.results));
    }
  } catch (const selvage::error& error) {
    fail(e, size, reps, error.what());
  }

  void compare(const entry& e, std::int64_t size, int reps, const std::string& what, long double difference) {
    ++comparisons_;
    if (difference > static_cast<long double>(e.tolerance))
      fail(e, size, reps, fmt::format("{}: relative difference {:.2g}", what, difference));
  }
  void fail(const entry& e, std::int64_t size, int reps, const std::string& what) {
    failures_.push_back(fmt::format("{}, size {}, reps {}: {}", e.name, size, reps, what));
  }

  const options& options_;
  selvage::device device_;
  std::optional<known_checksums> known_;
  std::optional<fmt::ostream> csv_;
  int runs_ = 0, comparisons_ = 0;
  std::vector<std::string> failures_;
};

}  // namespace

bool run_suite(const options& o) {
  return suite(o).run();
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const entry& e : kernels()) names.push_back(e.name);
  return names;
}

}  // namespace rajaperf
