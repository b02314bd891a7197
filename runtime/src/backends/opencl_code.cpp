// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V into a device's program, also where the driver does not take SPIR-V as such.
#include "opencl_api.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

extern char** environ;

namespace selvage::inline v0::backend::opencl {
namespace {

/// What the specification of SPIR-V numbers.
constexpr std::uint32_t spirv_magic = 0x07230203;
constexpr std::uint32_t op_type_bool = 20, op_type_int = 21, op_type_float = 22, op_constant_false = 42,
                        op_constant = 43, op_constant_null = 46;

/// Zeros of numbers written out: the translator of LLVM 15 ends at their short form.
std::vector<std::uint32_t> without_null_numbers(std::string_view spirv) {
  std::vector<std::uint32_t> words(spirv.size() / 4);
  std::memcpy(words.data(), spirv.data(), words.size() * 4);
  if (words.size() < 5 || words[0] != spirv_magic)
    throw error(error_code::invalid_file, "opencl: a kernel's code is not SPIR-V of this machine's byte order");
  std::map<std::uint32_t, std::uint32_t> bits;  // by type; of truth values 1
  std::vector<std::uint32_t> out(words.begin(), words.begin() + 5);
  for (std::size_t at = 5; at < words.size();) {
    const std::uint32_t op = words[at] & 0xffff;
    const std::uint32_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at)
      throw error(error_code::invalid_file, "opencl: a kernel's SPIR-V is damaged");
    const std::uint32_t* o = &words[at];
    if (op == op_type_bool && length == 2) bits[o[1]] = 1;
    if ((op == op_type_int || op == op_type_float) && length >= 3) bits[o[1]] = o[2];
    const auto type = op == op_constant_null && length == 3 ? bits.find(o[1]) : bits.end();
    if (type == bits.end())
      out.insert(out.end(), o, o + length);
    else if (type->second == 1)
      out.insert(out.end(), {3U << 16 | op_constant_false, o[1], o[2]});
    else if (type->second > 32)
      out.insert(out.end(), {5U << 16 | op_constant, o[1], o[2], 0, 0});
    else
      out.insert(out.end(), {4U << 16 | op_constant, o[1], o[2], 0});
    at += length;
  }
  return out;
}

/// A folder of our own, removed with all that is in it.
class scratch_folder {
 public:
  scratch_folder() : path_((std::filesystem::temp_directory_path() / "selvage-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr)
      throw error(error_code::device_failure,
                  fmt::format("opencl: making a folder in '{}' failed: {}", path_, std::strerror(errno)));
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Runs the translator; what it prints goes to `log`.
int run(const std::string& program, const std::string& from, const std::string& to, const std::string& log) {
  std::string words[] = {program, "-r", from, "-o", to};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), words[4].data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &files, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0)
    throw error(error_code::device_failure,
                fmt::format("opencl: starting '{}' failed: {}", program, std::strerror(failed)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string bitcode_of(std::string_view spirv, const std::string& translator) {
  const scratch_folder folder;
  const std::vector<std::uint32_t> words = without_null_numbers(spirv);
  std::ofstream(folder / "kernel.spv", std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
  const int status = run(translator, folder / "kernel.spv", folder / "kernel.bc", folder / "log");
  std::string bitcode = contents(folder / "kernel.bc");
  if (status != 0 || bitcode.empty())
    throw error(error_code::device_failure, fmt::format("opencl: '{}' does not translate a kernel's SPIR-V: {}",
                                                        translator, contents(folder / "log")));
  return bitcode;
}

std::string framed(std::string_view spirv) {
  const std::uint32_t words[] = {1, static_cast<std::uint32_t>(spirv.size()), 4};
  std::string binary(sizeof words, '\0');
  std::memcpy(binary.data(), words, sizeof words);
  return binary += spirv;
}

}  // namespace

std::string find_translator(std::string_view about, std::string& wanted) {
  wanted = "llvm-spirv";
  if (const std::size_t at = about.find("LLVM "); at != std::string_view::npos)
    if (const std::size_t end = about.find_first_not_of("0123456789", at + 5); end > at + 5)
      wanted += fmt::format("-{}", about.substr(at + 5, end == std::string_view::npos ? end : end - at - 5));
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string file = fmt::format("{}/{}", rest.substr(0, colon), wanted);
    if (access(file.c_str(), X_OK) == 0) return file;
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return {};
}

cl_program build(const loader& cl, cl_context context, cl_device_id device, intake way, std::string_view spirv,
                 const std::string& device_name) {
  cl_int result = CL_SUCCESS;
  cl_program program = nullptr;
  if (way == intake::il) {
    program = cl.clCreateProgramWithIL(context, spirv.data(), spirv.size(), &result);
  } else {
    std::string binary;
    if (way == intake::pocl) {
      cl_platform_id platform = cl.number<cl_platform_id>(device, CL_DEVICE_PLATFORM, nullptr);
      std::string wanted;
      const std::string translator = find_translator(cl.text(platform, CL_PLATFORM_VERSION), wanted);
      if (translator.empty())
        throw error(error_code::unsupported,
                    fmt::format("opencl: '{}' takes kernels as its LLVM's bitcode only, and the translator {} is not "
                                "on PATH; install it (package {})",
                                device_name, wanted, wanted));
      binary = bitcode_of(spirv, translator);
    } else {
      binary = framed(spirv);
    }
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    const std::size_t length = binary.size();
    cl_int status = CL_SUCCESS;
    program = cl.clCreateProgramWithBinary(context, 1, &device, &length, &bytes, &status, &result);
    if (result == CL_SUCCESS && status != CL_SUCCESS) result = status;
  }
  cl.check(result, "handing a kernel's SPIR-V to '{}'", device_name);
  result = cl.clBuildProgram(program, 1, &device, way == intake::pocl ? "-x spir -spir-std=1.2" : "", nullptr, nullptr);
  if (result == CL_SUCCESS) return program;
  std::size_t size = 0;
  std::string log;
  if (cl.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) == CL_SUCCESS)
    log.resize(size);
  static_cast<void>(cl.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr));
  log.resize(std::min(log.size(), log.find('\0')));
  for (char& c : log) c = c == '\n' ? ' ' : c;
  static_cast<void>(cl.clReleaseProgram(program));
  loader::fail(loader::code_of(result), result, fmt::format("building a kernel's code for '{}'", device_name), log);
}

}  // namespace selvage::inline v0::backend::opencl
