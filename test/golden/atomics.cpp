// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations: an instruction where the target has one of this meaning, else a loop of compare-exchanges. All are
// relaxed, for the device; what they work on is not noalias.
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto atomics = sv::kernel<"atomics">([](sv::inout<double> sums, sv::inout<int> least, sv::inout<float> most,
                                                         sv::in<std::int64_t> bin, sv::in<double> x) {
  auto i = sv::global_id(bin);
  sv::atomic_add(sums(bin(i)), x(i));
  sv::atomic_min(least(bin(i)), sv::cast<int>(x(i)));
  sv::atomic_max(most(bin(i)), sv::cast<float>(x(i)));
});
SELVAGE_EXPORT(atomics);

// RUN: selvagec %object --kernel atomics --emit=image | FileCheck %s --check-prefix=IMAGE
// IMAGE: atomic float64 add argument 0 [
// IMAGE-SAME: guarded
// IMAGE: atomic int32 minimum argument 1 [
// IMAGE: atomic float32 maximum argument 2 [

// RUN: selvagec %object --kernel atomics --emit=llvm --target=sm_90 | FileCheck %s --check-prefix=NVPTX
// RUN: selvagec %object --kernel atomics --emit=llvm --target=sm_90 | FileCheck %s --check-prefix=SHARED
// The arguments of the atomic operations are not noalias, the others are.
// SHARED: define {{.*}}@atomics(ptr addrspace(1) noundef nonnull align 8 {{.*}}%a0,
// SHARED-SAME: ptr addrspace(1) noundef nonnull align 4 {{.*}}%a1,
// SHARED-SAME: ptr addrspace(1) noundef nonnull align 4 {{.*}}%a2,
// SHARED-SAME: ptr addrspace(1) noalias noundef nonnull readonly align 8 {{.*}}%a3,
// NVPTX: atomicrmw fadd ptr addrspace(1) {{.*}} syncscope("device") monotonic, align 8
// NVPTX: atomicrmw min ptr addrspace(1) {{.*}} syncscope("device") monotonic, align 4
// NVPTX: again:
// NVPTX: call {{.*}}float @llvm.maximumnum.f32
// NVPTX: cmpxchg ptr addrspace(1) {{.*}} syncscope("device") monotonic monotonic, align 4

// RUN: selvagec %object --kernel atomics --emit=ptx | FileCheck %s --check-prefix=PTX
// PTX: atom{{.*}}.global.add.f64
// PTX: atom{{.*}}.global.min.s32
// PTX: atom{{.*}}.global.cas.b32

// RUN: selvagec %object --kernel atomics --emit=amdgcn --target=gfx942 | FileCheck %s --check-prefix=GFX
// RUN: selvagec %object --kernel atomics --emit=amdgcn --target=gfx1100 | FileCheck %s --check-prefix=GFX
// GFX: global_atomic_cmpswap
// GFX: s_endpgm

// RUN: selvagec %object --kernel atomics --emit=spirv | FileCheck %s --check-prefix=SPIRV
// SPIRV: OpCapability Int64Atomics
// SPIRV-DAG: OpAtomicCompareExchange
// SPIRV-DAG: OpAtomicSMin

// RUN: selvagec %object --kernel atomics --emit=llvm --target=x86-64-v3 | FileCheck %s --check-prefix=X86
// X86: atomicrmw fadd ptr {{.*}} monotonic, align 8
// X86: atomicrmw min ptr {{.*}} monotonic, align 4
// X86: cmpxchg ptr {{.*}} monotonic monotonic, align 4
