#!/usr/bin/env python3
"""mutants.py FIRST LAST DIR ARCHIVE ... - damaged copies of archives, for mutants.sh.

Writes DIR/N for each N from FIRST up to LAST: a copy of one of the ARCHIVEs, of which one
member, its name or the archive itself is damaged, as N alone determines.  Archives that
were packed whole are not packed again, as the damage would be found by their checksum.
Prints N and how it was made.
"""
import io
import random
import struct
import sys
import tarfile
import zipfile

MEMBER_MAX = 4 << 20  # bytes; larger members are left out, which is damage as well
ODD_NAMES = ["../../out", "/abs/olute", "a" * 300, "perf.data", "perf-1.map", "", "x\ny", "\x1b[31m",
             "perf-999999999999.map", "jit-1.dump", "deep/" * 60 + "end"]


def change_bits(data, chance):
    for _ in range(chance.choice([1, 1, 2, 8, 64])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def change_number(data, chance):
    width = chance.choice([1, 2, 4, 8])
    at = chance.randrange(max(1, len(data) - width)) & -width
    was = int.from_bytes(data[at:at + width], "little")
    to = chance.choice([0, -1, 1 << 8 * width - 1, was + 1, was - 1, was * 2, len(data),
                        chance.getrandbits(8 * width)])
    data[at:at + width] = (to % (1 << 8 * width)).to_bytes(width, "little")


def change_head(data, chance):
    head = data[:256]
    change_number(head, chance)
    data[:256] = head


def change_text(data, chance):
    at = chance.randrange(len(data))
    data[at:at + chance.randrange(4)] = chance.choice(
        [b"\n", b"\0", b" ", b"-1", b"ffffffffffffffff", b"18446744073709551616", b"\xff\xfe",
         b"\xe2\x80\xae", b"A" * 5000, b"\r\n", b"\t", b"99999999999999999999999999"])


def cut(data, chance):
    del data[chance.randrange(len(data)):]


def remove(data, chance):
    at = chance.randrange(len(data))
    del data[at:at + chance.choice([1, 4, 8, 64, 4096])]


def repeat(data, chance):
    at = chance.randrange(len(data))
    part = data[at:at + chance.choice([1, 8, 64, 4096])]
    data[at:at] = part * chance.choice([1, 2, 100])


def erase(data, chance):
    at = chance.randrange(len(data))
    n = min(len(data) - at, chance.choice([1, 8, 64, 4096]))
    data[at:at + n] = bytes([chance.choice([0, 255])]) * n


def exchange(data, chance):
    size = chance.choice([8, 64, 512])
    a, b = sorted(chance.randrange(len(data)) for _ in range(2))
    if a + size <= b and b + size <= len(data):
        data[a:a + size], data[b:b + size] = data[b:b + size], data[a:a + size]


CHANGES = [change_bits, change_number, change_head, change_text, cut, remove, repeat, erase,
           exchange]


def damage(data, chance):
    """Changes the bytes one to four times; returns how."""
    said = []
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        if data:
            change = chance.choice(CHANGES)
            change(data, chance)
            said.append(change.__name__)
    return " ".join(said)


def damage_member(members, chance):
    name = chance.choice(sorted(members))
    return f"{name}: {damage(members[name], chance)}"


def damage_name(members, chance):
    name, to = chance.choice(sorted(members)), chance.choice(ODD_NAMES)
    members[to] = members.pop(name)
    return f"{name} is called {to!r}"


def remove_member(members, chance):
    name = chance.choice(sorted(members))
    del members[name]
    return f"{name} is removed"


def exchange_members(members, chance):
    a, b = chance.choice(sorted(members)), chance.choice(sorted(members))
    members[a], members[b] = members[b], members[a]
    return f"{a} and {b} change places"


def read_members(name):
    if name.endswith(".zip"):
        with zipfile.ZipFile(name) as archive:
            return {i.filename: bytearray(archive.read(i)) for i in archive.infolist()
                    if not i.is_dir() and i.file_size <= MEMBER_MAX}
    with tarfile.open(name) as archive:
        return {m.name: bytearray(archive.extractfile(m).read()) for m in archive
                if m.isfile() and m.size <= MEMBER_MAX}


def write_tar(members, chance):
    out = io.BytesIO()
    layout = chance.choice([tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
    with tarfile.open(fileobj=out, mode="w", format=layout) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return bytearray(out.getvalue())


def write_zip(members, chance):
    out = io.BytesIO()
    how = chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, data in members.items():
            archive.writestr(name or "unnamed", bytes(data))
    return bytearray(out.getvalue())


def main():
    first, last, to = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    archives = {}
    for number in range(first, last):
        chance = random.Random(number)
        name = chance.choice(sys.argv[4:])
        if name not in archives:
            archives[name] = read_members(name)
        members = {k: bytearray(v) for k, v in archives[name].items()}
        how = chance.choice([damage_member] * 14 + [damage_name, remove_member, exchange_members])
        said = how(members, chance)
        data = (write_zip if name.endswith(".zip") else write_tar)(members, chance)
        if chance.random() < 0.1:
            said += "; the archive: " + damage(data, chance)
        with open(f"{to}/{number}", "wb") as file:
            file.write(data)
        print(f"{number} {name.rsplit('/', 1)[-1]}: {said!r}")


main()
