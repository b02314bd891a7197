// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child process and the file in memory through which its result comes.
#include "child.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "error.hpp"
#include "process.hpp"

namespace selvage::inline v0::codegen {
namespace {

constexpr unsigned greatest_seconds = 120;
/// The first byte of a whole result; 0 while there is none.
constexpr char of_result = 1;
constexpr char of_error = 2;

bool put(int file, const char* bytes, std::size_t count, off_t at) {
  while (count != 0) {
    const ssize_t n = pwrite(file, bytes, count, at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n, at += n, count -= static_cast<std::size_t>(n);
  }
  return true;
}

/// Never returns, and runs none of the program's handlers.
[[noreturn]] void be_child(int file, const std::function<llvm::SmallVector<char, 0>()>& work) {
  alarm(greatest_seconds);
  char kind = of_result;
  llvm::SmallVector<char, 0> bytes;
  try {
    bytes = work();
  } catch (const std::exception& e) {
    kind = of_error;
    bytes.assign(e.what(), e.what() + std::strlen(e.what()));
  }
  const bool good = put(file, bytes.data(), bytes.size(), 1) && put(file, &kind, 1, 0);
  _exit(good ? 0 : 1);
}

/// Forks while no other thread of ours is in LLVM, so that the child finds none of its locks taken.
pid_t fork_alone() {
  std::shared_mutex& lock = llvm_options();
  lock.unlock_shared();
  lock.lock();
  const pid_t child = fork();
  if (child == 0) return child;  // who is another thread, to which the lock is not given back
  const int reason = errno;
  lock.unlock();
  lock.lock_shared();
  errno = reason;
  return child;
}

std::string ending(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended with status {}", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

}  // namespace

llvm::SmallVector<char, 0> in_child(const std::function<llvm::SmallVector<char, 0>()>& work, const std::string& doing) {
  const auto fail = [&](const char* call) {
    throw error(error_code::out_of_memory, fmt::format("{}: {} failed: {}", doing, call, std::strerror(errno)));
  };
  struct memory_file {
    int number;
    ~memory_file() { close(number); }
  };
  const memory_file file{memfd_create("selvage-child", MFD_CLOEXEC)};
  if (file.number < 0) fail("memfd_create");
  const pid_t child = fork_alone();
  if (child < 0) fail("fork");
  if (child == 0) be_child(file.number, work);
  int status = -1;
  // If the program ignores its children or somebody else has waited for this one, it has ended all the same.
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }

  const off_t size = lseek(file.number, 0, SEEK_END);
  llvm::SmallVector<char, 0> bytes;
  bytes.resize_for_overwrite(size > 0 ? static_cast<std::size_t>(size) : 0);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = pread(file.number, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("reading the result");
    done += static_cast<std::size_t>(n);
  }
  const char kind = bytes.empty() ? '\0' : bytes.front();
  if (kind == of_error) throw error(error_code::unsupported, std::string(bytes.begin() + 1, bytes.end()));
  if (kind != of_result)
    throw error(error_code::unsupported, fmt::format("{}: LLVM's back end {}", doing, ending(status)));
  bytes.erase(bytes.begin());
  return bytes;
}

}  // namespace selvage::inline v0::codegen
