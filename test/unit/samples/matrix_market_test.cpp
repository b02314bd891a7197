// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples' reader of Matrix Market files: every format that it takes, and a clear sentence for each that it does
// not.
#include "support/matrix_market.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace {

samples::sparse_matrix read(const std::string& text) {
  std::istringstream in(text);
  return samples::read_matrix_market(in, "test.mtx");
}

}  // namespace

TEST_CASE("matrix market: general, with comments and in any order") {
  const auto m = read(
      "%%MatrixMarket matrix coordinate real general\n% a comment\n\n2 3 3\n2 3 -4.5e0\n% another\n1 1 1\n2 1 2\n");
  CHECK(m.rows == 2);
  CHECK(m.columns == 3);
  CHECK(m.first == std::vector<std::int64_t>{0, 1, 3});
  CHECK(m.column == std::vector<std::int32_t>{0, 0, 2});
  CHECK(m.value == std::vector<double>{1.0, 2.0, -4.5});
}

TEST_CASE("matrix market: a symmetric file holds one triangle") {
  const auto m = read("%%MatrixMarket MATRIX Coordinate Integer Symmetric\n2 2 2\n1 1 5\n2 1 7\n");
  CHECK(m.first == std::vector<std::int64_t>{0, 2, 3});
  CHECK(m.value == std::vector<double>{5.0, 7.0, 7.0});
}

TEST_CASE("matrix market: skew-symmetric changes the sign") {
  const auto m = read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n");
  CHECK(m.value == std::vector<double>{-3.0, 3.0});
}

TEST_CASE("matrix market: a pattern has no values, they are 1") {
  const auto m = read("%%MatrixMarket matrix coordinate pattern general\n1 2 2\n1 1\n1 2\n");
  CHECK(m.value == std::vector<double>{1.0, 1.0});
}

TEST_CASE("matrix market: entries of one place add up") {
  const auto m = read("%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 1.5\n1 1 2\n");
  CHECK(m.first == std::vector<std::int64_t>{0, 1});
  CHECK(m.value == std::vector<double>{3.5});
}

TEST_CASE("matrix market: what is wrong is said with its line") {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  CHECK_THROWS_WITH(read(""), "'test.mtx', line 0: the file is empty, expected '%%MatrixMarket matrix coordinate ...'");
  CHECK_THROWS_WITH(read("1 2 3\n"),
                    "'test.mtx', line 1: not a Matrix Market file: it does not begin with '%%MatrixMarket'");
  CHECK_THROWS_WITH(read("%%MatrixMarket matrix array real general\n"),
                    "'test.mtx', line 1: 'matrix array' is not supported, only 'matrix coordinate'");
  CHECK_THROWS_WITH(read("%%MatrixMarket matrix coordinate complex general\n"),
                    "'test.mtx', line 1: values of kind 'complex' are not supported, only real, integer and pattern");
  CHECK_THROWS_WITH(
      read("%%MatrixMarket matrix coordinate real hermitian\n"),
      "'test.mtx', line 1: symmetry 'hermitian' is not supported, only general, symmetric and skew-symmetric");
  CHECK_THROWS_WITH(read(head),
                    "'test.mtx', line 1: the line with the numbers of rows, columns and entries is missing");
  CHECK_THROWS_WITH(read(head + "2 x 3\n"),
                    "'test.mtx', line 2: expected three numbers: rows, columns (below 2^31), entries");
  CHECK_THROWS_WITH(read(head + "2 2 2\n1 1 1\n"), "'test.mtx', line 3: the file ends after 1 of 2 entries");
  CHECK_THROWS_WITH(read(head + "2 2 1\n1 1\n"), "'test.mtx', line 3: expected row, column and value");
  CHECK_THROWS_WITH(read(head + "2 2 1\n1 3 1\n"), "'test.mtx', line 3: entry (1, 3) is outside a matrix of 2 x 2");
  CHECK_THROWS_WITH(read(head + "1 1 1\n1 1 1\n1 1 1\n"),
                    "'test.mtx', line 4: more lines than the 1 entries that were announced");
  CHECK_THROWS_WITH(read("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"),
                    "'test.mtx', line 2: a symmetric matrix must be square");
  CHECK_THROWS_WITH(samples::read_matrix_market("/nonexistent.mtx"), "cannot open '/nonexistent.mtx'");
}
