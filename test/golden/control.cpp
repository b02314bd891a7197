// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow: branches, loops, variables, folds, and values under a condition.
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto branch = sv::kernel<"branch">([](sv::scope k, sv::out<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
  k.if_(x(i) > 0.0, [&] { y(i) = 1.0; }).else_([&] { y(i) = -1.0; });
});
SELVAGE_EXPORT(branch);
// RUN: selvagec %object --kernel branch --emit=llvm-raw --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=IF
// IF: fcmp {{.*}}olt double 0.000000e+00, %load.a1
// IF: br i1
// IF: store double 1.000000e+00
// IF: store double -1.000000e+00

inline constexpr auto lazy = sv::kernel<"lazy">([](sv::scope k, sv::inout<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
  k.if_(i > 0 && x(i - 1) > 0.0, [&] { y(i) = 1.0; });
});
SELVAGE_EXPORT(lazy);
// The load on the right of && happens only where the left holds, before and after optimisation.
// RUN: selvagec %object --kernel lazy --emit=llvm --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=LAZY
// LAZY: icmp ne i64 %id.0, 0
// LAZY-NOT: load
// LAZY: br i1
// LAZY: load double
// RUN: selvagec %object --kernel lazy --emit=image | FileCheck %s --check-prefix=IMAGE
// IMAGE: choose
// IMAGE: load
// IMAGE: else

inline constexpr auto loops = sv::kernel<"loops">([](sv::scope k, sv::inout<double, 2> u, sv::value<double> eps) {
  auto i = sv::global_id(u.extent(0));
  k.for_(u.extent(1), [&](auto j) { u(i, j) *= 2.0; });
  auto e = k.var(1.0);
  auto n = k.var(0);
  k.while_([&] { return e > eps && n < 60; }, [&] {
    e *= 0.5;
    n += 1;
  });
  k.for_(u.extent(1), [&](auto j) { u(i, j) += sv::cast<double>(n); });
});
SELVAGE_EXPORT(loops);
// Variables live in registers; loops stay loops with one counter.
// RUN: selvagec %object --kernel loops --emit=llvm --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=LOOP
// LOOP-NOT: alloca
// LOOP: phi double
// LOOP: fmul {{.*}}double %{{.*}}, 5.000000e-01
// LOOP-NOT: alloca

inline constexpr auto matmul = sv::kernel<"matmul">([](sv::out<double, 2> c, sv::in<double, 2> a, sv::in<double, 2> b) {
  auto [i, j] = sv::global_id(c);
  c(i, j) = sv::sum(a.extent(1), [=](auto k) { return a(i, k) * b(k, j); });
});
SELVAGE_EXPORT(matmul);
// A sum may be reassociated, and nothing else may.
// RUN: selvagec %object --kernel matmul --emit=llvm-raw --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=SUM
// SUM: fmul contract double
// SUM: fadd reassoc {{.*}}contract double
// RUN: selvagec %object --kernel matmul --emit=ptx --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=PTX
// PTX: ld.global.nc.b64
// PTX: fma.rn.f64
// PTX: st.global.b64
// RUN: selvagec %object --kernel matmul --emit=asm --target=x86-64-v3 --variant=unguarded,contiguous | FileCheck %s --check-prefix=CPU
// CPU: vfmadd{{[0-9]*}}pd

inline constexpr auto ordered = sv::kernel<"ordered">([](sv::out<double> s, sv::in<double, 2> a) {
  auto i = sv::global_id(s);
  s(i) = sv::fold(0, a.extent(1), 0.0, [=](auto sum, auto k) { return sum + a(i, k); });
});
SELVAGE_EXPORT(ordered);
// RUN: selvagec %object --kernel ordered --emit=llvm-raw --target=sm_90 | FileCheck %s --check-prefix=ORDERED
// ORDERED: fadd contract double
// ORDERED-NOT: reassoc

inline constexpr auto extremes = sv::kernel<"extremes">([](sv::out<float> s, sv::out<bool> t, sv::in<float, 2> a) {
  auto i = sv::global_id(s);
  s(i) = sv::min(a.extent(1), [=](auto k) { return a(i, k); });
  t(i) = sv::any(a.extent(1), [=](auto k) { return a(i, k) > 0.0f; });
});
SELVAGE_EXPORT(extremes);
// RUN: selvagec %object --kernel extremes --emit=llvm-raw --target=sm_90 | FileCheck %s --check-prefix=EXTREMES
// EXTREMES: phi float [ 0x7FF0000000000000
// EXTREMES: @llvm.minimumnum.f32
// EXTREMES: phi i1 [ false
