#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the device tests through OpenCL on Mesa's rusticl, whose device is llvmpipe (the processor). Never run by default:
# it downloads Mesa of Debian 13 with all that it needs, the C library included, and unpacks it into a temporary folder
# that is removed at the end; the tests are started by that C library's loader. (rusticl 22.3.6 of Debian 12 has no shared
# virtual memory, so selvage-info says of it why it is left out.)
#
#   cmake --build build/release --target selvage-info device_test device_differential
#   test/extra/rusticl.sh build/release [arguments of the tests, such as --test-case=...]
#
# Needed: apt, dpkg-deb, Debian's keys. SELVAGE_SEED and SELVAGE_IMAGES choose the random images.
set -euo pipefail
build=$(realpath "${1:?usage: rusticl.sh BUILD-FOLDER [arguments of the tests]}")
shift
folder=$(mktemp -d /tmp/XXXXXX)
trap 'rm -rf "$folder"' EXIT

# An apt of our own, which knows of no installed package.
mkdir -p "$folder"/apt/{lists,cache/archives}/partial
: >"$folder/apt/status"
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $codename" "Component: main" | head -n 1)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:?this machine has no source of packages} trixie main" \
  >"$folder/apt/sources.list"
cat >"$folder/apt/apt.conf" <<END
Dir::Etc::SourceList "$folder/apt/sources.list";
Dir::Etc::SourceParts "-";
Dir::State::Lists "$folder/apt/lists";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt/cache";
Debug::NoLocking "true";
APT::Install-Recommends "false";
END
export APT_CONFIG=$folder/apt/apt.conf
(apt-get -q update && apt-get -q -y --download-only install mesa-opencl-icd) >"$folder/apt/log" 2>&1 ||
  { cat "$folder/apt/log"; exit 1; }
for package in "$folder"/apt/cache/archives/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
for package in "$folder"/apt/cache/archives/{mesa-opencl-icd,libclc,libllvmspirv}*.deb; do dpkg-deb -W "$package"; done
rm -rf "$folder/apt"
unset APT_CONFIG
libraries=$folder/root/usr/lib/x86_64-linux-gnu

# rusticl looks for its built-in functions in /usr/lib/clc: a path of the same length leads into our folder.
for file in spirv-mesa3d-.spv spirv64-mesa3d-.spv; do
  cp "$folder/root/usr/lib/clc/$file" "$folder/"
  old=/usr/lib/clc/$file
  new=$folder/$file
  while ((${#new} < ${#old})); do new=${new/\/tmp\//\/tmp\/\/}; done
  ((${#new} == ${#old})) || { echo "the folder's name $folder is too long"; exit 1; }
  LC_ALL=C sed -i "s|$old|$new|g" "$libraries/libRusticlOpenCL.so.1.0.0"
done
mkdir "$folder/vendors"
echo "$libraries/libRusticlOpenCL.so.1.0.0" >"$folder/vendors/rusticl.icd"

export RUSTICL_ENABLE=llvmpipe RUSTICL_FEATURES=fp64 OCL_ICD_VENDORS=$folder/vendors MESA_SHADER_CACHE_DISABLE=true
export TMPDIR=$folder SELVAGE_DEVICE=opencl
start() {
  "$libraries/ld-linux-x86-64.so.2" --library-path \
    "$libraries:$build/lib:/usr/lib/x86_64-linux-gnu:/usr/lib/llvm-22/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$@"
}
start "$build/bin/selvage-info" | sed -n '/^opencl/,/driver/p'
result=0
for test in device_test device_differential; do
  echo "== $test"
  start "$build/test/$test" "$@" || result=1
done
exit $result
