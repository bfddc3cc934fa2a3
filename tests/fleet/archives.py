#!/usr/bin/env python3
"""archives.py COUNT DIR FIXTURES - makes different archives of the recorded ones.

Archive 000123.tar.gz is one of six recordings with other pids and other times, in perf.data, in
the text beside it and in the names of maps; so no two have the same bytes, and each is named as
its recording is.
"""
import gzip
import io
import os
import re
import struct
import sys
import tarfile

RECORDINGS = ["web10", "calc31", "java", "node", "web31", "profcpu"]
MMAP, COMM, EXIT, FORK, SAMPLE, MMAP2, KERNEL_TYPES = 1, 3, 4, 7, 9, 10, 64
NANOSECONDS = 1_000_007_000
NO_PID = 0xFFFFFFFF


def members(path):
    with tarfile.open(path) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar if m.isfile()}


def move(data, at, pids, by):
    """Moves the 32-bit ids there; 0 and what is none stay."""
    for i in range(pids):
        (pid,) = struct.unpack_from("<I", data, at + 4 * i)
        if pid not in (0, NO_PID):
            struct.pack_into("<I", data, at + 4 * i, pid + by)


def delay(data, at, ns):
    (time,) = struct.unpack_from("<Q", data, at)
    if time:
        struct.pack_into("<Q", data, at, time + ns)


def vary_data(old, by, ns):
    """perf.data with samples of IP, TID, TIME, CALLCHAIN and PERIOD, and ids on each record."""
    data = bytearray(old)
    at, size = struct.unpack_from("<QQ", data, 40)
    end = at + size
    while at < end:
        kind, _, length = struct.unpack_from("<IHH", data, at)
        body, behind = at + 8, at + length
        if kind == SAMPLE:
            move(data, body + 8, 2, by)
            delay(data, body + 16, ns)
        elif kind < KERNEL_TYPES:
            if kind in (FORK, EXIT):
                move(data, body, 4, by)
                delay(data, body + 16, ns)
            elif kind in (MMAP, COMM, MMAP2):
                move(data, body, 2, by)
            move(data, behind - 16, 2, by)
            delay(data, behind - 8, ns)
        at = behind
    return bytes(data)


HEADER = re.compile(rb"^(\S.*?\s)(\d+)(/?)(\d*)(\s+(?:\[\d+\]\s+)?)(\d+)\.(\d+):", re.M)

PATH = re.compile(rb"/perf-(\d+)\.map")


def vary_text(old, by, ns):
    def change(m):
        digits = len(m[7])
        time = int(m[6]) * 10**9 + int(m[7].ljust(9, b"0")) + ns
        ids = [b"%d" % (int(i) + by if int(i) else 0) for i in (m[2], m[4]) if i]
        return b"%s%s%s%d.%s:" % (m[1], m[3].join(ids), m[5], time // 10**9,
                                  str(time % 10**9).zfill(9)[:digits].encode())

    text = HEADER.sub(change, old)
    return PATH.sub(lambda m: b"/perf-%d.map" % (int(m[1]) + (by if m[1] != b"1" else 0)), text)


def vary_name(name, by):
    return re.sub(r"(perf|perfinfo|maps)-(\d+)\.(map|txt)$", lambda m: "%s-%d.%s" % (
        m[1], int(m[2]) + (by if m[2] != "1" else 0), m[3]), name)


def write(path, parts):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for name, data in sorted(parts.items()):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    with open(path + ".part", "wb") as out:
        out.write(gzip.compress(raw.getvalue(), 1, mtime=0))
    os.rename(path + ".part", path)


def main():
    count, to, fixtures = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    recordings = [members("%s/%s.prof.tar.gz" % (fixtures, name)) for name in RECORDINGS]
    os.makedirs(to, exist_ok=True)
    for i in range(count):
        path = "%s/%06d.tar.gz" % (to, i)
        if os.path.exists(path):
            continue
        by, ns = i // len(RECORDINGS), i // len(RECORDINGS) * NANOSECONDS
        parts = {}
        for name, data in recordings[i % len(RECORDINGS)].items():
            if name.endswith("perf.data"):
                data = vary_data(data, by, ns)
            elif name.endswith("perf_script.out"):
                data = vary_text(data, by, ns)
            parts[vary_name(name, by)] = data
        write(path, parts)


main()
