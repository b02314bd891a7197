#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# First contact: installs what is missing, builds, and runs two samples on the best device there is. Run again at will.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_packages
configure release
cmake --build --preset release --target samples selvage-info selvagec

echo
echo "--- devices (SELVAGE_DEVICE chooses another than the first)"
build/release/bin/selvage-info
echo
echo "--- matrix product"
build/release/bin/matmul

# A photograph that a Debian package installs; else the Mandelbrot set's picture.
photograph=/usr/share/gocode/src/golang.org/x/image/testdata/blue-purple-pink-large.png
pictures=build/release/pictures
mkdir -p $pictures
if [ ! -f "$photograph" ]; then
  echo
  echo "--- Mandelbrot set"
  photograph=$pictures/mandelbrot.png
  build/release/bin/mandelbrot $photograph
fi
echo
echo "--- 5x5 Gaussian blur of $photograph"
build/release/bin/blur "$photograph" $pictures/blurred.png
