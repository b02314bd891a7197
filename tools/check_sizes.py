#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails for a source file of more than 600 lines, unless it is listed here with a reason.
import pathlib
import sys

LIMIT = 600
SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".py", ".sh", ".cmake", ".txt"}
FOLDERS = ["dsl", "codegen", "runtime", "tools", "samples", "test", "bench", "cmake", "scripts"]

# path from the project's root: why it is one file
EXCEPTIONS: dict[str, str] = {}


def lines(path: pathlib.Path) -> int:
    with path.open(encoding="utf-8", errors="replace") as file:
        return sum(1 for _ in file)


def main() -> int:
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    failures = []
    counted = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            counted += 1
            name = path.relative_to(root).as_posix()
            length = lines(path)
            if length > LIMIT and name not in EXCEPTIONS:
                failures.append(f"{name}: {length} lines, more than {LIMIT}: split it by idea, or list it in check_sizes.py with a reason")
            if length <= LIMIT and name in EXCEPTIONS:
                failures.append(f"{name}: {length} lines: no longer an exception, remove it from check_sizes.py")
    for name in EXCEPTIONS:
        if not (root / name).is_file():
            failures.append(f"{name}: listed in check_sizes.py, but there is no such file")
    if counted == 0:
        failures.append(f"{root}: no source file found")
    print("\n".join(failures) if failures else f"{counted} files, none above {LIMIT} lines without a reason")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
