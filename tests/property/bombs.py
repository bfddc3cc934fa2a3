#!/usr/bin/env python3
"""bombs.py [NAME ...] - small inputs that ask for much time or memory, for bombs.sh.

Makes the input of each function below in the current directory, gives it to the filters of BIN with a
small budget, and prints "ok" if they stay within it and end by themselves.
"""
import bz2
import gzip
import io
import lzma
import os
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib

HEAD = b"app 1 [000] 1.000001: 1 cycles:\n"
LEAF = b"\t401136 main+0x6 (/srv/app)\n"
ZEROS = bytes(1 << 20)
bombs = []


def bomb(options=""):
    def note(make):
        bombs.append((make.__name__, options, make))
        return make
    return note


def text(*frames, comm=b"app", time=b"1.000001"):
    head = comm + b" 1 [000] " + time + b": 1 cycles:\n"
    return head + b"".join(b"\t401136 " + f + b"+0x6 (/srv/app)\n" for f in frames) + b"\n"


def folder(path, **files):
    os.makedirs(path)
    for name, data in files.items():
        with open(os.path.join(path, name.replace("__", ".")), "wb") as f:
            f.write(data)


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


def packed(opener, data, path, **how):
    with opener(path, "wb", **how) as f:
        f.write(data)
        for _ in range(280):
            f.write(ZEROS)


# --- compressed files and archives ---

@bomb()
def gzip_zeros(path):
    packed(gzip.open, text(b"main"), path)


@bomb()
def bzip2_zeros(path):
    packed(bz2.open, text(b"main"), path, compresslevel=1)


@bomb()
def xz_zeros(path):
    packed(lzma.open, text(b"main"), path, preset=0)


@bomb()
def zstd_zeros(path):
    write(path + ".raw", text(b"main") + ZEROS * 280)
    subprocess.run(["zstd", "-q", "-3", "--rm", path + ".raw", "-o", path], check=True)


@bomb()
def zstd_window(path):
    # A frame that asks for a window of 2 GiB, then an endless run of zeros.
    write(path, b"\x28\xb5\x2f\xfd\x00" + bytes([21 << 3]) + b"\x02\x00\x10\x00" * 20000)


@bomb()
def xz_dictionary(path):
    data = bytearray(lzma.compress(text(b"main") * 100))
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1536 << 20}]
    write(path, lzma.compress(text(b"main") * 100, filters=filters) + bytes(data))


@bomb()
def zip_overlap(path):
    # Every entry of the directory has the same bytes.
    body = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = body.compress(ZEROS * 20) + body.flush()
    crc = zlib.crc32(ZEROS * 20)
    local = struct.pack("<IHHHHHIIIHH", 0x04034b50, 20, 0, 8, 0, 0, crc, len(data), 20 << 20, 9, 0)
    entry = b"".join(
        struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 20, 20, 0, 8, 0, 0, crc, len(data), 20 << 20,
                    len(n), 0, 0, 0, 0, 0, 0) + n for n in (b"%09d" % i for i in range(5000)))
    end = struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 5000, 5000, len(entry),
                      len(local) + 9 + len(data), 0)
    write(path, local + b"0" * 9 + data + entry + end)


@bomb()
def zip_nested(path):
    data = text(b"main") + ZEROS * 20
    for depth in range(12):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
            for i in range(2):
                z.writestr("%d-%d.zip" % (depth, i), data)
        data = out.getvalue()
    write(path, data)


@bomb()
def tar_members(path):
    with tarfile.open(path, "w:gz", compresslevel=9) as t:
        for i in range(60000):
            t.addfile(tarfile.TarInfo("m/%d" % i))


@bomb()
def tar_links(path):
    with tarfile.open(path, "w:gz") as t:
        for i in range(20000):
            info = tarfile.TarInfo("perf-%d.map" % i)
            info.type, info.linkname = tarfile.SYMTYPE, "perf-%d.map" % ((i + 1) % 20000)
            t.addfile(info)


@bomb()
def tar_sparse(path):
    info = tarfile.TarInfo("perf.data")
    info.type = tarfile.GNUTYPE_SPARSE
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    block[156:157] = b"S"
    block[386:398] = block[398:410] = b"%011o\0" % 0
    block[483:495] = b"%011o\0" % (8 << 30)
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    write(path, gzip.compress(bytes(block) + bytes(1024)))


@bomb()
def tar_header(path):
    info = tarfile.TarInfo("././@PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, 1 << 30
    write(path, gzip.compress(info.tobuf(tarfile.USTAR_FORMAT) + ZEROS * 300))


@bomb()
def maps_in_archive(path):
    with tarfile.open(path, "w:xz") as t:
        data = text(*[b"[unknown]"] * 3) * 50
        for name, data in [("perf_script.out", data)] + [
                ("perf-%d.map" % i, b"%x %x f%d\n" % (0x400000 + i, 0x1000, i) * 2000)
                for i in range(300)]:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))


# --- text ---

@bomb()
def line_endless(path):
    write(path, HEAD + b"\t401136 " + b"a" * (8 << 20))


@bomb()
def frames_many(path):
    write(path, HEAD + LEAF * 200000 + b"\n")


@bomb()
def comms_many(path):
    write(path, b"".join(text(b"main", comm=b"c%d" % i) for i in range(40000)))


@bomb()
def frames_distinct(path):
    write(path, b"".join(text(*[b"f%d_%d" % (i, k) for k in range(20)]) for i in range(4000)))


@bomb()
def threads_many(path):
    write(path, b"".join(b"app %d/%d 1.%06d: 1 cycles:\n" % (i, i, i) + LEAF + b"\n"
                         for i in range(40000)))


@bomb()
def cpp_doubling(path):
    # Each pair has the one before it twice, by substitution.
    name = b"_Z1fSt4pairIiiE"
    for i in range(60):
        digits = b"" if not i else b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(i - 1) % 36:(i - 1) % 36 + 1]
        name += b"St4pairIS%s_S%s_E" % (digits, digits)
    write(path, text(name) * 50)


@bomb()
def cpp_templates(path):
    write(path, text(*[b"_Z1f" + b"N1aI" * 5000 + b"i" + b"EE" * 5000, b"_Z1f" + b"P" * 90000 + b"i",
                       b"_Z1fI" + b"Li1E" * 30000 + b"Evv"]) * 20)


@bomb()
def rust_doubling(path):
    # v0: a tuple that has itself, by back reference, several times.
    write(path, text(b"_RINvC1a1fT" + b"TB8_B8_B8_B8_E" * 40 + b"EE", b"_RNvNvB0_B0_",
                     b"_RIC0" + b"B0_" * 5000 + b"E") * 50)


@bomb()
def d_doubling(path):
    write(path, text(b"_D1a" + b"__T1bTS1c" * 3000 + b"Z" * 3000 + b"v", b"_D4testFZ" + b"Qb" * 20000) * 50)


@bomb()
def dotnet_nested(path):
    write(path, text(b"void [app] " + b"A`1[" * 20000 + b"]" * 20000 + b"::M()",
                     b"instance " + b"class X<" * 20000 + b">" * 20000) * 10)


@bomb()
def java_nested(path):
    write(path, text(b"L" + b"java/util/Map$" * 10000 + b";::run", b"[" * 50000 + b"I") * 10)


@bomb()
def names_long(path):
    write(path, b"".join(text(b"%d" % i + b"x" * 200000) for i in range(20)))


@bomb()
def headers_odd(path):
    write(path, b"a b c 1 2 3 " * 200000 + b"\n" + text(b"main") +
          b"".join(b"x" * (i % 300) + b" 1/1 " * 40 + b": 1: \n" for i in range(5000)))


# --- folded stacks ---

@bomb("folded")
def folded_deep(path):
    write(path, b";".join(b"f%d" % (i % 50) for i in range(200000)) + b" 1\n")


@bomb("folded")
def folded_wide(path):
    write(path, b"".join(b"a;b%d;c 1\n" % i for i in range(200000)))


@bomb("folded")
def folded_names(path):
    write(path, b"".join(b"a;" + b"%d" % i + b"<&\"" * 60000 + b" 1\n" for i in range(20)))


@bomb("folded")
def folded_recursion(path):
    write(path, b"".join(b"a;" * i + b"a 1\n" for i in range(1, 1500)))


@bomb("folded")
def folded_weights(path):
    write(path, b"".join(b"a;b%d 18446744073709551615\n" % i for i in range(50000)))


# --- perf.data in pipe mode: records without a file header ---

SAMPLE_TYPE = 0x1 | 0x2 | 0x4 | 0x20  # IP, TID, TIME, CALLCHAIN


def record(kind, body, misc=2):
    body += bytes(-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def pipe(*records):
    attr = struct.pack("<IIQQQQQ", 0, 128, 0, 1, SAMPLE_TYPE, 0, 1 << 18 | 1 << 8 | 1 << 9) + bytes(80)
    return b"PERFILE2" + struct.pack("<Q", 16) + record(64, attr) + b"".join(records)


def ident(pid, time):
    return struct.pack("<iiQ", pid, pid, time)


def sample(pid, time, *ips):
    return record(9, struct.pack("<QiiQQ", ips[0], pid, pid, time, len(ips)) +
                  struct.pack("<%dQ" % len(ips), *ips))


def mmap(pid, start, size, name, time=1):
    name += bytes(8 - len(name) % 8)
    return record(1, struct.pack("<iiQQQ", pid, pid, start, size, 0) + name + ident(pid, time))


def comm(pid, name, time=1):
    return record(3, struct.pack("<ii", pid, pid) + name + bytes(8 - len(name) % 8) + ident(pid, time))


def fork(pid, parent, time=1):
    return record(7, struct.pack("<iiiiQ", pid, parent, pid, parent, time) + ident(pid, time))


@bomb()
def forks_of_many_maps(path):
    write(path, pipe(comm(1, b"app"), *[mmap(1, 0x10000 * i, 0x8000, b"/srv/%d" % i) for i in range(1, 4000)],
                     *[fork(i, i - 1) for i in range(2, 4000)],
                     *[sample(i, i, 0x10000 * i) for i in range(1, 4000)]))


@bomb()
def maps_overlapping(path):
    write(path, pipe(comm(1, b"app"), *[mmap(1, 0x1000 * (i % 977), 0x1000 * (1 + i % 541), b"/srv/%d" % i)
                                       for i in range(40000)], sample(1, 9, 0x5000)))


@bomb()
def records_unordered(path):
    write(path, pipe(comm(1, b"app"), *[sample(1, 60000 - i, 0x1000 + i, 0x2000) for i in range(60000)]))


@bomb()
def comms_of_threads(path):
    write(path, pipe(*[comm(i, b"c%d" % i) for i in range(1, 50000)], sample(1, 9, 0x1000)))


@bomb()
def chains_long(path):
    write(path, pipe(comm(1, b"app"), *[sample(1, k, *range(k, k + 8000)) for k in range(1, 80)]))


@bomb()
def zstd_records(path):
    data = path + ".raw"
    write(data, b"".join(sample(1, k, k, 0x2000) for k in range(300000)))
    subprocess.run(["zstd", "-q", "-3", "--rm", data, "-o", path], check=True)
    with open(path, "rb") as f:
        frame = f.read()
    parts = [frame[i:i + 60000] for i in range(0, len(frame), 60000)]
    write(path, pipe(comm(1, b"app"), *[record(81, p) for p in parts]))


@bomb()
def zstd_records_zero(path):
    data = path + ".raw"
    write(data, ZEROS * 280)
    subprocess.run(["zstd", "-q", "-3", "--rm", data, "-o", path], check=True)
    with open(path, "rb") as f:
        frame = f.read()
    parts = [frame[i:i + 60000] for i in range(0, len(frame), 60000)]
    write(path, pipe(comm(1, b"app"), *[record(81, p) for p in parts]))


# --- files that name code ---

def with_map(path, name, data, **more):
    folder(path, perf__data=pipe(comm(1, b"app"), mmap(1, 0x400000, 0x100000, b"//anon"),
                                 *[sample(1, k, 0x400000 + 16 * k) for k in range(2000)]), **{name: data}, **more)


@bomb()
def map_overlapping(path):
    with_map(path, "perf-1__map", b"".join(b"%x %x f%d\n" % (0x400000 + i, 0x100000, i) for i in range(50000)))


@bomb()
def map_nested(path):
    with_map(path, "perf-1__map", b"".join(b"%x %x f%d\n" % (0x400000 + i, 0x100000 - 2 * i, i)
                                          for i in range(50000)))


@bomb()
def map_one_address(path):
    with_map(path, "perf-1__map", b"".join(b"400010 10 f%d\n" % i for i in range(100000)))


@bomb()
def jitdump_moves(path):
    head = struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 1, 1, 0)
    load = struct.pack("<IIQIIQQQQ", 0, 60, 2, 1, 1, 0x400000, 0x400000, 0, 1) + b"f\0\0\0"
    move = b"".join(struct.pack("<IIQIIQQQQQ", 1, 64, i, 1, 1, 0x400000, 0x400000 + i, 0x400001 + i, 1 << 40, 1)
                    for i in range(100000))
    with_map(path, "jit-1__dump", head + load + move)


@bomb()
def kallsyms_many(path):
    with_map(path, "kallsyms", b"".join(b"%016x t f%d\n" % (0xffffffff81000000 + (i * 7919) % 100003, i)
                                        for i in range(200000)))


def assembled(path, source, **files):
    """A program with that assembler text, and a profile whose samples lie in it."""
    os.makedirs(path)
    run = os.path.join(path, "app")
    with open(path + ".s", "w") as f:
        f.write(source)
    subprocess.run(["gcc", "-nostdlib", "-static", "-Wl,--build-id=none,-Ttext-segment=0x400000", "-o", run, path + ".s"],
                   check=True)
    os.unlink(path + ".s")
    write(os.path.join(path, "perf.data"),
          pipe(comm(1, b"app"), mmap(1, 0x400000, 0x200000, b"/srv/app"),
               *[sample(1, k, 0x401000 + k % 4096) for k in range(5000)]))


CODE = ".globl _start\n.text\n_start:\n.fill 4096,1,0x90\nend:\n"


@bomb()
def symbols_alike(path):
    assembled(path, CODE + "".join(".globl s%d\n.type s%d,@function\n.set s%d,_start+%d\n" % (i, i, i, i % 7)
                                   for i in range(100000)))


def dwarf(abbreviations, entries):
    return (CODE + ".section .debug_abbrev,\"\",@progbits\n" + abbreviations + ".byte 0\n" +
            ".section .debug_info,\"\",@progbits\nunit:\n.long info_end-info\ninfo:\n.value 4\n.long 0\n.byte 8\n" +
            entries + "info_end:\n")


UNIT = ".uleb128 1,17\n.byte 1\n.uleb128 17,1,18,1,0,0\n"


@bomb()
def dwarf_nested(path):
    assembled(path, dwarf(
        UNIT + ".uleb128 2,46\n.byte 1\n.uleb128 3,8,17,1,18,1,0,0\n.uleb128 3,11\n.byte 1\n.uleb128 17,1,18,1,0,0\n",
        ".uleb128 1\n.quad _start,end\n.uleb128 2\n.string \"f\"\n.quad _start,end\n" +
        ".uleb128 3\n.quad _start,end\n" * 40000 + ".byte 0\n" * 40002))


@bomb()
def dwarf_inlined(path):
    # Inlined functions inside each other, each with an origin that has another origin.
    assembled(path, dwarf(
        UNIT + ".uleb128 2,46\n.byte 1\n.uleb128 3,8,17,1,18,1,0,0\n.uleb128 3,29\n.byte 1\n.uleb128 49,19,17,1,18,1,0,0\n" +
        ".uleb128 4,46\n.byte 0\n.uleb128 49,19,0,0\n",
        ".uleb128 1\n.quad _start,end\n" +
        "".join("o%d: .uleb128 4\n.long o%d-unit\n" % (i, (i + 1) % 2000) for i in range(2000)) +
        ".uleb128 2\n.string \"f\"\n.quad _start,end\n" +
        ".uleb128 3\n.long o0-unit\n.quad _start,end\n" * 2000 + ".byte 0\n" * 2002))


@bomb()
def dwarf_ranges(path):
    assembled(path, dwarf(
        UNIT + ".uleb128 2,46\n.byte 0\n.uleb128 3,8,85,23,0,0\n",
        ".uleb128 1\n.quad _start,end\n" + ".uleb128 2\n.string \"f\"\n.long 0\n" * 3000 + ".byte 0\n") +
        ".section .debug_ranges,\"\",@progbits\n" + ".quad 0,4096\n" * 3000 + ".quad 0,0\n")


@bomb()
def dwarf_units(path):
    assembled(path, CODE + ".section .debug_abbrev,\"\",@progbits\n" + UNIT + ".byte 0\n" +
              ".section .debug_info,\"\",@progbits\n" +
              ".long 24\n.value 4\n.long 0\n.byte 8\n.uleb128 1\n.quad _start,end\n" * 60000)


@bomb()
def lines_advance(path):
    assembled(path, CODE + ".section .debug_line,\"\",@progbits\n.long 400\n.value 2\n.long 20\n.byte 1,1,255,255,13\n" +
              ".byte 0,1,1,1,1,0,0,0,1,0,0,1\n.byte 0,0\n" + ".byte 2\n.uleb128 0xffffffffffff\n" * 40)


@bomb()
def section_compressed(path):
    # 4 KB that pretend to unpack to 8 GB; the flag is set in the linked file.
    assembled(path, CODE + ".section .debug_info,\"\",@progbits\n.long 1,0\n.quad 8589934592,1\n.fill 4000,1,0x78\n")
    with open(os.path.join(path, "app"), "r+b") as f:
        data = bytearray(f.read())
        at, = struct.unpack_from("<Q", data, 40)
        size, count, names = struct.unpack_from("<HHH", data, 58)
        strings, = struct.unpack_from("<Q", data, at + names * size + 24)
        for i in range(count):
            name, = struct.unpack_from("<I", data, at + i * size)
            if data[strings + name:].startswith(b".debug_info\0"):
                data[at + i * size + 9] |= 8
        f.seek(0)
        f.write(data)


@bomb()
def unwind_expression(path):
    # An expression that jumps back to its begin.
    assembled(path, CODE.replace("_start:\n", "_start:\n.cfi_startproc\n"
                                 ".cfi_escape 0x0f,4,0x30,0x2f,0xfc,0xff\n").replace("end:", ".cfi_endproc\nend:"))


# --- .NET ---

@bomb()
def nettrace_blocks(path):
    def block(name, body):
        return (struct.pack("<BBBiii", 5, 5, 1, 2, 2, len(name)) + name + b"\6" +
                struct.pack("<i", len(body)) + bytes(3) + body + b"\6")
    write(path, b"Nettrace" + struct.pack("<i", 20) + b"!FastSerialization.1" +
          block(b"StackBlock", struct.pack("<ii", 1, 1 << 30) + bytes(200000)) * 30 + b"\1")


def lttng(path, metadata, stream):
    folder(path, metadata=b"/* CTF 1.8 */\n"
           b"typealias integer { size = 8; align = 8; signed = false; } := u;\n"
           b"typealias integer { size = 32; align = 8; signed = false; } := v;\n"
           b"trace { major = 1; minor = 8; byte_order = le; packet.header := struct { v magic; v stream_id; }; };\n" +
           metadata, stream=stream)


STREAM = (b"stream { id = 0; packet.context := struct { v packet_size; v content_size; };"
          b" event.header := struct { u id; }; };\n")
PACKET = struct.pack("<4I", 0xC1FC1FC1, 0, 1728, 1728) + bytes(200)


@bomb("events")
def lttng_spin(path):
    lttng(path, STREAM + b'event { name = "a"; id = 0; stream_id = 0; fields := struct '
          b"{ struct { struct {} b[1000]; } a[800]; }; };\n", PACKET * 40)


@bomb("events")
def lttng_doubling(path):
    lttng(path, b"struct s0 { u a; };\n" +
          b"".join(b"struct s%d { struct s%d a; struct s%d b; };\n" % (i, i - 1, i - 1) for i in range(1, 26)) +
          STREAM + b'event { name = "a"; id = 0; stream_id = 0; fields := struct { struct s25 x; }; };\n', PACKET)


@bomb("events")
def lttng_array(path):
    lttng(path, STREAM + b'event { name = "a"; id = 0; stream_id = 0; fields := struct { u a' +
          b"[60000]" * 3 + b"; }; };\n", PACKET * 20)


@bomb("events")
def lttng_events(path):
    lttng(path, STREAM + b"".join(b'event { name = "e%d"; id = %d; stream_id = 0; };\n' % (i, i)
                                  for i in range(20000)), PACKET)


SECONDS, MIB = 4, 96  # of the budget, without the share of the input


def size_of(path):
    return sum(os.path.getsize(os.path.join(top, f)) for top, _, files in os.walk(path) for f in files) \
        if os.path.isdir(path) else os.path.getsize(path)


def run(tool, options, path):
    """The status, seconds of processor time, and MiB of memory of the largest process."""
    with open("out", "wb") as out, open("err", "wb") as err:
        child = subprocess.Popen([os.path.join(os.environ["BIN"], tool), "-q", "--max-time", str(SECONDS),
                                  "--max-memory", "%dM" % MIB, *options, path], stdout=out, stderr=err)
        _, status, used = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss >> 10


def attack(name, kind, path):
    size = size_of(path) >> 20
    tools = {"folded": [("pflame", []), ("pfold", [])], "events": [("psym", ["--list-events"])]}.get(
        kind, [(tool, ["--no-host", "--no-cache"]) for tool in ("psym", "pfold", "pmerge")])
    for tool, options in tools:
        status, seconds, mib = run(tool, options, path)
        # The kernel's limit is a quarter and 5 s above; mapped files and programs are no private memory.
        sanitized = os.environ["BIN"].endswith("san")
        good = (0 <= status <= 2 and seconds <= ((SECONDS + size) * 1.25 + 6) * (4 if sanitized else 1) and
                (sanitized or mib <= MIB + 17 * size + 64))
        print("%s %s %s: status %d, %.1f s, %d MiB of an input of %d MiB" %
              ("ok" if good else "not ok", name, tool, status, seconds, mib, size), flush=True)


def made_apart(make, path):
    """In a process of its own: a child's peak of memory begins with that of its parent."""
    child = os.fork()
    if not child:
        make(path)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit("%s: cannot be made" % path)


def main():
    for name, kind, make in bombs:
        if len(sys.argv) < 2 or name in sys.argv[1:]:
            path = os.path.join("bombs", name)
            made_apart(make, path)
            attack(name, kind, path)
            subprocess.run(["rm", "-rf", path], check=True)


os.makedirs("bombs", exist_ok=True)
main()
