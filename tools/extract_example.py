#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the C++ program in a Markdown file: the first block of C++ that has a main function, so that a test can build it.
import pathlib
import re
import sys


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("usage: extract_example.py FILE.md")
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    for block in re.findall(r"^```cpp\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if "int main(" in block:
            print(block, end="")
            return 0
    sys.exit(f"{sys.argv[1]}: no block of C++ with a main function")


if __name__ == "__main__":
    sys.exit(main())
