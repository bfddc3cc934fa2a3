#!/usr/bin/env python3
"""sampled_once.py IMAGE R2RMAP [STEP] >perf.data

Writes a perf.data with one sample of each method of IMAGE, a PE file, or of every STEPth method.
R2RMAP is the map that crossgen2 --perfmap wrote: lines of the address, size and name of a method.
"""
import os
import struct
import sys

import listings

BASE = 0x7f0000000000
SAMPLE, COMM, MMAP2 = 9, 3, 10
IP_TID_TIME_PERIOD = 1 | 2 | 4 | 256
ATTR, HEADER = 128, 104
COUNTS_CPU_CLOCK = struct.pack('<IIQQQ', 1, ATTR, 0, 1, IP_TID_TIME_PERIOD)


def record(kind, body, misc=2):
    body += bytes(-len(body) % 8)
    return struct.pack('<IHH', kind, misc, 8 + len(body)) + body


def main():
    path, names = os.path.realpath(sys.argv[1]), sys.argv[2]
    with open(path, 'rb') as f:
        data = f.read()
    with open(names, encoding='utf-8') as f:
        # The first lines describe the image: their addresses are negative numbers.
        starts = [int(line.split()[0], 16) for line in f if line[0] != 'F'][::int((sys.argv + ['1'])[3])]
    # The runtime maps the section with code, and the header in front of it.
    size = max(offset + size for rva, size, offset in listings.sections(data) if rva <= starts[0])
    pid = struct.pack('<II', 1, 1)
    records = [record(COMM, pid + b'app\0'),
               record(MMAP2, pid + struct.pack('<QQQIIQQII', BASE, size + 4095 & -4096, 0, 0, 0, 1, 0, 5, 2) +
                      path.encode() + b'\0')]
    for time, start in enumerate(starts):
        at = BASE + listings.file_offset(data, start)
        records.append(record(SAMPLE, struct.pack('<QIIQQ', at, 1, 1, time, 1)))
    attr = COUNTS_CPU_CLOCK.ljust(ATTR, b'\0') + bytes(16)
    body = b''.join(records)
    sys.stdout.buffer.write(struct.pack('<8sQQQQQQQQ', b'PERFILE2', HEADER, len(attr), HEADER, len(attr),
                                        HEADER + len(attr), len(body), 0, 0).ljust(HEADER, b'\0') + attr + body)


if __name__ == '__main__':
    main()
