// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Domains: where the work-items' ids come from on each target.
#include <selvage/dsl.hpp>
namespace sv = selvage;

inline constexpr auto cube = sv::kernel<"cube">([](sv::out<double, 3> y) {
  auto [i, j, k] = sv::global_id(y);
  y(i, j, k) = sv::cast<double>(i + j + k);
});
SELVAGE_EXPORT(cube);
// RUN: selvagec %object --kernel cube --emit=ptx --target=sm_90 --variant=unguarded,contiguous | FileCheck %s --check-prefix=PTX
// PTX: .reqntid 32, 8, 1
// PTX-DAG: %ctaid.x
// PTX-DAG: %ctaid.y
// PTX-DAG: %ctaid.z
// A grid that does not reach along y and z: work-items go on in steps of it.
// RUN: selvagec %object --kernel cube --emit=ptx --target=sm_90 --variant=unguarded,contiguous,wide_grid | FileCheck %s --check-prefix=WIDE
// WIDE-DAG: %nctaid.y
// WIDE-DAG: %nctaid.z
// RUN: selvagec %object --kernel cube --emit=llvm --target=x86-64-v3 --variant=unguarded,contiguous | FileCheck %s --check-prefix=CPU
// CPU: store <4 x double>

inline constexpr auto given = sv::kernel<"given">([](sv::scope k, sv::inout<int> y) {
  auto i = sv::global_id(k);
  y(i) = 1;
});
SELVAGE_EXPORT(given);
// RUN: selvagec %object --kernel given --emit=image | FileCheck %s --check-prefix=IMAGE
// IMAGE: domain
