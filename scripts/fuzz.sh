#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fuzz.sh [SECONDS]: fuzzes the readers of images and of bundles, ten minutes each unless told otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_packages
configure release
cmake --build --preset release --target make_corpus bundle_program selvage_image_fuzz selvage_bundle_fuzz
folder=build/release/test/fuzz
"$folder/make_corpus" "$folder/corpus" build/release/test/bundle_program
for what in image bundle; do
  ASAN_OPTIONS=detect_leaks=0 "$folder/${what}_fuzz" -max_total_time="${1:-600}" -max_len=20000 -timeout=10 \
    -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$folder/" "$folder/corpus/${what}s"
done
