// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads sparse matrices from Matrix Market files into compressed rows.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <istream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace samples {

/// Compressed sparse rows: the entries of row i are first[i] to first[i + 1], by ascending column.
struct sparse_matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> column;
  std::vector<double> value;
};

struct matrix_entry {
  std::int64_t row, column;
  double value;
};

/// Sorts the entries into rows; entries of one place are added up, as the format says of duplicates in assembled
/// matrices.
inline sparse_matrix compress(std::int64_t rows, std::int64_t columns, std::vector<matrix_entry> entries) {
  std::ranges::sort(entries, {}, [](const matrix_entry& e) { return std::tuple(e.row, e.column); });
  sparse_matrix m{rows, columns, std::vector<std::int64_t>(static_cast<std::size_t>(rows) + 1), {}, {}};
  const matrix_entry* last = nullptr;
  for (const matrix_entry& e : entries) {
    if (last && last->row == e.row && last->column == e.column) {
      m.value.back() += e.value;
    } else {
      m.column.push_back(static_cast<std::int32_t>(e.column));
      m.value.push_back(e.value);
      ++m.first[static_cast<std::size_t>(e.row) + 1];
    }
    last = &e;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) m.first[i + 1] += m.first[i];
  return m;
}

namespace detail {

/// The lines of a file that say something: comments (%) and empty lines are passed over; it knows where it is.
class matrix_lines {
 public:
  matrix_lines(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

  bool next(std::istringstream& words, bool with_comments = false) {
    for (std::string line; std::getline(in_, line);) {
      ++number_;
      const auto text = std::ranges::find_if_not(line, [](unsigned char c) { return std::isspace(c) != 0; });
      if (text == line.end() || (*text == '%' && !with_comments)) continue;
      words = std::istringstream(line);
      return true;
    }
    return false;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("'" + name_ + "', line " + std::to_string(number_) + ": " + what);
  }

 private:
  std::istream& in_;
  std::string name_;
  std::int64_t number_ = 0;
};

}  // namespace detail

/// Formats: coordinate; real, integer or pattern (every value 1); general, symmetric or skew-symmetric.
/// Throws std::runtime_error with the file's name, the line and what is wrong there.
inline sparse_matrix read_matrix_market(std::istream& in, const std::string& name) {
  detail::matrix_lines lines(in, name);
  std::istringstream words;
  std::string banner, object, format, field, symmetry;
  if (!lines.next(words, true)) lines.fail("the file is empty, expected '%%MatrixMarket matrix coordinate ...'");
  words >> banner >> object >> format >> field >> symmetry;
  for (std::string* word : {&banner, &object, &format, &field, &symmetry})
    std::ranges::transform(*word, word->begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (banner != "%%matrixmarket") lines.fail("not a Matrix Market file: it does not begin with '%%MatrixMarket'");
  if (object != "matrix" || format != "coordinate")
    lines.fail("'" + object + " " + format + "' is not supported, only 'matrix coordinate'");
  if (field != "real" && field != "integer" && field != "pattern")
    lines.fail("values of kind '" + field + "' are not supported, only real, integer and pattern");
  if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
    lines.fail("symmetry '" + symmetry + "' is not supported, only general, symmetric and skew-symmetric");

  std::int64_t rows = 0, columns = 0, count = 0;
  if (!lines.next(words)) lines.fail("the line with the numbers of rows, columns and entries is missing");
  if (!(words >> rows >> columns >> count) || rows < 0 || columns < 0 || count < 0 || columns > INT32_MAX)
    lines.fail("expected three numbers: rows, columns (below 2^31), entries");
  if (symmetry != "general" && rows != columns) lines.fail("a " + symmetry + " matrix must be square");

  std::vector<matrix_entry> entries;
  for (std::int64_t k = 0; k < count; ++k) {
    matrix_entry e{0, 0, 1.0};
    if (!lines.next(words))
      lines.fail("the file ends after " + std::to_string(k) + " of " + std::to_string(count) + " entries");
    if (!(words >> e.row >> e.column) || (field != "pattern" && !(words >> e.value)))
      lines.fail(field == "pattern" ? "expected row and column" : "expected row, column and value");
    if (e.row < 1 || e.row > rows || e.column < 1 || e.column > columns)
      lines.fail("entry (" + std::to_string(e.row) + ", " + std::to_string(e.column) + ") is outside a matrix of " +
                 std::to_string(rows) + " x " + std::to_string(columns));
    --e.row, --e.column;
    entries.push_back(e);
    if (symmetry != "general" && e.row != e.column)
      entries.push_back({e.column, e.row, symmetry == "symmetric" ? e.value : -e.value});
  }
  if (lines.next(words)) lines.fail("more lines than the " + std::to_string(count) + " entries that were announced");
  return compress(rows, columns, std::move(entries));
}

inline sparse_matrix read_matrix_market(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open '" + path + "'");
  return read_matrix_market(file, path);
}

}  // namespace samples
