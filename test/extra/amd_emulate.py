#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes AMD code objects without an AMD GPU, in the instruction emulator of tinygrad, and compares every byte that a
kernel leaves in memory with what the same kernel leaves as host code. Not a part of the tests: the emulator is no part of
this project and must be fetched by hand.

    git clone https://github.com/tinygrad/tinygrad && git -C tinygrad checkout a9069c17
    touch tinygrad/test/__init__.py tinygrad/test/mockgpu/__init__.py tinygrad/test/mockgpu/amd/__init__.py
    TINYGRAD=$PWD/tinygrad python3 test/extra/amd_emulate.py --selvagec=build/release/bin/selvagec OBJECT...

OBJECT: object files or programs with kernels, such as the samples. The emulator wants `clang` on PATH. Random images and
mathematical functions, compared with the interpreter and with exact results:

    cmake --build build/release --target amd_cases
    amd_cases write cases gfx942 1 64; amd_emulate.py --cases=cases; amd_cases check cases gfx942 1 64
"""
import argparse, collections, ctypes, os, random, struct, subprocess, sys, tempfile
from amd_files import Bundle, CodeObject, Image

HOST = "x86-64-v3"
FAMILIES = {"gfx11": "rdna3", "gfx12": "rdna4", "gfx94": "cdna", "gfx95": "cdna"}  # as the emulator names them
MARGIN = 256  # bytes around an array, so that stray writes show
INTEGERS = {"uint8": "B", "int8": "b", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "boolean": "?"}
CODES = {**INTEGERS, "float32": "f", "float64": "d"}
NOPS = {  # cache control that the emulator does not know, and that its memory does not need: (mask, words) -> length
    "rdna3": (0xFFFC0000, (0xE0AC0000, 0xE0B00000), 2),              # buffer_gl0_inv, buffer_gl1_inv
    "rdna4": (0xFFFFC000, (0xEE0AC000, 0xEE0B0000, 0xEE13C000), 3),  # global_inv, global_wb, global_wbinv
    "cdna": (0xFFFC0000, (0xE0A00000, 0xE0A40000), 2),               # buffer_wbl2, buffer_inv
}


def open_emulator():
    if "TINYGRAD" not in os.environ:
        sys.exit("amd_emulate.py: TINYGRAD must name the folder of the emulator; see the beginning of this file")
    sys.path.insert(0, os.environ["TINYGRAD"])
    from test.mockgpu.amd import emu
    emu._get_ftz_lib = lambda: (None, 0)  # subnormal numbers are kept, as the kernel descriptor says
    decode = emu._decode_at
    def decode_at(pc, arch):
        mask, words, length = NOPS[arch]
        if ctypes.c_uint32.from_address(pc).value & mask in words:
            for k in range(length): ctypes.c_uint32.from_address(pc + 4 * k).value = 0xBF800000  # s_nop 0
        return decode(pc, arch)
    emu._decode_at = decode_at
    attribute = emu._iattr
    def attribute_of(inst, name, default=0):  # that an atomic operation gives a value back is sc0 on gfx940, glc elsewhere
        return attribute(inst, name, default) or (attribute(inst, "sc0", 0) if name == "glc" else 0)
    emu._iattr = attribute_of
    def get_pc(inst, ctx):  # libclc's tables are found relative to the program counter; the emulator lacks s_getpc_b64
        if inst.op.name != "S_GETPC_B64": return scalar(inst, ctx)
        to = ctx.inst_field(type(inst).sdst)
        low, high = emu._split64(ctx.rpc() + emu.UOp.const(4, emu.dtypes.uint64))
        return emu.UOp.sink(ctx.wsgpr_dyn(to, low), ctx.wsgpr_dyn(to + emu._c(1), high), *ctx.inc_pc())
    scalar = emu._compile_sop
    for kind, handler in list(emu._INST_HANDLERS.items()):
        if handler is scalar: emu._INST_HANDLERS[kind] = get_pc
    return emu


class Memory:
    """One array of an argument: the same bytes for each executor, between margins."""
    def __init__(self, argument, n, strided, rng, edges):
        self.code = CODES[argument.element]
        size = struct.calcsize(self.code)
        self.extents = [n] * argument.rank
        self.strides, step = [], 2 if strided else 1
        for _ in range(argument.rank):
            self.strides.insert(0, step)
            step = step * n + (3 if strided else 0)
        count = step if argument.rank else 1
        self.bytes = b"\xa5" * MARGIN + b"".join(struct.pack("<" + self.code, self.value(argument.element, n, rng, edges))
                                                 for _ in range(count)) + bytes(MARGIN)
        self.size = size

    @staticmethod
    def value(element, n, rng, edges):
        # Sums and products of these floating-point numbers are exact, so that their order does not matter.
        if element.startswith("float"): return rng.randrange(-32, 33) / 8
        if element == "boolean": return rng.random() < 0.5
        if edges and rng.random() < 0.02: return min(n + 3, 255) if element[0] == "u" else rng.choice((-1, n + 3))
        return rng.randrange(min(n, 128))  # an index into any array

    def buffer(self):
        raw = ctypes.create_string_buffer(self.bytes, len(self.bytes) + 64)
        base = (ctypes.addressof(raw) + 63) & ~63
        ctypes.memmove(base, self.bytes, len(self.bytes))
        return raw, base


class Launch:
    """A block of arguments, and what the kernel left in their memory."""
    def __init__(self, step, memories, values, domain):
        self.keep, self.bases, block = [], {}, bytearray(step.block_bytes)
        for p, m in memories.items():
            raw, self.bases[p] = m.buffer()
            self.keep.append(raw)
        self.fault = ctypes.create_string_buffer(64)
        for slot in step.slots:
            what, p, d = slot.source, slot.parameter, slot.dimension
            if what == "pointer": data = struct.pack("<Q", self.bases[p] + MARGIN)
            elif what == "extent": data = struct.pack("<q", memories[p].extents[d])
            elif what == "stride": data = struct.pack("<q", memories[p].strides[d])
            elif what == "value": data = values[p]
            elif what == "domain_extent": data = struct.pack("<q", domain[d])
            elif what == "fault": data = struct.pack("<Q", ctypes.addressof(self.fault))
            else: raise ValueError(what)
            assert len(data) == slot.size, (slot, data)
            block[slot.offset:slot.offset + slot.size] = data
        self.block = bytes(block)
        self.memories = memories

    def memory(self, p): return ctypes.string_at(self.bases[p], len(self.memories[p].bytes))
    def claimed(self): return struct.unpack_from("<I", self.fault.raw)[0]


def run_host(kernel, launch, domain, folder):
    path = os.path.join(folder, f"{kernel.content_hash}-{kernel.key}.so")
    if not os.path.exists(path):  # else it is loaded, and must not change
        with open(path, "wb") as f: f.write(kernel.code)
    entry = getattr(ctypes.CDLL(path), kernel.recipe.steps[0].entry)
    box = ctypes.c_int64 * 3
    end = (list(reversed(domain)) + [1, 1, 1])[:3]
    entry(launch.block, box(0, 0, 0), box(*end))


def family_of(target): return next(a for prefix, a in FAMILIES.items() if target.startswith(prefix))


def run_emulated(emu, target, code, entry, groups, group, block):
    loaded = CodeObject(code, entry)
    assert loaded.kernarg_bytes == len(block), "the descriptor's arguments are not the block"
    raw = ctypes.create_string_buffer(len(block) + 128)
    base = (ctypes.addressof(raw) + 63) & ~63
    ctypes.memmove(base, block, len(block))
    lds = (loaded.lds_bytes + 511) // 512 << 15
    status = emu.run_asm(loaded.entry, loaded.size, *groups, *group, base, loaded.rsrc2 & ~(0x1FF << 15) | lds,
                         loaded.private_bytes, family_of(target), loaded.user_registers(base))
    if status != 0: raise RuntimeError(f"the emulator's status is {status}")


def run_cases(emu, folder):
    """Executes what amd_cases has written: FOLDER/CASE/N.out is what becomes of N.in."""
    done = failed = 0
    for case in sorted(os.listdir(folder)):
        def path(name): return os.path.join(folder, case, name)
        def read(name):
            with open(path(name), "rb") as f: return f.read()
        rows = [line.split() for line in read("about").decode().splitlines()]
        about = {row[0]: row[1:] for row in rows if row[0] != "pointer"}
        block, buffers = bytearray(read("block")), {}
        for _, offset, number, first in (row for row in rows if row[0] == "pointer"):
            if number not in buffers: buffers[number] = ctypes.create_string_buffer(read(number + ".in") + bytes(64))
            at = (ctypes.addressof(buffers[number]) + int(first)) & (1 << 64) - 1
            struct.pack_into("<Q", block, int(offset), at)
        try:
            run_emulated(emu, about["target"][0], read("code"), about["entry"][0], map(int, about["groups"]),
                         map(int, about["group"]), bytes(block))
            done += 1
        except Exception as e:
            with open(path("problem"), "w") as f: f.write(f"{type(e).__name__}: {str(e)[:300]}")
            failed += 1
        for name in os.listdir(os.path.join(folder, case)):
            if not name.endswith(".in"): continue
            size = os.path.getsize(path(name))
            data = buffers[name[:-3]].raw[:size] if name[:-3] in buffers else read(name)
            with open(path(name[:-3] + ".out"), "wb") as f: f.write(data)
    print(f"{done} cases executed, {failed} not")
    return 1 if done == 0 else 0


def distance(code, a, b):
    """In units in the last place, 0 if both are NaN."""
    x, y = struct.unpack("<" + code, a)[0], struct.unpack("<" + code, b)[0]
    if x != x and y != y: return 0
    if x != x or y != y: return float("inf")
    def order(raw):
        n = int.from_bytes(raw, "little")
        top = 1 << (8 * len(raw) - 1)
        return n if n < top else top - n
    return abs(order(a) - order(b)) if x != y or a != b else 0


def compare(memories, host, device):
    """Worst distance of floating-point numbers in ulps, and a sentence if anything else differs."""
    worst = 0
    for p, m in memories.items():
        a, b = host.memory(p), device.memory(p)
        if a == b: continue
        for at in range(MARGIN % m.size, len(a), m.size):
            x, y = a[at:at + m.size], b[at:at + m.size]
            if x == y: continue
            if m.code not in "fd" or not MARGIN <= at < len(a) - MARGIN:
                return worst, f"argument {p}, element {(at - MARGIN) // m.size}: {y.hex()} instead of {x.hex()}"
            worst = max(worst, distance(m.code, x, y))
    if host.claimed() != device.claimed():
        return worst, f"a fault is {'missing' if host.claimed() else 'recorded'}"
    if device.claimed():
        index, extent = struct.unpack_from("<qq", device.fault.raw, 16)
        if 0 <= index < extent: return worst, f"the fault's index {index} is inside its extent {extent}"
    return worst, ""


def check(emu, image, host, device, folder, edges):
    rank = max([a.rank for a in image.arguments] + [image.domain_rank])
    n = {0: 1, 1: 300, 2: 45}.get(rank, 9 if image.loops else 35)
    rng = random.Random(f"{image.content_hash} {device.key} {edges}")
    memories, values = {}, {}
    for p, a in enumerate(image.arguments):
        if a.mode != "value": memories[p] = Memory(a, n, not device.contiguous, rng, edges)
        else: values[p] = struct.pack("<" + CODES[a.element], Memory.value(a.element, 20, rng, False))
    domain = image.domain({p: m.extents for p, m in memories.items()}, n)
    launches = [Launch(k.recipe.steps[0], memories, values, domain) for k in (host, device)]
    run_host(host, launches[0], domain, folder)
    step = device.recipe.steps[0]
    run_emulated(emu, device.target, device.code, step.entry, [size.evaluate(domain) for size in step.grid], step.group,
                 launches[1].block)
    worst, problem = compare(memories, *launches)
    if "store" in image.text and not problem and all(launches[1].memory(p) == m.bytes for p, m in memories.items()):
        problem = "nothing was written"
    return worst, problem, launches[1].claimed()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--selvagec")
    options.add_argument("--targets", default="gfx1100,gfx942")
    options.add_argument("--variants", help="numbers of variants, separated by commas; without it all")
    options.add_argument("--ulps", type=int, default=0, help="how far floating-point results may be apart")
    options.add_argument("--cases", help="a folder that amd_cases has written")
    options.add_argument("OBJECT", nargs="*")
    o = options.parse_args()
    if o.cases: return run_cases(open_emulator(), o.cases)
    if not o.selvagec or not o.OBJECT: options.error("--selvagec and objects, or --cases")
    for library in ("libm.so.6", "libmvec.so.1"): ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
    emu = open_emulator()
    failed, table = 0, collections.OrderedDict()
    with tempfile.TemporaryDirectory() as folder:
        bundle = os.path.join(folder, "kernels.o")
        subprocess.run([o.selvagec, "--bundle", f"--targets={HOST},{o.targets}", "-o", bundle, *o.OBJECT], check=True)
        kernels = Bundle(bundle).kernels
        hosts = {(k.content_hash, k.guarded, k.contiguous): k for k in kernels if k.target == HOST}
        images = {}
        for k in kernels:
            if k.target == HOST or (o.variants and str(k.key) not in o.variants.split(",")): continue
            if k.content_hash not in images: images[k.content_hash] = Image(o.selvagec, o.OBJECT, k)
            host = hosts[k.content_hash, k.guarded, k.contiguous]
            for edges in (False, True) if k.guarded else (False,):
                row = table.setdefault((k.kernel, k.content_hash, k.target), [0, 0, 0, []])
                try:
                    worst, problem, fault = check(emu, images[k.content_hash], host, k, folder, edges)
                except Exception as e:
                    worst, problem, fault = 0, f"{type(e).__name__}: {str(e)[:200]}", 0
                if worst > o.ulps and not problem: problem = f"{worst} ulps apart"
                row[0] += 1
                row[1] += fault
                row[2] = max(row[2], worst)
                if problem: row[3].append(f"variant {k.key}{' with wrong indices' if edges else ''}: {problem}")
    for (name, content, target), (runs, faults, worst, problems) in table.items():
        print(f"{name}#{content[:8]} {target}: {runs} launches, {faults} with a fault, at most {worst} ulps apart, "
              f"{len(problems)} wrong")
        for p in problems: print("   ", p)
        failed += len(problems)
    print(f"{sum(r[0] for r in table.values())} launches, {failed} wrong")
    return 1 if failed or not table else 0


if __name__ == "__main__":
    sys.exit(main())
