#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a kernel costs the host compiler: CPU seconds and memory of compiling it, above a file that includes only the
# standard headers used, with each compiler that is here; beside nvcc compiling the same kernel in CUDA, where it is.
#
#   bench/compile/measure.py [--runs 5] [--check] [CASE...]
#
# --check: the exit code is 1 if a limit is exceeded. A term is `a * x(i) * 1.5 +`: five operations and a literal.
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDES = [ROOT / layer / "include" for layer in ("dsl", "codegen", "runtime")]
HEADER = "selvage/dsl.hpp"
CXX_FLAGS = ["-std=c++20", "-O2", "-c"] + [f"-I{folder}" for folder in INCLUDES]
NVCC_FLAGS = ["-std=c++17", "-O2", "-c", "-arch=sm_90"]
BIG = 4000  # nodes

# case: (seconds, megabytes) above the base; None: no limit of its own
LIMITS = {"daxpy": (0.5, None), "20 x 20 terms": (1.5, None), "300 terms": (1.2, 200), "600 terms": None, "4000 nodes": None}
GROWTH = 2.3  # of 600 terms over 300 terms


def terms(count: int, start: int = 0) -> str:
    return " + ".join(f"a * x(i) * {1 + (start + k) / 8}" for k in range(count))


def body(case: str) -> list[str]:
    """The statements after the ids are taken, in the words that both languages share."""
    if case == "daxpy":
        return ["y(i) += a * x(i);"]
    if case == "20 x 20 terms":
        return [f"y(i) += {terms(20, 20 * k)};" for k in range(20)]
    if case.endswith("terms"):
        return [f"y(i) = {terms(int(case.split()[0]))};"]
    return [f"y(i) = {terms(BIG // 6 + 1)};"]  # a term is six nodes


def selvage_source(case: str) -> str:
    statements = "\n  ".join(body(case))
    return f"""#include <{HEADER}>
namespace sv = selvage;
inline constexpr auto kernel = sv::kernel<"kernel">([](sv::inout<double> y, sv::in<double> x, sv::value<double> a) {{
  auto i = sv::global_id(y);
  {statements}
}});
{f'static_assert(kernel.image().header.nodes >= {BIG});' if case == '4000 nodes' else ''}
SELVAGE_EXPORT(kernel);
"""


def cuda_source(case: str) -> str:
    statements = "\n  ".join(body(case)).replace("(i)", "[i]")
    return f"""__global__ void kernel(double* __restrict__ y, const double* __restrict__ x, double a, int n) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  {statements}
}}
"""


def standard_headers() -> list[str]:
    """All headers of others that the library's header includes, directly or through the library's own."""
    seen: set[str] = set()
    foreign: set[str] = set()
    todo = [HEADER]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        path = next((folder / name for folder in INCLUDES if (folder / name).is_file()), None)
        if path is None:
            foreign.add(name)
            continue
        todo += re.findall(r"^\s*#\s*include\s*<([^>]+)>", path.read_text(), re.MULTILINE)
    return sorted(foreign)


def compile_once(command: list[str]) -> tuple[float, float]:
    """CPU seconds of the compiler and all that it starts, and megabytes of the largest of these."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            output.seek(0)
            sys.exit(f"failed: {' '.join(command)}\n{output.read().decode(errors='replace')[:4000]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(command: list[str], runs: int) -> tuple[float, float]:
    results = [compile_once(command) for _ in range(runs)]
    return statistics.median(r[0] for r in results), statistics.median(r[1] for r in results)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of: {', '.join(LIMITS)}")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    for case in arguments.cases:
        if case not in LIMITS:
            parser.error(f"unknown case '{case}': one of {', '.join(LIMITS)}")
    cases = arguments.cases or list(LIMITS)
    nvcc = shutil.which("nvcc") or (shutil.which("nvcc", path="/usr/local/cuda/bin"))
    compilers = [(path, CXX_FLAGS, ".cpp") for name in ("g++", "clang++-22") if (path := shutil.which(name))]
    if nvcc:
        compilers.append((nvcc, NVCC_FLAGS, ".cu"))

    exceeded = []
    with tempfile.TemporaryDirectory() as folder:
        def written(stem: str, text: str) -> str:
            path = pathlib.Path(folder) / stem
            path.write_text(text)
            return str(path)

        print(f"{'compiler':12} {'case':14} {'seconds':>8} {'above base':>11} {'MB':>6} {'above base':>11}")
        for compiler, flags, suffix in compilers:
            name = pathlib.Path(compiler).name
            output = ["-o", str(pathlib.Path(folder) / "out.o")]
            cuda = suffix == ".cu"
            base_text = "" if cuda else "".join(f"#include <{h}>\n" for h in standard_headers())
            base = measure([compiler, *flags, written("base" + suffix, base_text), *output], arguments.runs)
            print(f"{name:12} {'base':14} {base[0]:8.2f} {'':11} {base[1]:6.0f}")
            above: dict[str, float] = {}
            for case in cases:
                text = cuda_source(case) if cuda else selvage_source(case)
                seconds, megabytes = measure([compiler, *flags, written("case" + suffix, text), *output], arguments.runs)
                above[case] = seconds - base[0]
                more = megabytes - base[1]
                note = ""
                if not cuda and LIMITS[case]:
                    limit, memory = LIMITS[case]
                    if above[case] > limit or (memory and more > memory):
                        note = f"  above its limit of {limit} s" + (f", {memory} MB" if memory else "")
                        exceeded.append(f"{name}, {case}")
                if not cuda and case == "600 terms" and "300 terms" in above:
                    growth = above[case] / above["300 terms"]
                    note = f"  {growth:.2f} times 300 terms"
                    if growth > GROWTH:
                        exceeded.append(f"{name}, {case}: {growth:.2f} times 300 terms, more than {GROWTH}")
                print(f"{name:12} {case:14} {seconds:8.2f} {above[case]:11.2f} {megabytes:6.0f} {more:11.0f}{note}")
    if exceeded:
        print("exceeded: " + "; ".join(exceeded))
    return 1 if exceeded and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
