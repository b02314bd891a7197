# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reads what selvagec writes: bundles (LLVM OffloadBinary images with recipes), AMD code objects, printed images.
import ctypes, mmap, re, struct, subprocess
from collections import namedtuple

MAGIC = b"\x10\xff\x10\xad"
Slot = namedtuple("Slot", "source parameter dimension offset size")
Argument = namedtuple("Argument", "mode element rank")


class Fields:
    """Little-endian fields, one after the other, as in codegen/src/recipe.cpp."""
    def __init__(self, data): self.data, self.at = data, 0
    def __call__(self, code):
        value = struct.unpack_from("<" + code, self.data, self.at)[0]
        self.at += struct.calcsize("<" + code)
        return value
    def raw(self):
        n = self("Q")
        self.at += n
        return self.data[self.at - n:self.at]
    def list(self, item): return [item(self) for _ in range(self("Q"))]


class Size:
    """A size that depends on the launch's domain, in postfix order."""
    def __init__(self, fields): self.rows = fields.list(lambda f: (f("B"), f("I"), f("I"), f("q")))
    def evaluate(self, domain):
        rows = []
        for op, a, b, value in self.rows:
            rows.append([lambda: value, lambda: domain[a], None, lambda: rows[a] + rows[b], lambda: rows[a] * rows[b],
                         lambda: -(-rows[a] // rows[b]), lambda: min(rows[a], rows[b]), lambda: max(rows[a], rows[b])][op]())
        return rows[-1]


class Step:
    def __init__(self, f):
        assert f("B") == 0, "not a kernel"
        self.entry = f.raw().decode()
        self.grid = [Size(f) for _ in range(3)]
        self.group = [f("I") for _ in range(3)]
        self.shared_bytes, self.block_bytes = f("I"), f("I")
        sources = ["pointer", "extent", "stride", "value", "domain_extent", "fault", "scratch"]
        self.slots = f.list(lambda g: Slot(sources[g("B")], g("I"), g("I"), g("I"), g("I")))
        f("I"), f("B")


class Recipe:
    def __init__(self, data):
        f = Fields(data[32:])
        self.kernel, _, self.target = f.raw(), f("Q"), f.raw()
        self.assumes = [f("?") for _ in range(5)]
        f.list(Size)
        self.steps = f.list(Step)


class BundledKernel:
    def __init__(self, strings, code):
        self.kernel, self.content_hash = strings["selvage.kernel"], strings["selvage.hash"]
        self.target, self.key, self.code = strings["arch"], int(strings["selvage.variant"]), code
        self.guarded, self.contiguous = bool(self.key & 1), bool(self.key & 2)
        self.recipe = Recipe(bytes.fromhex(strings["selvage.recipe"]))


class Bundle:
    def __init__(self, path):
        with open(path, "rb") as f: data = f.read()
        self.kernels, at = [], data.find(MAGIC)
        while data[at:at + 4] == MAGIC:
            size, entry = struct.unpack_from("<QQ", data, at + 8)
            _, _, _, strings, count, image, image_bytes = struct.unpack_from("<HHIQQQQ", data, at + entry)
            def text(offset): return data[at + offset:data.index(b"\0", at + offset)].decode()
            rows = [struct.unpack_from("<QQ", data, at + strings + 16 * k) for k in range(count)]
            self.kernels.append(BundledKernel({text(k): text(v) for k, v in rows}, data[at + image:at + image + image_bytes]))
            at += size


class CodeObject:
    """A code object loaded at an address of this process, and the descriptor of one kernel in it (LLVM's AMDGPUUsage,
    "Kernel Descriptor")."""
    def __init__(self, data, name):
        assert data[:5] == b"\x7fELF\x02"
        program, sections = struct.unpack_from("<QQ", data, 32)
        program_size, programs, section_size, count = struct.unpack_from("<HHHH", data, 54)
        segments = [struct.unpack_from("<IIQQQQQQ", data, program + k * program_size) for k in range(programs)]
        loaded = [s for s in segments if s[0] == 1]
        self.memory = mmap.mmap(-1, (max(s[3] + s[6] for s in loaded) + 0x1FFF) & ~0xFFF)
        base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        for _, _, offset, address, _, size, _, _ in loaded: self.memory[address:address + size] = data[offset:offset + size]
        rows = [struct.unpack_from("<IIQQQQIIQQ", data, sections + k * section_size) for k in range(count)]
        symbols = {}
        for row in rows:
            if row[1] == 11:  # dynamic symbols
                names = rows[row[6]][4]
                for at in range(row[4], row[4] + row[5], 24):
                    text, _, _, _, value, size = struct.unpack_from("<IBBHQQ", data, at)
                    symbols[data[names + text:data.index(b"\0", names + text)].decode()] = (value, size)
            if row[1] == 4:  # relocations with addends
                for at in range(row[4], row[4] + row[5], 24):
                    where, kind, addend = struct.unpack_from("<QQq", data, at)
                    assert kind & 0xFFFFFFFF == 13, "not R_AMDGPU_RELATIVE64"
                    struct.pack_into("<Q", self.memory, where, base + addend)
        descriptor = symbols[name + ".kd"][0]
        self.size = symbols[name][1]
        self.lds_bytes, self.private_bytes, self.kernarg_bytes = struct.unpack_from("<III", self.memory, descriptor)
        self.entry = base + descriptor + struct.unpack_from("<q", self.memory, descriptor + 16)[0]
        self.rsrc2, = struct.unpack_from("<I", self.memory, descriptor + 52)
        self.properties, preload = struct.unpack_from("<HH", self.memory, descriptor + 56)
        assert preload == 0, "arguments in registers are not set up here"

    def user_registers(self, arguments):
        """What the command processor puts into the first scalar registers, by the descriptor's properties. Our kernels
        must ask for no more than the arguments' address and what scratch memory needs."""
        asked = self.properties & 0x7F
        assert asked & (2 | 4 | 16) == 0, f"needless registers are asked for: properties {asked:#x}"
        registers = [0, 0, 0xFFFFFFFF, 0] if asked & 1 else []
        if asked & 8: registers += [arguments & 0xFFFFFFFF, arguments >> 32]
        if asked & 32: registers += [0, 0]
        if asked & 64: registers += [self.private_bytes]
        return registers


class Image:
    """Of a kernel as selvagec prints it: arguments, and the domain's extents where they come from the arguments."""
    def __init__(self, selvagec, objects, kernel):
        self.content_hash = kernel.content_hash
        self.text = subprocess.run([selvagec, *objects, "--kernel", f"{kernel.kernel}#{kernel.content_hash}", "--emit=image"],
                                   check=True, capture_output=True, text=True).stdout
        self.arguments = [Argument(mode, element, (shape or "").count(":")) for mode, element, shape in
                          re.findall(r"^  argument \d+: (\w+) (\w+)(\[.*?\])?", self.text, re.M)]
        found = re.search(r"domain rank (\d)(?: \((%.*?)\))?", self.text)
        self.domain_rank = int(found[1])
        self.domain_nodes = (found[2] or "").split(", ") if found[2] else []
        self.loops = re.search(r"\b(fold|for|while)\b", self.text) is not None

    def domain(self, extents, otherwise):
        """`extents` by parameter; `otherwise`: along each axis, if the launch gives the domain."""
        if not self.domain_nodes: return [otherwise] * self.domain_rank
        def value(node):
            line = re.search(rf"^ *{re.escape(node)} = (.*)$", self.text, re.M)[1].split("//")[0].strip()
            if m := re.match(r"extent int64 argument (\d+) dimension (\d+)", line): return extents[int(m[1])][int(m[2])]
            if m := re.match(r"literal int64 (-?\d+)", line): return int(m[1])
            if m := re.match(r"(add|subtract|multiply) int64 (%\d+), (%\d+)", line):
                a, b = value(m[2]), value(m[3])
                return {"add": a + b, "subtract": a - b, "multiply": a * b}[m[1]]
            raise ValueError(f"the domain's extent is '{line}'")
        return [value(node) for node in self.domain_nodes]
