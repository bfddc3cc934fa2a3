#!/usr/bin/env python3
"""newest.py simd|domains IN OUT - adds to a perf.data of perf 7 what this machine does not record.

simd: the user registers of each sample have PERF_SAMPLE_REGS_ABI_SIMD, and vector registers follow
them, as in the patches of Linux that add them.  Five samples are kept.
domains: a BPF_METADATA record, and CPU_DOMAIN_INFO, which perf writes if the kernel has
CONFIG_SCHEDSTATS.
"""
import struct
import sys

IP, TID, TIME, CALLCHAIN, PERIOD, REGS_USER, STACK_USER = 1, 2, 4, 32, 256, 4096, 8192
SAMPLE, BPF_METADATA, ABI_SIMD = 9, 84, 4
CPU_DOMAIN_INFO = 32
VECTORS, VECTOR_WORDS, PREDICATES, PREDICATE_WORDS = 4, 4, 2, 1
KEPT = 5


def records(data):
    at = 0
    while at < len(data):
        size, = struct.unpack_from("<H", data, at + 6)
        yield data[at:at + size]
        at += size


def with_vectors(record, mask):
    """The sample with vector registers behind its user registers."""
    head = 8 + 4 * 8
    chain, = struct.unpack_from("<Q", record, head)
    regs = head + 8 + 8 * chain
    end = regs + 8 + 8 * bin(mask).count("1")
    abi, = struct.unpack_from("<Q", record, regs)
    vectors = struct.pack("<4H", VECTORS, VECTOR_WORDS, PREDICATES, PREDICATE_WORDS)
    vectors += b"".join(struct.pack("<Q", 0x5ec70000 + i)
                        for i in range(VECTORS * VECTOR_WORDS + PREDICATES * PREDICATE_WORDS))
    body = (record[8:regs] + struct.pack("<Q", abi | ABI_SIMD) + record[regs + 8:end] + vectors
            + record[end:])
    return record[:6] + struct.pack("<H", 8 + len(body)) + body


def simd(file, data):
    attrs_at, = struct.unpack_from("<Q", file, 24)
    sample_type, = struct.unpack_from("<Q", file, attrs_at + 24)
    assert sample_type == (IP | TID | TIME | CALLCHAIN | PERIOD | REGS_USER | STACK_USER), hex(sample_type)
    mask, = struct.unpack_from("<Q", file, attrs_at + 80)
    kept, out = 0, []
    for record in records(data):
        if struct.unpack_from("<I", record)[0] != SAMPLE:
            out.append(record)
        elif kept < KEPT:
            kept += 1
            out.append(with_vectors(record, mask))
    return b"".join(out)


def metadata():
    entries = {"bpf_metadata_commit": "4c5f2a8", "bpf_metadata_version": "1.2"}
    body = b"sample_filter".ljust(512, b"\0") + struct.pack("<Q", len(entries))
    for key, value in entries.items():
        body += key.removeprefix("bpf_metadata_").encode().ljust(64, b"\0")
        body += value.encode().ljust(256, b"\0")
    return struct.pack("<IHH", BPF_METADATA, 0, 8 + len(body)) + body


def text(s):
    room = (len(s) + 1 + 63) // 64 * 64
    return struct.pack("<I", room) + s.encode().ljust(room, b"\0")


def domains():
    """Two processors of one core in the format of schedstat version 17."""
    section = struct.pack("<2I", 17, 2)
    for cpu in range(2):
        section += struct.pack("<2I", cpu, 2)
        for number, name, cpus in (0, "SMT", "3"), (1, "PKG", "3"):
            section += struct.pack("<I", number) + text(name) + text(cpus) + text("0-1")
    return section


def with_section(file, data_end, tail, moved, feature, section):
    """Puts a section behind the others, and its entry in its place in the table."""
    bits = list(struct.unpack_from("<4Q", file, 72))
    numbers = [i for i in range(256) if bits[i // 64] >> i % 64 & 1]
    table = [list(struct.unpack_from("<2Q", tail, 16 * i)) for i in range(len(numbers))]
    body = tail[16 * len(numbers):]
    for entry in table:
        entry[0] += moved + (16 if section else 0)
    if section:
        place = sum(1 for number in numbers if number < feature)
        table.insert(place, [data_end + 16 * (len(table) + 1) + len(body), len(section)])
        bits[feature // 64] |= 1 << feature % 64
        struct.pack_into("<4Q", file, 72, *bits)
    return b"".join(struct.pack("<2Q", *entry) for entry in table) + body + section


def main():
    what, source, target = sys.argv[1:]
    with open(source, "rb") as f:
        file = bytearray(f.read())
    data_at, size = struct.unpack_from("<2Q", file, 40)
    data, tail = bytes(file[data_at:data_at + size]), bytes(file[data_at + size:])
    new = simd(file, data) if what == "simd" else data + metadata()
    struct.pack_into("<Q", file, 48, len(new))
    tail = with_section(file, data_at + len(new), tail, len(new) - size, CPU_DOMAIN_INFO,
                        domains() if what == "domains" else b"")
    with open(target, "wb") as f:
        f.write(bytes(file[:data_at]) + new + tail)


main()
