#!/usr/bin/env python3
"""agree.py FIRST LAST DIR FILE ... - mutants of perf.data files, for agree.sh.

Writes DIR/N for each N from FIRST up to LAST, made of one of the FILEs by one change of
its bytes that N alone determines.  Prints for each: N, the file, the change, and where
psym and perf script may differ, a tab and the reason.
"""
import random
import struct
import sys

MMAP, COMM, FORK, SAMPLE, MMAP2, ATTR = 1, 3, 7, 9, 10, 64
SAMPLE_IP, SAMPLE_TID, SAMPLE_IDENTIFIER = 1 << 0, 1 << 1, 1 << 16
HEADER = 8  # bytes of a record's type, misc and size

WHO = "perf finds a thread by its tid alone, psym its process by the pid"
KERNEL = "perf tells the kernel's mapping by its name, psym by its misc bits"
MODE = "perf names nothing in an unknown mode, psym what a process has mapped there"
GUEST = "perf takes a virtual machine's mappings for its host's, psym does not"
LAYOUT = "psym reports samples that the fields of their event do not fill, perf reads on"
HOLDS = "psym reports a record that holds others and reads those, perf does not see it"
NEW_EVENT = "perf widens the column of event names for an event without samples"
UNNAMED = "psym prints :TID for a thread with an empty name, perf nothing"
CONFIG = "perf reads 32 of the 64 bits of a tracepoint's number"
SIZES = "perf applies a FORK that is too short for its fields, psym reports it"


def records(data):
    """Offset, size and type of each record up to the first that is damaged."""
    at, size = struct.unpack_from("<QQ", data, 40)
    end = min(at + size, len(data))
    found = []
    while at + HEADER <= end:
        kind, _, n = struct.unpack_from("<IHH", data, at)
        if n < HEADER or at + n > end:
            break
        found.append((at, n, kind))
        at += n
    return found


def ids_of_thread(data, kind):
    """Where in a record pid and tid are: offset and bytes."""
    if kind != SAMPLE:
        return HEADER, 16 if kind == FORK else 8
    attr, = struct.unpack_from("<Q", data, 24)
    has, = struct.unpack_from("<Q", data, attr + 24)
    fields = bool(has & SAMPLE_IDENTIFIER) + bool(has & SAMPLE_IP)
    return HEADER + 8 * fields, 8 if has & SAMPLE_TID else 0


def change_field(data, record, chance):
    at, n, kind = record
    width = chance.choice([1, 2, 4, 8])
    if n - HEADER < width:
        return "nothing", None
    inside = HEADER + chance.randrange((n - HEADER) // width) * width
    was = int.from_bytes(data[at + inside:at + inside + width], "little")
    to = chance.choice([0, -1, was ^ 1 << chance.randrange(8 * width), was + 1, was - 1,
                        chance.getrandbits(8 * width)]) % (1 << 8 * width)
    ids, size = ids_of_thread(data, kind)
    data[at + inside:at + inside + width] = to.to_bytes(width, "little")
    why = None
    if inside < ids + size and inside + width > ids:
        why = WHO
    elif kind == MMAP and inside >= 40:
        why = KERNEL
    elif kind == COMM and not data[at + 16]:
        why = UNNAMED
    return f"type {kind} at {at}: {width} bytes at {inside}: {was:x} -> {to:x}", why


def change_type(data, record, chance):
    at, _, kind = record
    to = chance.choice([*range(22), ATTR, 66, 68, 81, 82, 90, 200])
    struct.pack_into("<I", data, at, to)
    return (f"at {at}: type {kind} -> {to}",
            {FORK: SIZES, ATTR: NEW_EVENT, COMM: WHO, MMAP: WHO, MMAP2: WHO}.get(to))


def change_misc(data, record, chance):
    at, _, kind = record
    to = chance.getrandbits(16)
    struct.pack_into("<H", data, at + 4, to)
    why = None
    if to & 7 in (0, 6, 7):
        why = MODE
    elif kind in (MMAP, MMAP2) and to & 7 > 2:
        why = GUEST
    return f"type {kind} at {at}: misc {to:x}", why


def change_size(data, record, chance):
    at, n, kind = record
    to = chance.choice([0, n - 8, n - 4, n + 8, chance.getrandbits(16)]) & 0xffff
    struct.pack_into("<H", data, at + 6, to)
    return f"type {kind} at {at}: size {n} -> {to}", HOLDS if to > n else None


def swap(data, record, _):
    at, n, _ = record
    after = [r for r in records(data) if r[0] == at + n]
    if after:
        m = after[0][1]
        data[at:at + n + m] = data[at + n:at + n + m] + data[at:at + n]
    return f"at {at}: changes places with the next record", None


def overwrite(data, record, chance):
    at, n, _ = record
    to = chance.choice([r[0] for r in records(data) if r[1] == n])
    data[to:to + n] = data[at:at + n]
    return f"at {to}: the record at {at} once more", None


def cut(data, record, chance):
    at = chance.randrange(len(data))
    del data[at:]
    return f"cut at {at}", None


def flip(data, begin, end, chance):
    if begin >= end:
        return "nothing", None
    at = chance.randrange(begin, end)
    data[at] ^= 1 << chance.randrange(8)
    return f"a bit at {at}", None


def change_head(data, end, chance):
    """Of the header, or of the attributes that stand behind it."""
    bytes_each, first, size = struct.unpack_from("<QQQ", data, 16)
    said, _ = flip(data, 0, end, chance)
    at = int(said.split()[-1])
    if not first <= at < first + size:
        return said, None
    return said, CONFIG if 12 <= (at - first) % bytes_each < 16 else LAYOUT


def mutate(data, chance):
    begin, size = struct.unpack_from("<QQ", data, 40)
    parts = [change_field] * 50 + [change_type] * 10 + [swap] * 10 + [overwrite] * 10 + \
        [change_misc] * 6 + [change_size] * 4 + [cut] * 4 + ["head"] * 3 + ["features"] * 3
    how = chance.choice(parts)
    if how == "head":
        return change_head(data, begin, chance)
    if how == "features":
        return flip(data, begin + size, len(data), chance)
    return how(data, chance.choice(records(data)), chance)


def main():
    first, last, to = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for number in range(first, last):
        chance = random.Random(number)
        name = chance.choice(sys.argv[4:])
        with open(name, "rb") as file:
            data = bytearray(file.read())
        said, why = mutate(data, chance)
        with open(f"{to}/{number}", "wb") as file:
            file.write(data)
        print(f"{number} {name}: {said}" + (f"\t{why}" if why else ""))


main()
