// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As many arguments as a kernel may have, and as many fields as a target takes.
#include <selvage/selvage.hpp>

#include <device_fixture.hpp>

#include <boost/preprocessor/repetition/enum.hpp>
#include <boost/preprocessor/repetition/enum_params.hpp>
#include <boost/preprocessor/repetition/repeat.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sv = selvage;

namespace {

// The sum of k * (argument k), so that an exchange of two shows.
#define SELVAGE_TERM(z, k, what) +what##k SELVAGE_ELEMENT*(k + 1)
#define SELVAGE_NUMBER(z, k, unused) 100 + k
#define SELVAGE_ELEMENT
constexpr auto many_values = sv::kernel<"many_values">([](sv::out<int> y, BOOST_PP_ENUM_PARAMS(63, sv::value<int> v)) {
  auto i = sv::global_id(y);
  y(i) = sv::cast<int>(i) BOOST_PP_REPEAT(63, SELVAGE_TERM, v);
});
#undef SELVAGE_ELEMENT
#define SELVAGE_ELEMENT (i)
constexpr auto many_lines = sv::kernel<"many_lines">([](sv::out<int> y, BOOST_PP_ENUM_PARAMS(63, sv::in<int> x)) {
  auto i = sv::global_id(y);
  y(i) = sv::cast<int>(i) BOOST_PP_REPEAT(63, SELVAGE_TERM, x);
});
#undef SELVAGE_ELEMENT
#define SELVAGE_ELEMENT (0, i, 0)
using cube = sv::in<int, 3>;
constexpr auto many_views = sv::kernel<"many_views">([](sv::out<int> y, BOOST_PP_ENUM_PARAMS(63, cube x)) {
  auto i = sv::global_id(y);
  y(i) = sv::cast<int>(i) BOOST_PP_REPEAT(63, SELVAGE_TERM, x);
});

// ThreadSanitizer follows 64 locks of a thread at most, and a launch holds one for each of its buffers.
#ifdef __SANITIZE_THREAD__
constexpr int distinct = 40;
#else
constexpr int distinct = 63;
#endif

template <int Rank>
std::vector<sv::buffer<int, Rank>> buffers(const typename sv::buffer<int, Rank>::coordinates& extents) {
  std::vector<sv::buffer<int, Rank>> x;
  for (int k = 0; k < distinct; ++k) {
    x.emplace_back(extents);
    std::ranges::fill(x.back().write(), 100 + k);
  }
  return x;
}

/// The sum of argument k times k + 1; argument k is 100 + k % values.
void check_sum(const sv::buffer<int>& y, int values) {
  int expected = 0;
  for (int k = 0; k < 63; ++k) expected += (100 + k % values) * (k + 1);
  for (int i = 0; const int v : y.read()) CHECK(v == i++ + expected);
}

}  // namespace

DEVICE_TEST_CASE("as many arguments as there may be") {
  sv::buffer<int> y(5);
  many_values.on(device)(y, BOOST_PP_ENUM(63, SELVAGE_NUMBER, ~));
  check_sum(y, 63);
  const auto x = buffers<1>({5});
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    many_lines.on(device)(y, x[K % distinct]...);
  }
  (std::make_index_sequence<63>{});
  check_sum(y, distinct);
}

DEVICE_TEST_CASE("as many fields as a target takes") {
  sv::buffer<int> y(5);
  const auto x = buffers<3>({1, 5, 1});
  const auto launch = [&]<std::size_t... K>(std::index_sequence<K...>) {
    many_views.on(device)(y, x[K % distinct]...);
  };
  if (device.describe().architecture.starts_with("spirv")) {  // a function of SPIR-V has at most 255 parameters
    try {
      launch(std::make_index_sequence<63>{});
      FAIL_CHECK("no error");
    } catch (const sv::error& e) {
      CHECK(e.code() == sv::error_code::unsupported);
      CHECK(std::string(e.what()).find("kernel 'many_views' has 446 fields of arguments") != std::string::npos);
    }
    return;
  }
  launch(std::make_index_sequence<63>{});
  check_sum(y, distinct);
}
