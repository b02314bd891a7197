// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interprets an image: one work-item after the other, node by node, a region as a range of nodes.
#include <selvage/error.hpp>
#include <selvage/ir/interpret.hpp>
#include <selvage/ir/meaning.hpp>

#include "evaluate.hpp"
#include "shadow.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <numeric>

namespace selvage::inline v0::ir {
namespace {

constexpr std::size_t most_faults = 1'000'000;

/// How a range of nodes ended.
enum class outcome : std::uint8_t {
  through,
  left,     ///< a test was false: its loop is over
  ended,    ///< this work-item is over
  stopped,  ///< everything is over: a problem was found
};

class interpreter {
 public:
  interpreter(const image_view& image, std::span<const host_argument> arguments, const extents& domain,
              const interpret_options& options)
      : image_(image), arguments_(arguments), domain_(domain), options_(options) {
    if (arguments.size() != image.parameters.size())
      throw error(error_code::invalid_argument, fmt::format("kernel '{}' has {} arguments, not {}", image.name,
                                                            image.parameters.size(), arguments.size()));
    for (std::uint32_t axis = image.header.domain_rank; axis < maximum_rank; ++axis) domain_[axis] = 1;
    values_.resize(image.nodes.size());
    assigned_.resize(image.nodes.size());
    find_regions();
    for (std::uint32_t p = 0; p < image.parameters.size(); ++p)
      shadows_.emplace_back(is_written(image.parameters[p].mode) ? elements_of(p) : 0);
  }

  interpretation run() {
    const std::uint64_t items = static_cast<std::uint64_t>(domain_[0]) * static_cast<std::uint64_t>(domain_[1]) *
                                static_cast<std::uint64_t>(domain_[2]);
    std::vector<std::uint64_t> order;
    if (options_.order == item_order::shuffled) order = shuffled(items);
    for (std::uint64_t k = 0; k < items && !result_.found; ++k) {
      const bool reverse = options_.order == item_order::reverse;
      run_item(!order.empty() ? order[k] : reverse ? items - 1 - k : k);
    }
    if (items != 0 && result_.clean()) check_covered();
    return std::move(result_);
  }

 private:
  void find_regions() {
    ends_.assign(image_.nodes.size(), no_node);
    elses_.assign(image_.nodes.size(), no_node);
    for (std::uint32_t n = 0; n < image_.nodes.size(); ++n) {
      const node& at = image_.nodes[n];
      if (at.code == operation::end) ends_[image_.operand(at, 0)] = n;
      if (at.code == operation::else_) elses_[image_.operand(at, 0)] = n;
    }
  }

  std::size_t elements_of(std::uint32_t p) const {
    std::size_t count = 1;
    for (std::uint32_t d = 0; d < image_.parameters[p].rank; ++d)
      count *= static_cast<std::size_t>(arguments_[p].extents[d]);
    return count;
  }

  std::vector<std::uint64_t> shuffled(std::uint64_t items) const {
    std::vector<std::uint64_t> order(items);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::uint64_t random = options_.seed;
    for (std::uint64_t k = items; k > 1; --k) {
      random = mix(random, k);
      std::swap(order[k - 1], order[random % k]);
    }
    return order;
  }

  void run_item(std::uint64_t index) {
    item_ = index + 1;
    for (std::uint32_t axis = maximum_rank; axis-- > 0;) {
      const auto extent = static_cast<std::uint64_t>(domain_[axis]);
      id_[axis] = static_cast<std::int64_t>(index % extent);
      index /= extent;
    }
    std::fill(assigned_.begin(), assigned_.end(), false);
    execute(0, static_cast<std::uint32_t>(image_.nodes.size()));
  }

  /// Executes the nodes [begin, end), whole regions at a time.
  outcome execute(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t n = begin; n < end; ++n) {
      if (!step(n)) return outcome::stopped;
      const node& at = image_.nodes[n];
      outcome result = outcome::through;
      if (opens_region(at.code)) {
        result = execute_region(n, at);
        n = ends_[n];
        if (result == outcome::through && image_.nodes[n].type != type::none) trace(n);
      } else {
        result = execute_node(n, at);
      }
      if (result != outcome::through) return result;
    }
    return outcome::through;
  }

  outcome execute_region(std::uint32_t n, const node& at) {
    switch (at.code) {
      case operation::if_:
      case operation::choose: return execute_condition(n, at);
      case operation::for_: return execute_for(n, at);
      case operation::fold: return execute_fold(n, at);
      default: return execute_while(n);
    }
  }

  outcome execute_condition(std::uint32_t n, const node& at) {
    const std::uint32_t other = elses_[n];
    if (operand(at, 0) != 0) return execute(n + 1, other != no_node ? other : ends_[n]);
    return other != no_node ? execute(other + 1, ends_[n]) : outcome::through;
  }

  outcome execute_for(std::uint32_t n, const node& at) {
    const std::int64_t begin = signed_operand(at, 0);
    const std::int64_t step_by = signed_operand(at, 2);
    const std::uint64_t trips = meaning::trip_count(begin, signed_operand(at, 1), step_by);
    for (std::uint64_t k = 0; k < trips; ++k) {
      if (!step(n)) return outcome::stopped;
      values_[n] = static_cast<std::uint64_t>(begin) + k * static_cast<std::uint64_t>(step_by);
      trace(n);
      if (const outcome r = execute(n + 1, ends_[n]); r != outcome::through) return r;
    }
    return outcome::through;
  }

  outcome execute_while(std::uint32_t n) {
    while (true) {
      if (!step(n)) return outcome::stopped;
      const outcome r = execute(n + 1, ends_[n]);
      if (r == outcome::left) return outcome::through;
      if (r != outcome::through) return r;
    }
  }

  /// The value so far stands at the `end` node, where `accumulator` reads and `yield` writes it.
  outcome execute_fold(std::uint32_t n, const node& at) {
    const auto kind = static_cast<fold_kind>(at.attribute);
    const std::uint32_t end = ends_[n];
    values_[end] = kind == fold_kind::ordered ? operand(at, 2) : identity_of(kind, image_.nodes[end].type);
    const std::int64_t begin = signed_operand(at, 0);
    const std::uint64_t trips = meaning::trip_count(begin, signed_operand(at, 1), 1);
    for (std::uint64_t k = 0; k < trips; ++k) {
      if (!step(n)) return outcome::stopped;
      values_[n] = static_cast<std::uint64_t>(begin) + k;
      trace(n);
      if (const outcome r = execute(n + 1, end); r != outcome::through) return r;
    }
    return outcome::through;
  }

  outcome execute_node(std::uint32_t n, const node& at) {
    switch (properties(at.code).kind) {
      case operation_kind::leaf: values_[n] = leaf(at); break;
      case operation_kind::unary:
      case operation_kind::binary:
      case operation_kind::comparison:
      case operation_kind::function:
      case operation_kind::ternary:
        values_[n] = evaluate(at.code, at.type, image_.operand_node(at, at.arity - 1U).type, operand(at, 0),
                              at.arity > 1 ? operand(at, 1) : 0, at.arity > 2 ? operand(at, 2) : 0);
        break;
      case operation_kind::memory: return access_memory(n, at);
      case operation_kind::variable: return access_variable(n, at);
      case operation_kind::statement: return outcome::through;
      case operation_kind::control: return execute_control(n, at);
    }
    trace(n);
    return outcome::through;
  }

  std::uint64_t leaf(const node& at) const {
    switch (at.code) {
      case operation::literal: return at.bits;
      case operation::value: return arguments_[at.attribute].value;
      case operation::extent: return to_bits(arguments_[at.attribute].extents[at.bits]);
      default: return to_bits(id_[at.attribute]);
    }
  }

  outcome execute_control(std::uint32_t n, const node& at) {
    if (at.code == operation::test) return operand(at, 1) != 0 ? outcome::through : outcome::left;
    const std::uint32_t opener = image_.operand(at, 0);
    const std::uint32_t end = ends_[opener];
    if (at.code == operation::accumulator) {
      values_[n] = values_[end];
      trace(n);
    } else {  // yield
      const node& region = image_.nodes[opener];
      const bool folds = region.code == operation::fold;
      const auto kind = static_cast<fold_kind>(region.attribute);
      values_[end] = folds ? combine(kind, at.type, values_[end], operand(at, 1)) : operand(at, 1);
    }
    return outcome::through;
  }

  outcome access_variable(std::uint32_t n, const node& at) {
    if (at.code == operation::variable) {
      assigned_[n] = at.arity == 1;
      if (at.arity == 1) values_[n] = operand(at, 0);
      return outcome::through;
    }
    const std::uint32_t variable = image_.operand(at, 0);
    if (at.code == operation::set) {
      assigned_[variable] = true;
      values_[variable] = operand(at, 1);
      return outcome::through;
    }
    if (!assigned_[variable])
      return stop(problem_kind::unassigned_variable, n, "a variable is read before it is written");
    values_[n] = values_[variable];
    trace(n);
    return outcome::through;
  }

  outcome access_memory(std::uint32_t n, const node& at) {
    const std::uint32_t p = at.attribute;
    const parameter& parameter = image_.parameters[p];
    const host_argument& argument = arguments_[p];
    std::size_t element = 0;
    std::ptrdiff_t offset = 0;
    coordinate_ = {};
    for (std::uint32_t d = 0; d < parameter.rank; ++d) {
      const std::int64_t index = signed_operand(at, d);
      if (index < 0 || index >= argument.extents[d]) return leave(n, at, d, index);
      coordinate_[d] = index;
      element = element * static_cast<std::size_t>(argument.extents[d]) + static_cast<std::size_t>(index);
      offset += index * argument.strides[d];
    }
    void* address = static_cast<std::byte*>(argument.data) + offset * properties(parameter.element).bytes;
    if (at.code == operation::load) {
      if (!check_load(n, parameter, p, element)) return outcome::stopped;
      values_[n] = load(parameter.element, address);
      trace(n);
    } else if (at.code == operation::atomic) {
      if (!check_store(n, parameter, p, element)) return outcome::stopped;
      values_[n] = load(parameter.element, address);
      store(parameter.element, address, changed(at, values_[n]));
      trace(n);
    } else {
      if (!check_store(n, parameter, p, element)) return outcome::stopped;
      store(parameter.element, address, operand(at, parameter.rank));
    }
    return outcome::through;
  }

  /// What an atomic operation leaves in memory where `before` was.
  std::uint64_t changed(const node& at, std::uint64_t before) const {
    const std::uint64_t value = operand(at, at.arity - 1U);
    const auto with = [&](operation o) { return evaluate(o, at.type, at.type, before, value, 0); };
    switch (static_cast<atomic_kind>(at.bits)) {
      case atomic_kind::add: return with(operation::add);
      case atomic_kind::minimum: return with(operation::minimum);
      case atomic_kind::maximum: return with(operation::maximum);
      case atomic_kind::bit_and: return with(operation::bit_and);
      case atomic_kind::bit_or: return with(operation::bit_or);
      case atomic_kind::bit_xor: return with(operation::bit_xor);
      case atomic_kind::exchange: return value;
      case atomic_kind::compare_exchange: return before == operand(at, at.arity - 2U) ? value : before;
    }
    return before;
  }

  /// An index is outside: a fault where the access is guarded.
  outcome leave(std::uint32_t n, const node& at, std::uint32_t dimension, std::int64_t index) {
    const std::int64_t extent = arguments_[at.attribute].extents[dimension];
    if (options_.guarded || (at.flags & node_flags::data_dependent) != 0) {
      fault_record r{.claimed = 1,
                     .node = n,
                     .parameter = at.attribute,
                     .dimension = dimension,
                     .index = index,
                     .extent = extent,
                     .id = {},
                     .reserved = 0};
      for (std::uint32_t axis = 0; axis < image_.header.domain_rank; ++axis) r.id[axis] = id_[axis];
      if (result_.faults.size() < most_faults) result_.faults.push_back(r);
      return outcome::ended;
    }
    coordinate_[dimension] = index;
    const outcome r = stop(problem_kind::outside, n,
                           fmt::format("index {} of dimension {} is outside extent {}", index, dimension, extent));
    result_.found->dimension = dimension;
    return r;
  }

  bool check_load(std::uint32_t n, const parameter& parameter, std::uint32_t p, std::size_t element) {
    if (!is_written(parameter.mode)) return true;
    if (parameter.mode == access::out && !shadows_[p].is_written(element)) {
      stop(problem_kind::unwritten, n, "an element that nothing has written is read: declare the argument inout");
      return false;
    }
    const std::optional<std::uint64_t> other = shadows_[p].read(element, item_);
    if (!other || !looks_for_races(parameter)) return true;
    stop(problem_kind::race, n, fmt::format("data race: an element is read that {} has written", name_of(*other)));
    return false;
  }

  bool check_store(std::uint32_t n, const parameter& parameter, std::uint32_t p, std::size_t element) {
    if (!is_written(parameter.mode)) {
      stop(problem_kind::read_only, n, "a read-only argument is written: declare it out or inout");
      return false;
    }
    const std::optional<std::uint64_t> other = shadows_[p].write(element, item_);
    if (!other || !looks_for_races(parameter)) return true;
    stop(problem_kind::race, n, fmt::format("data race: an element is written that {} has touched", name_of(*other)));
    return false;
  }

  bool looks_for_races(const parameter& p) const { return options_.races && (p.flags & parameter_flags::shared) == 0; }

  static std::uint64_t load(type t, const void* address) {
    return with_type(t, [address]<class T>() {
      std::conditional_t<std::is_same_v<T, bool>, unsigned char, T> v;
      std::memcpy(&v, address, sizeof(v));
      if constexpr (std::is_same_v<T, bool>) return to_bits(v != 0);
      else return to_bits(v);
    });
  }

  static void store(type t, void* address, std::uint64_t bits) {
    with_type(t, [address, bits]<class T>() {
      const T v = from_bits<T>(bits);
      std::memcpy(address, &v, sizeof(v));
    });
  }

  void check_covered() {
    for (std::uint32_t p = 0; p < image_.parameters.size(); ++p) {
      if (image_.parameters[p].mode != access::out) continue;
      for (std::size_t element = 0; element < shadows_[p].size(); ++element) {
        if (shadows_[p].is_written(element)) continue;
        coordinate_ = {};
        std::size_t rest = element;
        for (std::uint32_t d = image_.parameters[p].rank; d-- > 0;) {
          const auto extent = static_cast<std::size_t>(arguments_[p].extents[d]);
          coordinate_[d] = static_cast<std::int64_t>(rest % extent);
          rest /= extent;
        }
        result_.found =
            problem{.kind = problem_kind::not_covered, .parameter = p, .coordinate = coordinate_, .sentence = {}};
        result_.found->sentence = fmt::format(
            "kernel '{}', argument {} is out, but its element [{}] is never written: "
            "declare it inout",
            image_.name, p, list(coordinate_, image_.parameters[p].rank));
        return;
      }
    }
  }

  static std::string list(const extents& e, std::uint32_t rank) {
    return fmt::format("{}", fmt::join(e.begin(), e.begin() + rank, ", "));
  }

  /// Work-item counted from 1.
  std::string name_of(std::uint64_t item) const {
    if (item == shadow::several) return "other work-items";
    extents id{};
    std::uint64_t rest = item - 1;
    for (std::uint32_t axis = maximum_rank; axis-- > 0;) {
      id[axis] = static_cast<std::int64_t>(rest % static_cast<std::uint64_t>(domain_[axis]));
      rest /= static_cast<std::uint64_t>(domain_[axis]);
    }
    return fmt::format("work-item ({})", list(id, image_.header.domain_rank));
  }

  outcome stop(problem_kind kind, std::uint32_t n, const std::string& what) {
    const node& at = image_.nodes[n];
    const bool memory = properties(at.code).kind == operation_kind::memory;
    problem p{.kind = kind, .node = n, .item = {}, .sentence = {}};
    std::string where = fmt::format("kernel '{}'", image_.name);
    if (memory) {
      p.parameter = at.attribute;
      p.coordinate = coordinate_;
      where += fmt::format(", argument {}, element [{}]", at.attribute,
                           list(coordinate_, image_.parameters[at.attribute].rank));
    }
    for (std::uint32_t axis = 0; axis < image_.header.domain_rank; ++axis) p.item[axis] = id_[axis];
    p.sentence = fmt::format("{}: {}, {} at node {}", where, what, name_of(item_), n);
    if (at.line != 0) p.sentence += fmt::format(" (line {})", at.line);
    result_.found = std::move(p);
    return outcome::stopped;
  }

  bool step(std::uint32_t n) {
    if (result_.steps++ < options_.step_limit) return true;
    stop(problem_kind::too_many_steps, n, fmt::format("more than {} steps: a loop may not end", options_.step_limit));
    return false;
  }

  void trace(std::uint32_t n) const {
    if (options_.trace) options_.trace(id_, n, values_[n]);
  }

  std::uint64_t operand(const node& at, std::uint32_t k) const { return values_[image_.operand(at, k)]; }
  std::int64_t signed_operand(const node& at, std::uint32_t k) const { return from_bits<std::int64_t>(operand(at, k)); }

  const image_view& image_;
  std::span<const host_argument> arguments_;
  extents domain_;
  const interpret_options& options_;
  std::vector<std::uint32_t> ends_;    ///< by opening node
  std::vector<std::uint32_t> elses_;   ///< by opening node, no_node if there is none
  std::vector<std::uint64_t> values_;  ///< by node: its value; of a variable what it holds
  std::vector<bool> assigned_;         ///< by variable
  std::vector<shadow> shadows_;        ///< by parameter
  extents id_{};
  std::uint64_t item_ = 0;  ///< counted from 1
  extents coordinate_{};    ///< of the access at hand
  interpretation result_;
};

}  // namespace

interpretation interpret(const image_view& image, std::span<const host_argument> arguments, const extents& domain,
                         const interpret_options& options) {
  return interpreter(image, arguments, domain, options).run();
}

std::vector<launch_argument> launch_arguments(std::span<const host_argument> arguments) {
  std::vector<launch_argument> list;
  for (const host_argument& a : arguments) list.push_back({a.extents, a.value});
  return list;
}

}  // namespace selvage::inline v0::ir
