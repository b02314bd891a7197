// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decisions at the launch against brute force: random kernels with affine and other indices, loops and conditions, over
// small domains. Proved means that no work-item leaves its array (and no index's arithmetic wraps); refused means that
// one does; an `out` that is taken as covered is.
#include <selvage/ir/launch.hpp>
#include <selvage/ir/meaning.hpp>
#include <selvage/ir/print.hpp>

#include "images.hpp"

#include <map>
#include <random>

namespace selvage::test {
namespace {

__extension__ typedef __int128 int128;

class random_kernel {
 public:
  explicit random_kernel(std::uint64_t seed) : random_(seed), b("random") {
    rank_ = static_cast<std::uint8_t>(1 + below(3));
    x_ = b.inout(type::int8, rank_);
    b.in(type::int32, 1);
    small_ = b.value(type::int64);
    any_ = b.value(type::int64);
    const auto domain_rank = 1 + below(3);
    b.given_domain(domain_rank);
    for (std::uint32_t axis = 0; axis < domain_rank; ++axis) scope_.push_back(b.id(axis));
    scope_.push_back(b.argument(small_));
    scope_.push_back(b.extent(x_, 0));
    if (below(8) == 0) scope_.push_back(b.argument(any_));
    for (std::int64_t v : {0, 1, 2}) scope_.push_back(b.literal(v));

    arguments_ = {{{1, 1, 1}, 0}, {{3, 1, 1}, 0}, {{}, ir::to_bits(std::int64_t{below(9)} - 2)}, {{}, huge()}};
    for (std::uint32_t d = 0; d < rank_; ++d) arguments_[0].extents[d] = 1 + below(24);
    for (std::uint32_t axis = 0; axis < domain_rank; ++axis) domain_[axis] = 1 + below(6);
    const auto statements = 1 + below(3);
    for (std::uint32_t k = 0; k < statements; ++k) statement(0);
  }

  image_builder& builder() { return b; }
  const std::vector<ir::launch_argument>& arguments() const { return arguments_; }
  const ir::extents& domain() const { return domain_; }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  std::uint64_t huge() { return below(2) == 0 ? random_() : ir::to_bits(std::int64_t{1} << (30 + below(33))); }
  std::uint32_t pick() { return scope_[below(static_cast<std::uint32_t>(scope_.size()))]; }

  std::uint32_t expression(int depth) {
    if (depth == 0 || below(4) == 0) return below(6) == 0 ? b.literal(std::int64_t{below(12)} - 3) : pick();
    const auto one = [&] { return expression(depth - 1); };
    const auto a = one();
    const auto c = one();
    switch (below(14)) {
      case 0:
      case 1:
      case 2: return b.add(a, c);
      case 3:
      case 4: return b.subtract(a, c);
      case 5: return b.multiply(a, c);
      case 6: return b.binary(below(2) == 0 ? op::minimum : op::maximum, a, c);
      case 7: return b.binary(below(2) == 0 ? op::divide : op::remainder, a, c);
      case 8: return b.binary(below(2) == 0 ? op::bit_and : below(2) == 0 ? op::bit_or : op::bit_xor, a, c);
      case 9: return b.binary(below(2) == 0 ? op::shift_left : op::shift_right, a, c);
      case 10: return b.unary(below(2) == 0 ? op::negate : below(2) == 0 ? op::absolute : op::bit_not, a);
      case 11: {
        const auto condition = this->condition(1);
        return b.select(condition, a, c);
      }
      default: {
        constexpr type narrow[] = {type::int8,   type::uint8, type::int16, type::uint16, type::int32, type::uint32,
                                   type::uint64, type::boolean, type::float64};
        const type t = narrow[below(9)];
        const auto x = b.cast(t, a);
        if (t == type::boolean) return b.cast(type::int64, x);
        return b.cast(type::int64, b.binary(below(2) == 0 ? op::add : op::multiply, x, b.cast(t, c)));
      }
    }
  }

  std::uint32_t condition(int depth) {
    if (depth > 0 && below(3) == 0) {
      const auto a = condition(depth - 1);
      const auto c = condition(depth - 1);
      if (below(4) == 0) return b.unary(op::logical_not, a);
      return b.binary(below(2) == 0 ? op::logical_and : op::logical_or, a, c);
    }
    constexpr op comparisons[] = {op::less, op::less, op::less_equal, op::equal, op::not_equal};
    const auto a = expression(1);
    const auto c = expression(1);
    return b.compare(comparisons[below(5)], a, c);
  }

  void access() {
    image_builder::list at;
    for (std::uint32_t d = 0; d < rank_; ++d) at.push_back(expression(static_cast<int>(below(3))));
    b.load(x_, at);
  }

  /// A region's nodes are forgotten at its end.
  template <class Body>
  void region(Body body) {
    const std::size_t before = scope_.size();
    body();
    scope_.resize(before);
  }

  void statement(int depth) {
    switch (depth > 2 ? 0 : below(8)) {
      case 0:
      case 1:
      case 2: access(); return;
      case 3: scope_.push_back(expression(2)); return access();
      case 4:
      case 5: {
        const auto part = b.if_(condition(2));
        region([&] { statement(depth + 1); });
        if (below(2) == 0) {
          b.else_(part);
          region([&] { statement(depth + 1); });
        }
        b.end(part);
        return;
      }
      case 6: {
        const auto begin = below(2) == 0 ? b.literal(std::int64_t{0}) : expression(1);
        const auto span = b.literal(std::int64_t{below(5)});
        const auto end = below(3) == 0 ? b.binary(op::minimum, pick(), b.add(begin, b.literal(std::int64_t{7})))
                                       : b.add(begin, span);
        const auto step = b.literal(std::int64_t{below(8) == 0 ? 0 : 1 + below(2)});
        const bool folds = below(2) == 0;
        const auto loop = folds ? b.fold(ir::fold_kind::sum, begin, end) : b.for_(begin, end, step);
        region([&] {
          scope_.push_back(loop);
          scope_.push_back(loop);
          statement(depth + 1);
          if (folds) b.yield(loop, loop);
        });
        b.end(loop);
        return;
      }
      default: {
        const auto choice = b.choose(condition(2));
        region([&] { statement(depth + 1), b.yield(choice, expression(1)); });
        b.else_(choice);
        region([&] { statement(depth + 1), b.yield(choice, expression(1)); });
        scope_.push_back(b.end(choice));
      }
    }
  }

  std::mt19937_64 random_;
  image_builder b;
  std::uint8_t rank_ = 1;
  std::uint32_t x_ = 0, small_ = 0, any_ = 0;
  std::vector<std::uint32_t> scope_;
  std::vector<ir::launch_argument> arguments_;
  ir::extents domain_{1, 1, 1};
};

/// Nodes that an index comes from, as launch.hpp says it: those of which the unguarded variant may say that none wraps.
std::vector<bool> index_cone(const ir::image_view& image) {
  std::vector<bool> in(image.nodes.size());
  std::map<std::uint32_t, std::vector<std::uint32_t>> yields;
  for (std::uint32_t n = 0; n < image.nodes.size(); ++n)
    if (image.nodes[n].code == op::yield) yields[image.operand(image.nodes[n], 0)].push_back(n);
  for (std::uint32_t n = static_cast<std::uint32_t>(image.nodes.size()); n-- > 0;) {
    const ir::node& at = image.nodes[n];
    if (at.code == op::load) {
      for (const std::uint32_t o : image.operands_of(at)) in[o] = true;
    } else if (in[n]) {
      for (const std::uint32_t o : image.operands_of(at)) in[o] = true;
      if (at.code == op::end)
        for (const std::uint32_t y : yields[image.operand(at, 0)]) in[y] = true;
    }
  }
  return in;
}

/// Whether the node's exact result does not fit its signed type.
bool wraps(const ir::image_view& image, const ir::node& at, const std::vector<std::uint64_t>& values) {
  if (!ir::is_signed(at.type)) return false;
  const auto of = [&](std::uint32_t k) { return int128{static_cast<std::int64_t>(values[image.operand(at, k)])}; };
  const auto width = static_cast<unsigned>(ir::properties(at.type).bits);
  int128 exact = 0;
  switch (at.code) {
    case op::negate: exact = -of(0); break;
    case op::absolute: exact = of(0) < 0 ? -of(0) : of(0); break;
    case op::add: exact = of(0) + of(1); break;
    case op::subtract: exact = of(0) - of(1); break;
    case op::multiply: exact = of(0) * of(1); break;
    case op::shift_left: exact = of(0) * (int128{1} << (static_cast<unsigned>(of(1)) % width)); break;
    default: return false;
  }
  return exact < -(int128{1} << (width - 1)) || exact >= int128{1} << (width - 1);
}

TEST_CASE("launch: random kernels agree with brute force") {
  int proved = 0;
  int guarded = 0;
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    random_kernel kernel(seed);
    const built_image built = kernel.builder().finish();
    const ir::image_view image = built.view();
    REQUIRE_NOTHROW(ir::check_structure(image));

    std::vector<ir::host_argument> arguments;
    std::vector<std::int8_t> memory(24 * 24 * 24);
    std::vector<std::int32_t> other(3);
    for (const ir::launch_argument& a : kernel.arguments()) arguments.push_back({nullptr, a.extents, {}, a.value});
    const auto& e = arguments[0].extents;
    arguments[0].data = memory.data();
    arguments[0].strides = image.parameters[0].rank == 1   ? ir::extents{1, 0, 0}
                           : image.parameters[0].rank == 2 ? ir::extents{e[1], 1, 0}
                                                           : ir::extents{e[1] * e[2], e[2], 1};
    arguments[1].data = other.data();
    arguments[1].strides[0] = 1;

    bool is_refused = false;
    bool is_guarded = false;
    try {
      is_guarded = ir::decide(image, kernel.arguments(), kernel.domain()).guarded;
    } catch (const error&) {
      is_refused = true;
    }
    ir::interpret_options options{.step_limit = 100'000};
    std::vector<std::uint64_t> values(image.nodes.size());
    const std::vector<bool> cone = index_cone(image);
    bool wrapped = false;
    options.trace = [&](const ir::extents&, std::uint32_t n, std::uint64_t bits) {
      values[n] = bits;
      if (cone[n]) wrapped = wrapped || wraps(image, image.nodes[n], values);
    };
    const ir::interpretation r = ir::interpret(image, arguments, kernel.domain(), options);
    if (r.found && r.found->kind == ir::problem_kind::too_many_steps) continue;
    const bool leaves = r.found && r.found->kind == ir::problem_kind::outside;
    INFO("seed " << seed << "\n" << ir::print(image) << (r.found ? r.found->sentence : ""));
    if (is_refused) {
      ++refused;
      CHECK(leaves);
    } else if (is_guarded) {
      ++guarded;
    } else {
      ++proved;
      CHECK(!r.found);
      CHECK(!wrapped);
    }
  }
  // The test is about something: every verdict is common.
  MESSAGE("proved " << proved << ", guarded " << guarded << ", refused " << refused);
  CHECK(proved > 300);
  CHECK(guarded > 300);
  CHECK(refused > 300);
}

TEST_CASE("launch: random covering stores agree with brute force") {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  int covered = 0;
  int refused = 0;
  for (int k = 0; k < 3000; ++k) {
    image_builder b("cover");
    const auto rank = static_cast<std::uint8_t>(1 + below(2));
    const auto y = b.out(type::int8, rank);
    b.given_domain(2);
    const ir::extents domain{1 + below(4), 1 + below(4), 1};
    const auto loop = b.for_(b.literal(below(3)), b.literal(below(4)), b.literal(1 + below(2)));
    const std::vector<std::uint32_t> atoms{b.id(0), b.id(1), loop};
    image_builder::list at;
    ir::extents extents{1, 1, 1};
    for (std::uint32_t d = 0; d < rank; ++d) {
      auto c = b.multiply(atoms[static_cast<std::size_t>(below(3))], b.literal(below(4) - 1));
      if (below(2) == 0) c = b.add(c, atoms[static_cast<std::size_t>(below(3))]);
      at.push_back(b.add(c, b.literal(below(4) == 0 ? below(5) : 0)));
      extents[d] = 1 + below(6);
    }
    b.covers(y, b.store(y, at, b.node(op::literal, type::int8)));
    b.end(loop);
    const built_image image = b.finish();
    std::vector<std::int8_t> memory(36);
    const ir::host_argument argument{memory.data(), extents, {rank == 1 ? 1 : extents[1], 1, 0}, 0};
    const ir::interpretation r =
        ir::interpret(image.view(), std::span(&argument, 1), domain, {.guarded = true, .races = false});
    bool is_refused = false;
    try {
      ir::decide(image.view(), ir::launch_arguments(std::span(&argument, 1)), domain);
    } catch (const error&) {
      is_refused = true;
    }
    INFO(ir::print(image.view()) << domain[0] << " x " << domain[1] << " over " << extents[0] << " x " << extents[1]);
    if (is_refused) {
      ++refused;
    } else if (r.faults.empty()) {
      ++covered;
      CHECK(!r.found);
    }
  }
  MESSAGE("covered " << covered << ", refused " << refused);
  CHECK(covered > 50);
  CHECK(refused > 50);
}

}  // namespace
}  // namespace selvage::test
