// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State of LLVM that is one for the whole process: its options. lld resets them whenever it starts, while compilations
// on other threads read them.
#pragma once

#include <mutex>
#include <shared_mutex>

namespace selvage::inline v0::codegen {

inline std::shared_mutex& llvm_options() {
  static std::shared_mutex lock;
  return lock;
}

/// Held by a compilation while it is in LLVM.
class shared_use_of_llvm_options {
 public:
  shared_use_of_llvm_options() : locked_(llvm_options()) {}

 private:
  std::shared_lock<std::shared_mutex> locked_;
};

/// Held while lld runs.
class exclusive_use_of_llvm_options {
 public:
  exclusive_use_of_llvm_options() : locked_(llvm_options()) {}

 private:
  std::unique_lock<std::shared_mutex> locked_;
};

}  // namespace selvage::inline v0::codegen
