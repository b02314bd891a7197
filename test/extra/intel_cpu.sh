#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the device tests through OpenCL on Intel's runtime for processors, which takes SPIR-V by clCreateProgramWithIL and
# has unified shared memory, as Intel's drivers of GPUs do. Never run by default: it downloads the Python packages
# intel-opencl-rt, intel-cmplr-lib-rt and tbb (Intel's End User License Agreement for Developer Tools) and unpacks them
# into a temporary folder that is removed at the end.
#
#   cmake --build build/release --target selvage-info device_test device_differential
#   test/extra/intel_cpu.sh build/release [arguments of the tests, such as --test-case=...]
#
# Needed: pip, unzip. SELVAGE_SEED and SELVAGE_IMAGES choose the random images.
set -euo pipefail
build=$(realpath "${1:?usage: intel_cpu.sh BUILD-FOLDER [arguments of the tests]}")
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

pip download -q --disable-pip-version-check --no-deps -d "$folder" intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 \
  tbb==2023.2.0
for wheel in "$folder"/*.whl; do
  basename "$wheel"
  unzip -q "$wheel" -d "$folder/root"
done
libraries=$(printf '%s:' "$folder"/root/*.data/data/lib)
rm -f "$folder"/root/intel_opencl_rt-*.data/data/lib/libOpenCL.so*  # the loader is the machine's
mkdir "$folder/vendors"
ls "$folder"/root/intel_opencl_rt-*.data/data/lib/libintelocl.so >"$folder/vendors/intel.icd"

export OCL_ICD_VENDORS=$folder/vendors LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:-} TMPDIR=$folder SELVAGE_DEVICE=opencl
"$build/bin/selvage-info" | sed -n '/^opencl/,/driver/p'
result=0
for test in device_test device_differential; do
  echo "== $test"
  "$build/test/$test" "$@" || result=1
done
exit $result
