// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments and accesses: attributes, invariant loads, guards, strides, neighbours.
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto daxpy = sv::kernel<"daxpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});
SELVAGE_EXPORT(daxpy);
// RUN: selvagec %object --kernel daxpy --emit=llvm --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=GPU
// GPU: define ptx_kernel void @daxpy(
// GPU-SAME: ptr addrspace(1) noalias noundef nonnull align 8 {{[^,]*}}%a0
// GPU-SAME: ptr addrspace(1) noalias noundef nonnull readonly align 8 {{[^,]*}}%a1
// GPU: icmp {{.*}}ult i64 %id.0, %domain.0
// GPU: br i1
// GPU-NOT: br i1
// GPU: load double, {{.*}} !invariant.load
// GPU: load double, ptr addrspace(1) %at.a0, align 8{{$}}
// GPU-NOT: br i1
// GPU: store double
// GPU: ret void
// RUN: selvagec %object --kernel daxpy --emit=ptx --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=PTX
// PTX: ld.global.nc.b64
// PTX: ld.global.b64
// PTX: fma.rn.f64
// PTX: st.global.b64
// RUN: selvagec %object --kernel daxpy --emit=llvm --target=x86-64-v3 --variant=unguarded,contiguous | FileCheck %s --check-prefix=CPU
// CPU: define internal {{.*}}@daxpy.work_items(ptr noalias {{[^,]*}}%a0, ptr noalias {{[^,]*}}readonly {{[^,]*}}%a1
// CPU: load <4 x double>, {{.*}}!invariant.load
// CPU: store <4 x double>
// CPU: define void @daxpy(ptr {{[^,]*}}%block, ptr {{[^,]*}}%begin, ptr {{[^,]*}}%end)
// RUN: selvagec %object --kernel daxpy --emit=llvm-raw --target=x86-64-v3 | FileCheck %s --check-prefix=RAW
// RAW-DAG: ptr noalias {{[^,]*}}%a0
// RAW-DAG: ptr noalias {{[^,]*}}readonly {{[^,]*}}%a1

// In the guarded variant a launch-decidable access is checked; whoever fails records it and ends.
// RUN: selvagec %object --kernel daxpy --emit=llvm --target=sm_90 --variant=guarded,contiguous | FileCheck %s --check-prefix=GUARD
// GUARD: cmpxchg ptr addrspace(1) %fault, i32 0, i32 1 {{.*}}monotonic monotonic
// GUARD-NOT: trap

inline constexpr auto copy = sv::kernel<"copy">([](sv::out<float, 2> y, sv::in<float, 2> x) {
  auto [i, j] = sv::global_id(y);
  y(i, j) = x(i, j);
});
SELVAGE_EXPORT(copy);
// RUN: selvagec %object --kernel copy --emit=llvm --target=sm_90 --variant=unguarded | FileCheck %s --check-prefix=STRIDED
// STRIDED: ptr addrspace(1) noalias noundef nonnull writeonly align 4 {{[^,]*}}%a0
// STRIDED: mul {{.*}}%a1.stride.0
// STRIDED: mul {{.*}}%a1.stride.1

inline constexpr auto gather = sv::kernel<"gather">([](sv::out<double> y, sv::in<double> x, sv::in<int> index) {
  auto i = sv::global_id(y);
  y(i) = x(index(i));
});
SELVAGE_EXPORT(gather);
// A data-dependent index is checked in every variant, unsigned, so that a negative one is outside too.
// RUN: selvagec %object --kernel gather --emit=llvm --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=GATHER
// GATHER: load i32, ptr addrspace(1) %at.a2
// GATHER: icmp {{.*}}%a1.extent.0
// GATHER: load double, ptr addrspace(1) %at.a1
// GATHER: cmpxchg

inline constexpr auto stencil = sv::kernel<"stencil">([](sv::inout<double, 2> y, sv::in<double, 2> x) {
  auto [i, j] = sv::global_id(x.extent(0) - 2, x.extent(1) - 2);
  y(i + 1, j + 1) = x(i, j + 1) + x(i + 2, j + 1) + x(i + 1, j) + x(i + 1, j + 2);
});
SELVAGE_EXPORT(stencil);
// Neighbours share one multiplication: one for each of the two views.
// RUN: selvagec %object --kernel stencil --emit=llvm --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=STENCIL
// STENCIL-COUNT-2: mul
// STENCIL-NOT: mul
// STENCIL: ret void
// Where 32 bits address every element, they do all the arithmetic, and a literal along the fastest axis is added last.
// RUN: selvagec %object --kernel stencil --emit=llvm --target=sm_90 --variant=unguarded,contiguous,narrow | FileCheck %s --check-prefix=NARROW
// NARROW: icmp ult i32
// NARROW-NOT: mul i64
// NARROW: sext i32 {{.*}} to i64
// NARROW-NOT: mul i64
// NARROW: getelementptr i8, ptr addrspace(1) {{.*}}, i64 8
// NARROW-NOT: mul i64
// NARROW: ret void

inline constexpr auto flags = sv::kernel<"flags">([](sv::inout<bool> y, sv::in<bool> x) {
  auto i = sv::global_id(y);
  y(i) = x(i) && !y(i);
});
SELVAGE_EXPORT(flags);
// A bool is one byte in memory, and true if it is not 0.
// RUN: selvagec %object --kernel flags --emit=llvm-raw --target=sm_90 | FileCheck %s --check-prefix=BOOL
// BOOL: load i8
// BOOL: icmp ne i8 {{.*}}, 0
// BOOL: zext i1 {{.*}} to i8
// BOOL: store i8
