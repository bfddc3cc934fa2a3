#!/usr/bin/env python3
"""deferred.py IN OUT - moves the user frames of a perf.data into CALLCHAIN_DEFERRED records.

Linux 6.19 writes such records for `perf record --call-graph fp,defer`: a sample ends in
PERF_CONTEXT_USER_DEFERRED and a cookie, and the frames follow when the thread returns to user
mode.  Samples of one stay in the kernel share a cookie.  IN has one event and frame pointers.
"""
import struct
import sys

USER, DEFERRED = 2**64 - 512, 2**64 - 640
IP, TID, TIME, CALLCHAIN, PERIOD = 1, 2, 4, 32, 256
SAMPLE, MISC_KERNEL, CALLCHAIN_DEFERRED = 9, 1, 22
FLAGS, DEFER_CALLCHAIN, DEFER_OUTPUT = 40, 38, 39


def records(data):
    at = 0
    while at < len(data):
        kind, misc, size = struct.unpack_from("<IHH", data, at)
        yield kind, misc, data[at:at + size]
        at += size


def split(record):
    """The words before the chain, its kernel part, its user part, and the words after it."""
    words = list(struct.unpack(f"<{len(record) // 8 - 1}Q", record[8:]))
    n = words[4]
    chain, rest = words[5:5 + n], words[5 + n:]
    at = chain.index(USER) if USER in chain else n
    return words[:4], chain[:at], chain[at:], rest


def deferred(cookie, user, ids, time):
    words = [cookie, len(user), *user, ids, time]
    return struct.pack(f"<IHH{len(words)}Q", CALLCHAIN_DEFERRED, 2, 8 + 8 * len(words), *words)


def convert(data):
    """A sample that the next record continues, in the same stay in the kernel, shares its cookie."""
    out, cookie, all_records = [], 1, list(records(data))
    following = all_records[1:] + [(0, 0, b"")]
    times = sorted(split(record)[0][2] for kind, _, record in all_records if kind == SAMPLE)
    later = dict(zip(times, times[1:]))
    shared = False
    for (kind, misc, record), (next_kind, _, after) in zip(all_records, following):
        if kind != SAMPLE:
            out.append(record)
            continue
        head, kernel, user, rest = split(record)
        if user:
            cookie += not shared
            kernel = [*kernel, DEFERRED, cookie]
        words = [*head, len(kernel), *kernel, *rest]
        out.append(struct.pack(f"<IHH{len(words)}Q", SAMPLE, misc, 8 + 8 * len(words), *words))
        shared = False
        if user and next_kind == SAMPLE:
            next_head, next_kernel, next_user, _ = split(after)
            shared = (bool(next_kernel) and next_head[1] == head[1] and next_user == user
                      and later.get(head[2]) == next_head[2])
        if user and not shared:
            out.append(deferred(cookie, user, head[1], head[2] + 1))
    return b"".join(out)


def main():
    with open(sys.argv[1], "rb") as f:
        file = bytearray(f.read())
    attrs_at, _, data_at, data_size = struct.unpack_from("<4Q", file, 24)
    sample_type, = struct.unpack_from("<Q", file, attrs_at + 24)
    assert sample_type == IP | TID | TIME | CALLCHAIN | PERIOD, hex(sample_type)
    flags, = struct.unpack_from("<Q", file, attrs_at + FLAGS)
    flags |= 1 << DEFER_CALLCHAIN | 1 << DEFER_OUTPUT
    struct.pack_into("<Q", file, attrs_at + FLAGS, flags)
    data = convert(bytes(file[data_at:data_at + data_size]))
    tail = bytearray(file[data_at + data_size:])
    moved = len(data) - data_size
    features = sum(bin(word).count("1") for word in struct.unpack_from("<4Q", file, 72))
    for i in range(features):
        at, = struct.unpack_from("<Q", tail, 16 * i)
        struct.pack_into("<Q", tail, 16 * i, at + moved)
    struct.pack_into("<Q", file, 48, len(data))
    with open(sys.argv[2], "wb") as f:
        f.write(bytes(file[:data_at]) + data + bytes(tail))


main()
