// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles kernels for many targets at once, keeping what is compiled: a kernel whose image is unchanged is not
// compiled again.
#include "bundle.hpp"

#include "nvidia.hpp"

#include <selvage/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace tools {
namespace {

namespace codegen = selvage::codegen;
namespace files = std::filesystem;
using selvage::error;
using selvage::error_code;

/// One variant of one kernel for one target.
struct job {
  const selvage::ir::image_view* image = nullptr;
  std::string target;
  codegen::variant variant;
  files::path kept;  ///< where the compiled kernel is, or will be
  codegen::compiled_kernel result;
  bool compiled = false;  ///< now, rather than taken from `kept`
};

std::optional<std::vector<std::byte>> content(const files::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

/// Written under another name first, so that nobody sees half a file.
void write(const files::path& path, const std::vector<std::byte>& bytes) {
  const files::path part = path.string() + ".part";
  {
    std::ofstream file(part, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.flush();
    if (!file) throw error(error_code::invalid_file, fmt::format("cannot write '{}'", part.string()));
  }
  std::error_code problem;
  files::rename(part, path, problem);
  if (problem)
    throw error(error_code::invalid_file, fmt::format("cannot write '{}': {}", path.string(), problem.message()));
}

/// A kernel that was kept, if it is whole and of this image; what is damaged is compiled again.
bool take_kept(job& j) {
  const auto bytes = content(j.kept);
  if (!bytes) return false;
  try {
    j.result = codegen::deserialise(*bytes);
  } catch (const error&) {
    return false;
  }
  return j.result.recipe.content_hash == j.image->header.content_hash && j.result.recipe.target == j.target &&
         j.result.recipe.assumes == j.variant;
}

void compile(job& j, codegen::generator& generator, const nvidia_assembler& assembler) {
  j.result = generator.compile(*j.image, j.target, j.variant);
  assembler.assemble(j.result);
  write(j.kept, codegen::serialise(j.result));
  j.compiled = true;
}

/// Runs `work` on all jobs, several at once; the first exception is thrown again when all threads are done.
template <class Work>
void run(std::vector<job>& jobs, unsigned threads, Work work) {
  std::atomic<std::size_t> next = 0;
  std::mutex lock;
  std::exception_ptr first;
  const auto loop = [&] {
    for (std::size_t k = next++; k < jobs.size(); k = next++) {
      try {
        work(jobs[k]);
      } catch (...) {
        const std::lock_guard locked(lock);
        if (!first) first = std::current_exception();
        next = jobs.size();
      }
    }
  };
  std::vector<std::thread> pool;
  for (unsigned k = 1; k < std::min<std::size_t>(threads, jobs.size()); ++k) pool.emplace_back(loop);
  loop();
  for (std::thread& t : pool) t.join();
  if (first) std::rethrow_exception(first);
}

/// What kind of code each target got.
std::string describe(const std::vector<job>& jobs, const std::string& target, const nvidia_assembler& assembler) {
  for (const job& j : jobs)
    if (j.target == target) return assembler.describe(target, j.result.format);
  return target;
}

}  // namespace

std::string make_bundle(const kernel_files& kernels, const bundle_request& request, codegen::generator& generator) {
  const nvidia_assembler assembler;
  const files::path folder = request.output + ".cache";
  std::error_code problem;
  files::create_directory(folder, problem);
  if (problem)
    throw error(error_code::invalid_file,
                fmt::format("cannot make the folder '{}': {}", folder.string(), problem.message()));
  // Whatever changes the code is in the name.
  const std::string maker =
      fmt::format("{:016x}", std::hash<std::string>{}(generator.version() + '\n' + assembler.maker()));

  std::vector<job> jobs;
  std::set<std::string> names;
  for (const selvage::ir::found_image& found : kernels.all()) {
    for (const std::string& target : request.targets) {
      for (const codegen::variant& v : generator.variants(target)) {
        job j{&found.image, target, v, {}, {}, false};
        const std::string name =
            fmt::format("{:016x}-{}-{}-{}.kernel", found.image.header.content_hash, target, v.key(), maker);
        j.kept = folder / name;
        if (names.insert(name).second) jobs.push_back(std::move(j));
      }
    }
  }
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  run(jobs, request.threads == 0 ? cores : request.threads, [&](job& j) {
    if (!take_kept(j)) compile(j, generator, assembler);
  });
  for (const auto& entry : files::directory_iterator(folder))
    if (!names.contains(entry.path().filename().string())) files::remove(entry.path(), problem);

  std::vector<codegen::compiled_kernel> all;
  std::set<std::uint64_t> compiled;
  for (job& j : jobs) {
    if (j.compiled) compiled.insert(j.image->header.content_hash);
    all.push_back(j.result);
  }
  write(request.output, generator.object_with(all));

  std::vector<std::string> targets;
  for (const std::string& t : request.targets) targets.push_back(describe(jobs, t, assembler));
  return fmt::format("{}: {} kernel{}, {} compiled, for {}\n", request.output, kernels.all().size(),
                     kernels.all().size() == 1 ? "" : "s", compiled.size(), fmt::join(targets, ", "));
}

}  // namespace tools
