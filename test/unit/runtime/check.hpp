// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of thrown errors: their code and what their sentence must say.
#pragma once

#include <selvage/error.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

namespace selvage::test {

template <class F>
void check_throws(error_code code, std::initializer_list<const char*> parts, F&& f) {
  try {
    f();
    FAIL_CHECK("nothing was thrown");
  } catch (const error& e) {
    const std::string text = e.what();
    INFO(text);
    CHECK(static_cast<int>(e.code()) == static_cast<int>(code));
    for (const char* part : parts) {
      INFO("expected: " << part);
      CHECK(text.find(part) != std::string::npos);
    }
  }
}

}  // namespace selvage::test
