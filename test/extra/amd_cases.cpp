// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random images and mathematical functions for AMD code in an emulator:
//   amd_cases write FOLDER TARGET FIRST-SEED IMAGES     writes code objects, argument blocks and memory
//   amd_emulate.py --cases=FOLDER                       executes them
//   amd_cases check FOLDER TARGET FIRST-SEED IMAGES     compares with the interpreter, and with exact results
#include "executors.hpp"
#include "math.hpp"
#include "math_bounds.hpp"
#include "random_image.hpp"

#include <compiled.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace selvage::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("no file {}: was the emulator run?", path.string()));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

std::int64_t value_of(const codegen::size_expression& size, const ir::extents& domain) {
  using code = codegen::size_expression::code;
  std::vector<std::int64_t> values;
  for (const auto& row : size.rows) {
    if (row.op == code::literal)
      values.push_back(row.value);
    else if (row.op == code::domain_extent)
      values.push_back(domain.at(row.a));
    else if (row.op == code::ceil_divide)
      values.push_back((values[row.a] + values[row.b] - 1) / values[row.b]);
    else if (row.op == code::minimum)
      values.push_back(std::min(values[row.a], values[row.b]));
    else
      throw std::runtime_error("a size with an operation that is not expected here");
  }
  return values.back();
}

/// The folder that one case's files stand in.
class case_folder {
 public:
  case_folder(fs::path folder, std::string target) : folder_(std::move(folder)), target_(std::move(target)) {}

  void write(const launch_case& one, const codegen::variant& v) const {
    fs::create_directories(folder_);
    const codegen::compiled_kernel kernel = generator().compile(one.image.view(), target_, v);
    const codegen::step& step = kernel.recipe.steps.at(0);
    write_file(folder_ / "code", kernel.code);
    std::string about = fmt::format("target {}\nentry {}\n", target_, step.entry);
    about += fmt::format("groups {} {} {}\n", value_of(step.grid[0], one.domain), value_of(step.grid[1], one.domain),
                         value_of(step.grid[2], one.domain));
    about += fmt::format("group {} {} {}\n", step.group[0], step.group[1], step.group[2]);
    const std::size_t fault = one.arguments.size();
    std::vector<std::byte> block(step.block_bytes);
    for (const codegen::argument_slot& slot : step.slots) {
      using source = codegen::argument_slot::source;
      std::uint64_t bits = 0;
      if (slot.from == source::pointer) {
        const case_argument& a = one.arguments.at(slot.parameter);
        about += fmt::format("pointer {} {} {}\n", slot.offset, slot.parameter,
                             a.first * ir::properties(a.about.element).bytes);
      } else if (slot.from == source::fault) {
        about += fmt::format("pointer {} {} 0\n", slot.offset, fault);
      } else if (slot.from == source::extent) {
        bits = static_cast<std::uint64_t>(one.arguments.at(slot.parameter).extents.at(slot.dimension));
      } else if (slot.from == source::stride) {
        bits = static_cast<std::uint64_t>(one.arguments.at(slot.parameter).strides.at(slot.dimension));
      } else if (slot.from == source::value) {
        bits = one.arguments.at(slot.parameter).value;
      } else {
        bits = static_cast<std::uint64_t>(one.domain.at(slot.dimension));
      }
      std::memcpy(block.data() + slot.offset, &bits, slot.size);
    }
    write_file(folder_ / "block", block);
    for (std::size_t k = 0; k < fault; ++k) write_file(folder_ / fmt::format("{}.in", k), one.arguments[k].bytes);
    write_file(folder_ / fmt::format("{}.in", fault), std::vector<std::byte>(sizeof(ir::fault_record)));
    write_file(folder_ / "about", std::as_bytes(std::span(about)));
  }

  outcome read(const launch_case& one) const {
    outcome result;
    const std::size_t fault = one.arguments.size();
    if (fs::exists(folder_ / "problem")) {
      const auto text = read_file(folder_ / "problem");
      throw std::runtime_error("emulator: " + std::string(reinterpret_cast<const char*>(text.data()), text.size()));
    }
    for (std::size_t k = 0; k < fault; ++k) result.memory.push_back(read_file(folder_ / fmt::format("{}.out", k)));
    ir::fault_record record{};
    const auto bytes = read_file(folder_ / fmt::format("{}.out", fault));
    std::memcpy(&record, bytes.data(), std::min(bytes.size(), sizeof record));
    if (record.claimed != 0) result.faults.push_back(record);
    return result;
  }

 private:
  fs::path folder_;
  std::string target_;
};

int run(const std::string& command, const fs::path& folder, const std::string& target, std::uint64_t first,
        std::uint64_t images) {
  const bool check = command == "check";
  int wrong = 0;
  int unknown = 0;
  const auto report = [&](const std::string& problem) {
    const bool lacks = problem.find("emulator: ") != std::string::npos;
    ++(lacks ? unknown : wrong);
    fmt::print("{}\n", problem);
  };
  for (std::uint64_t seed = first; seed < first + images; ++seed) {
    const case_folder files(folder / fmt::format("image-{}", seed), target);
    const launch_case one = random_case(seed);
    if (!check) {
      files.write(one, variant_of(one));
      continue;
    }
    const std::string found =
        compare(seed, interpreted, [&](const launch_case& c, const codegen::variant&) { return files.read(c); });
    if (!found.empty()) report(found);
  }
  for (const math_bound& bound : math_bounds) {
    for (const ir::type t : {ir::type::float32, ir::type::float64}) {
      const std::string name = fmt::format("{} {}", ir::properties(bound.function).name, ir::properties(t).name);
      const case_folder files(folder / name, target);
      const executor step = [&](const launch_case& c, const codegen::variant& v) {
        if (check) return files.read(c);
        files.write(c, v);
        return interpreted(c, v);
      };
      try {
        const math_result found = measure(bound.function, t, step);
        if (!check) continue;
        fmt::print("{}: within {:.2f} ulps; {}\n", name, found.worst, found.where);
        if (!(found.worst <= bound.ulps)) ++wrong;
      } catch (const std::exception& e) {
        report(fmt::format("{}: {}", name, e.what()));
      }
    }
  }
  if (check) fmt::print("{} images for {}: {} wrong, {} not executed\n", images, target, wrong, unknown);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace selvage::test

int main(int argc, char** argv) try {
  const std::string command = argc == 6 ? argv[1] : "";
  if (command != "write" && command != "check") {
    std::fprintf(stderr, "usage: amd_cases write|check FOLDER TARGET FIRST-SEED IMAGES\n");
    return 2;
  }
  return selvage::test::run(command, argv[2], argv[3], std::strtoull(argv[4], nullptr, 0),
                            std::strtoull(argv[5], nullptr, 0));
} catch (const std::exception& e) {
  std::fprintf(stderr, "amd_cases: %s\n", e.what());
  return 1;
}
