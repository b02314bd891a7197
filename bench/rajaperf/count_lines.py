#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Counts the lines of the kernels and of their plain C++ references, without blank lines and comments, and fails if the
# kernels have more in total. Helper functions that both use count for neither.
import pathlib
import re
import sys


def lines(text: str, start: str) -> int:
    """Lines of all top-level statements and functions that begin with `start`."""
    counted = 0
    depth = -1  # outside
    for line in text.splitlines():
        if depth < 0 and not re.match(start, line):
            continue
        if depth < 0:
            depth = 0
        code = line.split("//")[0]
        if not code.strip():
            continue
        counted += 1
        depth += sum(code.count(c) for c in "({") - sum(code.count(c) for c in ")}")
        if depth == 0 and code.rstrip().endswith((";", "}")):
            depth = -1
    return counted


def main() -> int:
    folder = pathlib.Path(__file__).resolve().parent
    table = []
    for path in sorted(folder.glob("*/*.cpp")):
        text = path.read_text(encoding="utf-8")
        if "registration registered" not in text:
            continue
        kernel, plain = lines(text, r"constexpr auto \w+ =(\s*$| sv::kernel<)"), lines(text, r"void reference\(")
        table.append((path.relative_to(folder).as_posix(), kernel, plain))
    if not table or not all(kernel and plain for _, kernel, plain in table):
        print("a file without a kernel or without its reference:", [t for t in table if not t[1] or not t[2]])
        return 1
    for name, kernel, plain in table:
        print(f"{name:36} {kernel:5} {plain:5}")
    kernels, references = sum(t[1] for t in table), sum(t[2] for t in table)
    print(f"{len(table)} files: {kernels} lines of kernels, {references} of plain C++")
    return 0 if kernels <= references else 1


if __name__ == "__main__":
    sys.exit(main())
