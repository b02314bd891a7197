// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes shared objects of relocatable ones, with lld as a library. It wants files: they stand in memory.
#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "error.hpp"
#include "object.hpp"
#include "process.hpp"

LLD_HAS_DRIVER(elf)

namespace selvage::inline v0::codegen {
namespace {

/// An anonymous file in memory, which has a path while it is open.
class memory_file {
 public:
  explicit memory_file(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail("making a file in memory");
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() { ::close(descriptor_); }

  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

  void write(llvm::ArrayRef<char> bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail("writing a file in memory");
      bytes = bytes.drop_front(static_cast<std::size_t>(n));
    }
  }
  std::vector<std::byte> read() const {
    const off_t size = ::lseek(descriptor_, 0, SEEK_END);
    if (size < 0) fail("reading a file in memory");
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::pread(descriptor_, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail("reading a file in memory");
      at += static_cast<std::size_t>(n);
    }
    return bytes;
  }

 private:
  [[noreturn]] static void fail(const char* doing) {
    throw error(error_code::out_of_memory, fmt::format("{} failed: {}", doing, std::strerror(errno)));
  }
  int descriptor_;
};

}  // namespace

std::vector<std::byte> link_shared(llvm::ArrayRef<char> object) {
  const memory_file input("selvage.o");
  const memory_file output("selvage.so");
  input.write(object);
  const std::string from = input.path();
  const std::string to = output.path();
  // --no-mmap-output-file: written in place, since nothing in /proc can be renamed. Functions of libm and libmvec stay
  // undefined, for the loader.
  const char* arguments[] = {"ld.lld", "-shared", "--no-mmap-output-file", "--threads=1", "--build-id=none", "-z", "now",
                             "-o", to.c_str(), from.c_str()};
  std::string said;
  llvm::raw_string_ostream stream(said);
  const exclusive_use_of_llvm_options alone;
  static bool usable = true;  // guarded by the line above
  if (!usable) throw error(error_code::unsupported, "lld failed badly before, so nothing can be linked in this process");
  const lld::Result result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  usable = result.canRunAgain;
  if (result.retCode != 0)
    throw error(error_code::unsupported, fmt::format("linking the kernel's shared object failed: {}", said));
  return output.read();
}

}  // namespace selvage::inline v0::codegen
