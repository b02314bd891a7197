// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes shared objects of relocatable ones, with lld as a library. It wants files: they are a memory file and a pipe.
#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "error.hpp"
#include "object.hpp"
#include "process.hpp"

LLD_HAS_DRIVER(elf)

namespace selvage::inline v0::codegen {
namespace {

[[noreturn]] void fail(const char* doing) {
  throw error(error_code::out_of_memory, fmt::format("linking the kernel: {} failed: {}", doing, std::strerror(errno)));
}

class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ~descriptor() { close(); }

  int number() const { return number_; }
  std::string path() const { return fmt::format("/proc/self/fd/{}", number_); }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// A file in memory with these bytes.
descriptor file_with(llvm::ArrayRef<char> bytes) {
  descriptor file(memfd_create("selvage.o", MFD_CLOEXEC));
  if (file.number() < 0) fail("making a file in memory");
  while (!bytes.empty()) {
    const ssize_t n = ::write(file.number(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("writing a file in memory");
    bytes = bytes.drop_front(static_cast<std::size_t>(n));
  }
  return file;
}

/// What lld writes. A pipe, since lld makes a regular file anew under another name and moves it, which /proc does not
/// allow.
class output {
 public:
  output() : output(open_pipe()) {}
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  ~output() { take(); }

  std::string path() const { return in_.path(); }

  /// All that was written; nobody writes any more.
  std::vector<std::byte> take() {
    in_.close();
    if (reader_.joinable()) reader_.join();
    return std::move(bytes_);
  }

 private:
  static std::pair<int, int> open_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("opening a pipe");
    return {ends[0], ends[1]};
  }
  explicit output(std::pair<int, int> ends) : out_(ends.first), in_(ends.second), reader_([this] { drain(); }) {}

  void drain() {
    std::byte part[1 << 16];
    for (;;) {
      const ssize_t n = ::read(out_.number(), part, sizeof part);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;
      bytes_.insert(bytes_.end(), part, part + n);
    }
  }

  descriptor out_;
  descriptor in_;
  std::vector<std::byte> bytes_;
  std::thread reader_;
};

}  // namespace

std::vector<std::byte> link_shared(llvm::ArrayRef<char> object, undefined_symbols undefined) {
  const descriptor input = file_with(object);
  output linked;
  const std::string from = input.path();
  const std::string to = linked.path();
  const char* rule = undefined == undefined_symbols::left ? "--unresolved-symbols=ignore-all" : "--no-undefined";
  const char* arguments[] = {"ld.lld", "-shared", "--threads=1", "-z", "now", rule, "-o", to.c_str(), from.c_str()};
  std::string said;
  llvm::raw_string_ostream stream(said);
  const exclusive_use_of_llvm_options alone;
  static bool usable = true;  // guarded by the line above
  if (!usable)
    throw error(error_code::unsupported, "lld failed badly before, so nothing can be linked in this process");
  const lld::Result result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  usable = result.canRunAgain;
  if (result.retCode != 0)
    throw error(error_code::unsupported, fmt::format("linking the kernel's shared object failed: {}", said));
  std::vector<std::byte> shared = linked.take();
  if (shared.empty()) throw error(error_code::out_of_memory, "linking the kernel: nothing was written");
  return shared;
}

}  // namespace selvage::inline v0::codegen
