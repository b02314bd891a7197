#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what is missing, builds with g++ and with clang, and runs all tests.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_packages
for preset in clang release; do
  configure $preset
  cmake --build --preset $preset
done

# What depends on the compiler runs in both builds; the rest, and what looks at both compilers by itself, in one.
ctest --preset clang -j "$(nproc)" -L 'unit|static|sample|docs'
ctest --preset release -j "$(nproc)"
