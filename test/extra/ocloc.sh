#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the SPIR-V of every kernel of the samples, golden and device tests with Intel's offline compiler ocloc for its
# GPUs, without a GPU: pvc (which has double precision) and dg2 (which has not, so that kernels with it must be refused,
# and no others). Never run by default: it downloads Debian's packages of that compiler and unpacks them into a temporary
# folder that is removed at the end.
#
#   cmake --build build/release       (or its targets selvagec, device_test, golden_kernels and the samples)
#   test/extra/ocloc.sh build/release [object files or programs; without them those above]
#
# Needed: apt, dpkg-deb, and what the compiler needs besides (libllvm14, libclang-cpp14).
set -euo pipefail
build=$(realpath "${1:?usage: ocloc.sh BUILD-FOLDER [object files or programs]}")
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

packages="intel-opencl-icd libigc1 libigdfcl1 libigdgmm12 libopencl-clang14 libllvmspirvlib14"
(cd "$folder" && apt-get -q download $packages >apt.log 2>&1) || { cat "$folder/apt.log"; exit 1; }
for package in "$folder"/*.deb; do
  dpkg-deb -x "$package" "$folder/root"
  dpkg-deb -W "$package"
done
ocloc() { LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu "$folder/root/usr/bin/ocloc" "$@"; }

if (($# == 0)); then
  set -- "$build"/bin/* "$build"/test/device_test "$build"/test/golden/CMakeFiles/golden_kernels.dir/*.o
fi
compiled=0 refused=0 wrong=0 kernels=0
cd "$folder"
for file in "$@"; do
  while read -r kernel _; do
    "$build/bin/selvagec" "$file" --kernel "$kernel" --emit=image >image
    for variant in guarded contiguous,narrow; do
      if ! "$build/bin/selvagec" "$file" --kernel "$kernel" --emit=spirv --variant "$variant" -o k.spv 2>sentence; then
        echo "not SPIR-V: $(cat sentence)"  # tests of limits have kernels with more arguments than SPIR-V takes
        continue 2
      fi
      double=no
      if "$build/bin/selvagec" "$file" --kernel "$kernel" --emit=spirv --variant "$variant" >text && grep -q "OpTypeFloat 64" text; then
        double=yes
        grep -q float64 image || { echo "WRONG: $kernel of $file has no double, but its SPIR-V has"; wrong=$((wrong + 1)); }
      fi
      for device in pvc dg2-g10; do
        expected=yes
        if [[ $device = dg2* && $double = yes ]]; then expected=no; fi
        result=no
        if ocloc compile -spirv_input -file k.spv -device "$device" -output k -out_dir out >log 2>&1; then result=yes; fi
        if [[ $result = no && $expected = no ]] && ! grep -q "Double type is not supported" log; then expected=other; fi
        if [[ $result != "$expected" ]]; then
          wrong=$((wrong + 1))
          echo "WRONG: $kernel of $file ($variant) for $device: compiled: $result"
          head -20 log
        elif [[ $result = yes ]]; then
          compiled=$((compiled + 1))
        else
          refused=$((refused + 1))
        fi
      done
    done
    kernels=$((kernels + 1))
  done < <("$build/bin/selvagec" --list "$file" 2>/dev/null)
done
echo "$kernels kernels in two variants: $compiled compiled, $refused with double precision refused for dg2, $wrong wrong"
((wrong == 0 && compiled > 0))
