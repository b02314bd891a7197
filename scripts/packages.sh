# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by the other scripts: the Debian packages that the project needs, and their installation where some are missing.

# Compilers and tools; LLVM 22 and its offload library; the libraries of the project, its tests and its samples; and the
# package whose photograph the blur sample is fed.
selvage_packages="g++ clang-22 libclang-rt-22-dev cmake ninja-build python3
  llvm-22-dev llvm-22-tools llvm-22 spirv-tools opencl-headers ocl-icd-libopencl1 pocl-opencl-icd llvm-spirv-15 liblld-22-dev libclc-22 liboffload-22 liboffload-22-dev zlib1g-dev libzstd-dev
  libfmt-dev libboost-dev doctest-dev libcli11-dev libpng-dev doxygen
  golang-golang-x-image-dev"

# Prints those of the packages that are not installed.
missing_packages() {
  local package
  for package in $selvage_packages; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done
}

# Installs what is missing: as root, through sudo, or not at all but with the line that does it.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian machine: installing nothing; the project needs what these Debian 12 packages hold:" $selvage_packages >&2
    return 0
  fi
  local missing become=""
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
      become=sudo
    else
      echo "packages are missing, and this is neither root nor can it use sudo; as root, run:" >&2
      echo "  apt-get update && apt-get install --no-install-recommends -y $missing" >&2
      return 1
    fi
  fi
  echo "installing $missing"
  # LLVM 22 is in Debian 12's security archive, which a machine's package lists may be too old to know.
  $become apt-get update -q
  $become env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
}

# configure PRESET: once; later changes of the build's files are seen by the build itself.
configure() {
  [ -f "build/$1/build.ninja" ] || cmake --preset "$1"
}
