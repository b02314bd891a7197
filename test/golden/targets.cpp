// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel for every family of targets, side by side: what differs is where a work-item's id comes from, which address
// space memory has, and how the entry is called.
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto axpy = sv::kernel<"axpy">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {
  auto i = sv::global_id(y);
  y(i) += a * x(i);
});
SELVAGE_EXPORT(axpy);

// The host: a loop over the fastest axis, vectorised; the entry takes the block of arguments and a box of work-items.
// RUN: selvagec %object --kernel axpy --emit=llvm --target=x86-64-v3 --variant=unguarded,contiguous | FileCheck %s --check-prefix=X86
// X86: target triple = "x86_64-unknown-linux-gnu"
// X86-DAG: define {{.*}}void @axpy(ptr {{.*}}%block, ptr {{.*}}%begin, ptr {{.*}}%end)
// X86-DAG: load <4 x double>
// X86-DAG: fmul contract <4 x double>
// X86-DAG: fadd contract <4 x double>
// X86-DAG: store <4 x double>

// NVIDIA.
// RUN: selvagec %object --kernel axpy --emit=llvm --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=NVPTX
// NVPTX: target triple = "nvptx64-nvidia-cuda"
// NVPTX: define ptx_kernel void @axpy(ptr addrspace(1) {{.*}}%a0, i64 {{.*}}%a0.extent.0, {{.*}}double noundef %a2, i64 {{.*}}%domain.0, ptr addrspace(1) {{.*}}%fault)
// NVPTX: @llvm.nvvm.read.ptx.sreg.ctaid.x()
// NVPTX: @llvm.nvvm.read.ptx.sreg.tid.x()
// NVPTX: load double, ptr addrspace(1)
// NVPTX: fmul contract double
// NVPTX: fadd contract double
// NVPTX: store double {{.*}}, ptr addrspace(1)
// NVPTX: "nvvm.reqntid"="256,1,1"

// AMD, waves of 64 and of 32.
// RUN: selvagec %object --kernel axpy --emit=llvm --target=gfx942 --variant=unguarded,contiguous | FileCheck %s --check-prefix=AMD
// RUN: selvagec %object --kernel axpy --emit=llvm --target=gfx1100 --variant=unguarded,contiguous | FileCheck %s --check-prefix=AMD
// AMD: target triple = "amdgcn-amd-amdhsa"
// AMD: define {{.*}}amdgpu_kernel void @axpy(ptr addrspace(1) {{.*}}%a0, i64 {{.*}}%a0.extent.0, {{.*}}double noundef %a2, i64 {{.*}}%domain.0, ptr addrspace(1) {{.*}}%fault)
// AMD: @llvm.amdgcn.workgroup.id.x()
// AMD: @llvm.amdgcn.workitem.id.x()
// AMD-NOT: implicitarg
// AMD: load double, ptr addrspace(1)
// AMD: fmul contract double
// AMD: fadd contract double
// AMD: store double {{.*}}, ptr addrspace(1)
// AMD: "amdgpu-flat-work-group-size"="256,256"
// AMD: !{i32 1, !"amdhsa_code_object_version", i32 500}

// RUN: selvagec %object --kernel axpy --emit=amdgcn --variant=unguarded,contiguous | FileCheck %s --check-prefix=GFX9
// GFX9: .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
// GFX9: global_load_dwordx2
// GFX9: v_fma{{c?}}_f64
// GFX9: global_store_dwordx2
// GFX9: s_endpgm
// The arguments are the block: y and x with extent and stride, a, the domain's extent, the fault record. Nothing else is
// asked of the loader.
// GFX9: .amdhsa_kernarg_size 72
// GFX9: .amdhsa_user_sgpr_dispatch_ptr 0
// GFX9: .amdhsa_user_sgpr_queue_ptr 0
// GFX9: .amdhsa_user_sgpr_kernarg_segment_ptr 1
// RUN: selvagec %object --kernel axpy --emit=amdgcn --target=gfx1100 --variant=unguarded,contiguous | FileCheck %s --check-prefix=GFX11
// GFX11: global_load_b64
// GFX11: v_fma{{c?}}_f64
// GFX11: global_store_b64
// GFX11: .amdhsa_wavefront_size32 1

// OpenCL.
// RUN: selvagec %object --kernel axpy --emit=llvm --target=spirv64 --variant=unguarded,contiguous | FileCheck %s --check-prefix=SPIRV
// SPIRV: target triple = "spirv64v1.4-unknown-unknown"
// SPIRV: define spir_kernel void @axpy_kernel(ptr addrspace(1) {{.*}}%a0, i64 {{.*}}%a0.extent.0, {{.*}}double noundef %a2, i64 {{.*}}%domain.0, ptr addrspace(1) {{.*}}%fault)
// SPIRV: @_Z12get_group_idj(i32 {{.*}}0)
// SPIRV: @_Z12get_local_idj(i32 {{.*}}0)
// SPIRV: load double, ptr addrspace(1)
// SPIRV: fmul contract double
// SPIRV: fadd contract double
// SPIRV: store double {{.*}}, ptr addrspace(1)

// RUN: selvagec %object --kernel axpy --emit=spirv --variant=unguarded,contiguous | FileCheck %s --check-prefix=MODULE
// MODULE: OpCapability Kernel
// MODULE: OpMemoryModel Physical64 OpenCL
// MODULE: OpEntryPoint Kernel %[[#]] "axpy_kernel"
// MODULE: OpExecutionMode %[[#]] LocalSize 256 1 1
// MODULE: FuncParamAttr NoAlias
// MODULE: OpFunctionParameter
// MODULE: OpFMul
// MODULE: OpFAdd
// MODULE: OpStore
