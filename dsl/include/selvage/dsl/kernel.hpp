// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernel<"name">(lambda): records the lambda, verifies it, and gives the kernel as a constant.
#pragma once

#include <selvage/dsl/detail/finish.hpp>
#include <selvage/dsl/diagnose.hpp>
#include <selvage/dsl/scope.hpp>
#include <selvage/dsl/view.hpp>
#include <selvage/ir/verify.hpp>

#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace selvage::inline v0 {

/// A kernel's name as a template argument.
template <std::size_t N>
struct fixed_string {
  char characters[N]{};
  constexpr fixed_string(const char (&text)[N]) { std::copy_n(text, N, characters); }  // NOLINT
  constexpr std::string_view view() const { return {characters, N - 1}; }
};

namespace detail {
/// A name is printed, and names files: one character at least, none that controls a terminal.
constexpr bool is_name(std::string_view name) {
  const auto controls = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return !name.empty() && std::none_of(name.begin(), name.end(), controls);
}
}  // namespace detail

/// Options of a kernel, `sv::kernel<"name", sv::fast>(...)`.
enum class kernel_option : std::uint32_t {
  none = 0,
  fast = ir::options::fast,  ///< floating-point arithmetic may be reassociated and approximated
};
inline constexpr kernel_option fast = kernel_option::fast;

namespace detail {

namespace hana = boost::hana;

template <class F>
struct parameters_of {
  static constexpr bool typed = false;
  using list = hana::tuple<>;
};
template <class C, class R, class... P>
struct parameters_of<R (C::*)(P...) const> {
  static constexpr bool typed = true;
  static constexpr bool returns_nothing = std::is_void_v<R>;
  using list = hana::tuple<hana::basic_type<P>...>;
};
template <class F>
concept typed_lambda = requires {
  &F::operator();
};

template <class P>
inline constexpr bool is_scope = std::is_same_v<P, scope>;
template <class P>
concept kernel_parameter = requires {
  typename P::element;
  { P::mode } -> std::convertible_to<ir::access>;
  { P::rank } -> std::convertible_to<int>;
};

/// The parameters of a kernel, its scope left out.
template <class List>
struct signature_of;
template <class... P>
struct signature_of<hana::tuple<hana::basic_type<P>...>> {
  static constexpr bool valid = ((is_scope<P> || kernel_parameter<P>)&&...);
  static constexpr std::size_t size = ((is_scope<P> ? 0 : 1) + ... + 0);
  using arguments =
      decltype(std::tuple_cat(std::declval<std::conditional_t<is_scope<P>, std::tuple<>, std::tuple<P>>>()...));
  /// Position among the arguments of the launch, by position in the lambda.
  static constexpr std::array<std::uint32_t, sizeof...(P) + 1> positions = [] {
    std::array<std::uint32_t, sizeof...(P) + 1> result{};
    std::uint32_t next = 0;
    std::size_t k = 0;
    ((result[k++] = is_scope<P> ? next : next++), ...);
    return result;
  }();
};

template <class P>
constexpr ir::parameter describe() {
  return {ir::type_of<typename P::element>(), P::mode, P::rank, 0, ir::no_node};
}

template <class P>
constexpr P make_parameter(recorder* r, std::uint32_t position) {
  if constexpr (is_scope<P>)
    return P(r);
  else
    return P(r, position);
}

/// The arguments of the launch, as the image describes them.
template <class... P>
constexpr auto describe_all(hana::tuple<hana::basic_type<P>...>) {
  std::array<ir::parameter, signature_of<hana::tuple<hana::basic_type<P>...>>::size + 1> result{};
  std::size_t k = 0;
  const auto one = [&]<class Q>(hana::basic_type<Q>) {
    if constexpr (!is_scope<Q>) result[k++] = describe<Q>();
  };
  (one(hana::basic_type<P>{}), ...);
  return result;
}

template <class F, class... P>
constexpr void record(recorder& r, hana::tuple<hana::basic_type<P>...>) {
  using signature = signature_of<hana::tuple<hana::basic_type<P>...>>;
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    F{}(make_parameter<P>(&r, signature::positions[K])...);
  }
  (std::index_sequence_for<P...>{});
}

constexpr std::uint32_t feature(ir::type t) {
  if (t == ir::type::float64) return ir::features::float64;
  return t == ir::type::int64 || t == ir::type::uint64 ? ir::features::int64 : 0;
}

/// Room for a kernel's tables.
struct image_size {
  std::size_t nodes = 0, operands = 0, file = 0;
};

template <class F>
using parameter_list = typename parameters_of<decltype(&F::operator())>::list;

template <class F>
constexpr image_size measure() {
  recorder r;
  record<F>(r, parameter_list<F>{});
  const std::uint32_t room = finisher::room * r.lazy;
  return {r.nodes.size() + room, r.operands.size() + room, std::string_view(r.file).size()};
}

/// The size of the lambda's image, if it can be recorded at compile time, else nothing: an error in the lambda's body,
/// which the compiler has told already, shall not be followed by more.
template <image_size Size>
struct measured {
  static constexpr bool constant = true;
  static constexpr image_size size = Size;
};
struct not_constant {
  static constexpr bool constant = false;
};
template <class F, image_size Size = measure<F>()>
measured<Size> try_to_measure(int);
template <class F>
not_constant try_to_measure(...);
/// Kept in a class, so that the lambda is recorded for it once.
template <class F>
struct measurement {
  using type = decltype(try_to_measure<F>(0));
};

/// Everything the host compiler makes of one lambda: each step a constant, evaluated once, with its own budget of
/// steps.
template <fixed_string Name, kernel_option Option, class F>
struct recorded {
  using list = parameter_list<F>;
  static constexpr std::size_t parameter_count = signature_of<list>::size;
  static constexpr auto parameters = describe_all(list{});
  using measure = typename measurement<F>::type;
  static constexpr image_size size = measure::size;

  static constexpr std::size_t text = Name.view().size() + size.file;
  template <std::size_t Nodes, std::size_t Operands>
  using stored = ir::stored_image<parameter_count, Nodes, Operands, text>;

  /// The finished tables, header without sums, with more room than it takes.
  struct roomy {
    stored<size.nodes, size.operands> image{};
    ir::refusal refused;
  };
  static constexpr roomy tables = [] {
    recorder r;
    record<F>(r, list{});
    roomy result;
    auto& image = result.image;
    const finisher f(r, parameters.data(), image.nodes.data(), image.operands.data());
    std::copy_n(parameters.data(), parameter_count, image.parameters.data());
    std::copy_n(Name.characters, Name.view().size(), image.text.data());
    std::copy_n(r.file, size.file, image.text.data() + Name.view().size());
    ir::image_header& h = image.header;
    h.parameters = parameter_count;
    h.nodes = f.nodes;
    h.operands = f.operands;
    h.length = static_cast<std::uint32_t>(ir::image_layout::of(parameter_count, f.nodes, f.operands, text).length);
    h.name_length = static_cast<std::uint32_t>(Name.view().size());
    h.file_length = static_cast<std::uint32_t>(size.file);
    h.options = static_cast<std::uint32_t>(Option);
    h.domain = f.domain;
    if (f.domain != ir::no_node) {
      h.line = image.nodes.data()[f.domain].line;
      h.domain_rank = image.nodes.data()[f.domain].attribute;
    }
    for (const ir::parameter& p : parameters) h.features |= feature(p.element);
    const ir::node* const nodes = image.nodes.data();
    for (std::uint32_t k = 0; k < f.nodes; ++k) {
      if (nodes[k].type == type::float64) h.features |= ir::features::float64;
      if (nodes[k].code == ir::operation::atomic)
        image.parameters.data()[nodes[k].attribute].flags |= ir::parameter_flags::shared;
    }
    result.refused = r.refused;
    return result;
  }();

  struct verdict {
    ir::refusal refused;
    std::array<std::uint32_t, parameter_count + 1> covering_stores{};
  };
  static constexpr verdict verified = [] {
    verdict v;
    v.refused = tables.refused;
    if (v.refused.what == rule::none) v.refused = ir::verify(tables.image.view(), v.covering_stores);
    return v;
  }();

  using image_type = stored<tables.image.header.nodes, tables.image.header.operands>;
  static constexpr image_type image = [] {
    image_type result{};
    if constexpr (std::is_same_v<image_type, stored<size.nodes, size.operands>>) {
      result = tables.image;
    } else {
      result.header = tables.image.header;
      result.parameters = tables.image.parameters;
      std::copy_n(tables.image.nodes.data(), result.header.nodes, result.nodes.data());
      std::copy_n(tables.image.operands.data(), result.header.operands, result.operands.data());
      result.text = tables.image.text;
    }
    for (std::size_t k = 0; k < parameter_count; ++k)
      result.parameters.data()[k].covering_store = verified.covering_stores[k];
    result.header.content_hash = ir::content_hash(result.view());
    result.header.source_hash = ir::source_hash(result.view());
    result.header.checksum = ir::header_checksum(result.header);
    return result;
  }();
};

}  // namespace detail

namespace detail {
/// Stands for the image of a kernel that has none, beside the error that says why.
inline constexpr ir::stored_image<0, 1, 0, 0> no_image = [] {
  ir::stored_image<0, 1, 0, 0> image{};
  image.header.nodes = 1;
  image.header.domain = 0;
  image.header.domain_rank = 1;
  image.nodes.data()[0].code = ir::operation::domain;
  image.nodes.data()[0].arity = 1;  // not given at the launch
  return image;
}();
}  // namespace detail

/// A kernel: a constant without state, whose image is a static constant of its type.
template <fixed_string Name, kernel_option Option, class F>
class kernel_of {
  using recorded = detail::recorded<Name, Option, F>;

 public:
  /// std::tuple of the parameters that are arguments of a launch: all but the scope.
  using signature = typename detail::signature_of<detail::parameter_list<F>>::arguments;

  /// The kernel's image, a selvage::ir::stored_image.
  static constexpr const auto& image() {
    constexpr bool is_recorded = detail::measurement<F>::type::constant;
    static_assert(
        is_recorded,
        "selvage: this kernel could not be recorded at compile time: an error before this one says why; if there "
        "is none, it calls a function that is not constexpr, or it is so long that the compiler needs "
        "-fconstexpr-steps=N (clang) or -fconstexpr-ops-limit=N (g++)");
    if constexpr (is_recorded)
      return recorded::image;
    else
      return detail::no_image;
  }

  static constexpr std::string_view name() { return Name.view(); }

  /// The kernel on a device (its default queue) or a queue: `k.on(device)(arguments...)` launches it.
  /// Needs selvage/runtime.hpp.
  template <class Where>
  auto on(Where&& where) const {
    return make_launcher(*this, std::forward<Where>(where));
  }
};

namespace detail {
/// Takes what a launch takes, and does nothing.
struct refused_launch {
  template <class... A>
  constexpr refused_launch over(A&&...) const {
    return {};
  }
  template <class... A>
  constexpr refused_launch operator()(A&&...) const {
    return {};
  }
  constexpr void wait() const {}
};
}  // namespace detail

/// What stands for a kernel that was refused, so that the refusal is the only error.
struct refused {
  static constexpr const auto& image() { return detail::no_image; }
  template <class Where>
  constexpr detail::refused_launch on(Where&&) const {
    return {};
  }
};

/// Records a kernel. `lambda` takes sv::in, sv::out, sv::inout, sv::value and at most one sv::scope, captures nothing
/// and returns nothing. A kernel that breaks a rule does not compile; the message says the rule, the argument and the
/// cure.
template <fixed_string Name, kernel_option Option = kernel_option::none, class F>
constexpr auto kernel(F) {
  static_assert(detail::is_name(Name.view()), "selvage: a kernel's name is not empty and has no control characters");
  static_assert(std::is_empty_v<F>,
                "selvage: a kernel cannot capture: pass what it needs as sv::value or a view, or make it constexpr");
  if constexpr (!std::is_empty_v<F> || !detail::is_name(Name.view())) {
    return refused{};
  } else {
    static_assert(detail::typed_lambda<F>, "selvage: a kernel's parameters have types: sv::in<double> x, not auto x");
    if constexpr (!detail::typed_lambda<F>) {
      return refused{};
    } else {
      using traits = detail::parameters_of<decltype(&F::operator())>;
      using signature = detail::signature_of<typename traits::list>;
      static_assert(signature::valid,
                    "selvage: a kernel's parameters are sv::in, sv::out, sv::inout, sv::value or sv::scope, "
                    "by value");
      static_assert(traits::returns_nothing, "selvage: a kernel returns nothing: write its result to an argument");
      static_assert(signature::size <= ir::maximum_parameters, "selvage: a kernel has at most 64 arguments");
      if constexpr (!signature::valid || !traits::returns_nothing || signature::size > ir::maximum_parameters) {
        return refused{};
      } else {
        if constexpr (detail::measurement<F>::type::constant) {
          constexpr ir::refusal found = detail::recorded<Name, Option, F>::verified.refused;
          if constexpr (found.what != ir::rule::none)
            detail::refused_kernel<found.what, found.argument, detail::at_line<found.line>>::say();
        }
        return kernel_of<Name, Option, F>{};
      }
    }
  }
}

/// Keeps a kernel's image in the object file although nothing here launches it: for kernels in a library of their own.
#define SELVAGE_EXPORT(kernel) [[gnu::used]] static const auto* const selvage_export_##kernel = &(kernel).image()

}  // namespace selvage::inline v0
