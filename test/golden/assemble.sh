#!/usr/bin/env bash
# assemble.sh TARGET SCRATCH OBJECT...: the PTX of every kernel in the objects, through ptxas.
set -euo pipefail
target=$1 scratch=$2
shift 2
count=0
for object in "$@"; do
  for kernel in $(selvagec "$object" --list | cut -d' ' -f1); do
    for variant in guarded unguarded,contiguous unguarded,contiguous,wide_grid; do
      selvagec "$object" --kernel "$kernel" --emit=ptx --target="$target" --variant="$variant" -o "$scratch.ptx"
      ptxas -arch="$target" -o /dev/null "$scratch.ptx"
      count=$((count + 1))
    done
  done
done
test "$count" -gt 0
