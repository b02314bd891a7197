#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks the rules of the layers over all #include lines: who may include whom, where LLVM and vendor headers may stand,
# and that no headers include each other in a circle.
import pathlib
import re
import sys

# A public header belongs to the layer named here by the beginning of its path under selvage/; the longest one counts.
LAYER_OF_HEADER = {
    "ir/": "ir",
    "error.hpp": "ir",
    "version.hpp": "ir",
    "dsl/": "dsl",
    "dsl.hpp": "dsl",
    "codegen/": "codegen",
    "runtime/": "runtime",
    "runtime.hpp": "runtime",
    "selvage.hpp": "umbrella",
}

# What a layer may include besides itself. codegen's public headers are free of LLVM: runtime reads its recipes.
MAY_INCLUDE = {
    "ir": set(),
    "dsl": {"ir"},
    "codegen": {"ir"},
    "runtime": {"ir", "codegen", "dsl"},
    "umbrella": {"ir", "dsl", "runtime"},
}

# Headers of others that only the named files may include, by the beginning of the path.
FOREIGN = {
    "llvm/": {"codegen/src/llvm.hpp"},
    "llvm-c/": set(),
    "lld/": {"codegen/src/llvm.hpp", "codegen/src/link.cpp"},
    "clang/": set(),
    "offload/": {"runtime/src/backends/offload.cpp"},
    "OffloadAPI.h": {"runtime/src/backends/offload.cpp"},
    "CL/": {"runtime/src/backends/opencl_api.hpp"},
    "cuda.h": set(),
    "cuda_runtime": set(),
    "boost/hana": {"dsl/include/"},
    "boost/": {"codegen/src/", "runtime/src/", "dsl/include/"},
    "fmt/": {"dsl/src/", "codegen/src/", "runtime/src/"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of_header(path: str) -> str | None:
    names = [name for name in LAYER_OF_HEADER if path == name or (name.endswith("/") and path.startswith(name))]
    return LAYER_OF_HEADER[max(names, key=len)] if names else None


def layer_of_file(name: str) -> str | None:
    folder, rest = name.split("/", 1)
    if rest.startswith("include/selvage/"):
        return layer_of_header(rest.removeprefix("include/selvage/"))
    return {"dsl": "ir", "codegen": "codegen", "runtime": "runtime"}[folder]  # dsl/src works on images alone


def includes(path: pathlib.Path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match.group(1) == "<", match.group(2)


def circle(graph: dict[str, list[str]]) -> list[str] | None:
    state: dict[str, int] = {}

    def visit(node: str, trail: list[str]) -> list[str] | None:
        if state.get(node) == 2:
            return None
        if state.get(node) == 1:
            return trail[trail.index(node):] + [node]
        state[node] = 1
        for other in graph.get(node, []):
            if found := visit(other, trail + [node]):
                return found
        state[node] = 2
        return None

    for node in graph:
        if found := visit(node, []):
            return found
    return None


def main() -> int:
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    failures: list[str] = []
    graph: dict[str, list[str]] = {}
    counted = 0
    for folder in ("dsl", "codegen", "runtime"):
        for path in sorted((root / folder).rglob("*.[hc]pp")):
            counted += 1
            name = path.relative_to(root).as_posix()
            layer = layer_of_file(name)
            if layer is None:
                failures.append(f"{name}: belongs to no layer; name it in LAYER_OF_HEADER of check_layers.py")
                continue
            public = "/include/" in name
            own = name.split("/include/")[1] if public else name
            graph[own] = []
            for number, angled, header in includes(path):
                place = f"{name}:{number}"
                if header.startswith("selvage/"):
                    if not angled:
                        failures.append(f"{place}: write <{header}>: public headers are included by angle brackets")
                    other = layer_of_header(header.removeprefix("selvage/"))
                    if other is None:
                        failures.append(f"{place}: no layer has the header <{header}>")
                    elif other != layer and other not in MAY_INCLUDE[layer]:
                        failures.append(f"{place}: layer '{layer}' may not include <{header}> of layer '{other}'")
                    graph[own].append(header)
                elif not angled:
                    if public:
                        failures.append(f"{place}: a public header includes the private \"{header}\"")
                    target = (path.parent / header).resolve()
                    if not target.is_file():  # relative to the layer's own src/
                        target = (root / folder / "src" / header).resolve()
                    if not target.is_relative_to(root.resolve() / folder):
                        failures.append(f"{place}: \"{header}\" leaves its layer's folder")
                    elif not target.is_file():
                        failures.append(f"{place}: there is no \"{header}\"")
                    else:
                        graph[own].append(target.relative_to(root.resolve()).as_posix())
                for prefix, allowed in FOREIGN.items():
                    if header.startswith(prefix) and not any(name.startswith(a) for a in allowed):
                        failures.append(f"{place}: <{header}> may be included only by {', '.join(sorted(allowed)) or 'nobody'}")
    if found := circle(graph):
        failures.append("headers include each other: " + " -> ".join(found))
    if counted == 0:
        failures.append(f"{root}: no source file found")
    print("\n".join(failures) if failures else f"{counted} files, every include within the rules")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
