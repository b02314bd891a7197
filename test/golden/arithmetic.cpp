// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic: contraction, defined integer division and shifts, saturating casts, minima and maxima, mathematics.
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto integers = sv::kernel<"integers">([](sv::inout<int> y, sv::in<int> x) {
  auto i = sv::global_id(y);
  y(i) = (y(i) / x(i)) + (y(i) % x(i)) + (y(i) << x(i)) + (y(i) >> x(i)) + y(i) / 3;
});
SELVAGE_EXPORT(integers);
// RUN: selvagec %object --kernel integers --emit=llvm-raw --target=sm_90 | FileCheck %s --check-prefix=INT
// User arithmetic may wrap; a divisor of 0 or -1 never reaches the machine's division, a literal one needs no care.
// INT: icmp eq i32 %{{.*}}, 0
// INT: sdiv i32
// INT: srem i32
// INT: and i32 %{{.*}}, 31
// INT: shl i32
// INT: and i32 %{{.*}}, 31
// INT: ashr i32
// INT: sdiv i32 %{{.*}}, 3
// INT: add i32
// INT-NOT: add nsw i32

inline constexpr auto casts = sv::kernel<"casts">([](sv::inout<double> y, sv::out<int> z, sv::out<unsigned char> b) {
  auto i = sv::global_id(y);
  z(i) = sv::cast<int>(y(i));
  b(i) = sv::cast<unsigned char>(y(i));
  y(i) = sv::cast<double>(sv::cast<float>(y(i)));
});
SELVAGE_EXPORT(casts);
// RUN: selvagec %object --kernel casts --emit=llvm-raw --target=sm_90 | FileCheck %s --check-prefix=CAST
// CAST: call i32 @llvm.fptosi.sat.i32.f64
// CAST: call i8 @llvm.fptoui.sat.i8.f64
// CAST: fptrunc
// CAST: fpext

inline constexpr auto floats = sv::kernel<"floats">([](sv::inout<double> y, sv::in<double> x) {
  auto i = sv::global_id(y);
  y(i) = sv::min(y(i), x(i)) + sv::max(x(i), 0.0) * sv::fma(x(i), x(i), 1.0) + sv::sqrt(sv::abs(x(i)));
});
SELVAGE_EXPORT(floats);
// RUN: selvagec %object --kernel floats --emit=llvm-raw --target=x86-64-v3 | FileCheck %s --check-prefix=FLOAT
// FLOAT-DAG: @llvm.minimumnum.f64
// FLOAT-DAG: @llvm.maximumnum.f64
// FLOAT-DAG: @llvm.fma.f64
// FLOAT-DAG: @llvm.sqrt.f64
// FLOAT-DAG: fmul contract double
// FLOAT-DAG: fadd contract double
// FLOAT-NOT: fast
// RUN: selvagec %object --kernel floats --emit=ptx --target=sm_90 | FileCheck %s --check-prefix=PTX
// PTX: sqrt.rn.f64

inline constexpr auto fast = sv::kernel<"fast", sv::fast>([](sv::inout<double> y) {
  auto i = sv::global_id(y);
  y(i) = y(i) * y(i) + 1.0;
});
SELVAGE_EXPORT(fast);
// RUN: selvagec %object --kernel fast --emit=llvm-raw --target=x86-64-v3 | FileCheck %s --check-prefix=FAST
// `fast` reassociates and approximates; it does not promise that there is no NaN or infinity.
// FAST: fmul reassoc nsz arcp contract afn double
// FAST: fadd reassoc nsz arcp contract afn double

inline constexpr auto mathematics = sv::kernel<"mathematics">([](sv::inout<double> y) {
  auto i = sv::global_id(y);
  y(i) = sv::exp(y(i));
});
SELVAGE_EXPORT(mathematics);
// On the host a loop over exp calls libmvec; on NVPTX libclc's code is linked and nothing remains to be called.
// RUN: selvagec %object --kernel mathematics --emit=asm --target=x86-64-v3 --variant=unguarded,contiguous | FileCheck %s --check-prefix=LIBMVEC
// LIBMVEC: _ZGVdN4v_exp
// RUN: selvagec %object --kernel mathematics --emit=ptx --target=sm_90 | FileCheck %s --check-prefix=CLC
// CLC-NOT: call
// CLC: ret;
// CLC-NOT: call
