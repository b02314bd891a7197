#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# incremental.sh SELVAGEC OBJECT OTHER-OBJECT: a second bundle of the same kernels compiles none, one more object file only
# its own; what is damaged or made by hand in the folder of kept kernels is made again.
set -euo pipefail
selvagec=$1 first=$2 second=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# bundle EXPECTED OBJECT...: the number of kernels that are compiled
bundle() {
  local expected=$1 said
  shift
  said=$("$selvagec" --bundle --targets=x86-64,sm_90 -o "$folder/k.o" "$@")
  echo "$said"
  [[ $said == *" kernels, $expected compiled, for x86-64, sm_90"* ]] || { echo "expected $expected compiled" >&2; exit 1; }
}
count() { "$selvagec" --list "$@" | wc -l; }

own=$(count "$first")
all=$(count "$first" "$second")
bundle "$own" "$first"
cp "$folder/k.o" "$folder/before.o"
bundle 0 "$first"
cmp "$folder/k.o" "$folder/before.o"
bundle $((all - own)) "$first" "$second"
bundle 0 "$first" "$second"
kept=("$folder"/k.o.cache/*)
head -c 100 "${kept[0]}" >"$folder/part" && mv "$folder/part" "${kept[0]}"
bundle 1 "$first" "$second"
touch "$folder/k.o.cache/stranger"
bundle 0 "$first"
[[ ! -e $folder/k.o.cache/stranger ]] || { echo "what no kernel is was kept" >&2; exit 1; }
