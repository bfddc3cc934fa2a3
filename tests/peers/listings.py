#!/usr/bin/env python3
"""listings.py DIR LEAST SOURCE...

Compares the instructions in DIR, which pannotate --all -o DIR/ wrote, with those of objdump -b
binary: the same bounds, prefixes and mnemonic.  A SOURCE is a jitdump, a PE image, or the output
of DOTNET_JitDisasm with code bytes, which is compared as well.  Other functions are skipped.
Prints counts and differences.  Exits with 1 if there are any, or fewer than LEAST functions.
"""
import bisect
import collections
import os
import re
import struct
import sys
import tempfile

import disasm

ROW = re.compile(r' *[0-9.]+ +[0-9.]+ : +([0-9a-f]+):    (.*)')
LONGEST = 15
# Names of Intel syntax.  Other names of AT&T syntax only have a suffix for the size.
INTEL = {'cltd': 'cdq', 'cqto': 'cqo', 'cltq': 'cdqe', 'cwtl': 'cwde', 'cwtd': 'cwd', 'movabs': 'mov',
         'movslq': 'movsxd'}
JIT_COMPARES = {'false': 'neq', 'ge': 'nlt', 'gt': 'nle'}


def blocks(path):
    """Yields the module and the rows (address, text) of each piece of code."""
    module, rows = '', []
    with open(path, encoding='utf-8', errors='replace') as f:
        module = re.sub(r'.*\(([^()]*)\)\n', r'\1', f.readline())
        for line in f:
            found = ROW.match(line)
            if found:
                rows.append((int(found[1], 16), disasm.plain(found[2])))
            elif line.endswith(': ...\n') and rows:
                yield module, rows
                rows = []
    if rows:
        yield module, rows


def jitdump(data):
    """Returns the newest code at each start: {start: code}."""
    at, found = struct.unpack_from('<I', data, 8)[0], {}
    while at + 16 <= len(data):
        kind, size = struct.unpack_from('<II', data, at)
        if kind == 0:
            start, length = struct.unpack_from('<QQ', data, at + 32)
            found.pop(start, None)
            found[start] = data[at + size - length:at + size]
        at += size
    return found


def sections(data):
    """Yields the rva, size and file offset of the sections of a PE image."""
    pe = struct.unpack_from('<I', data, 60)[0]
    count, optional = struct.unpack_from('<H12xH', data, pe + 6)
    for i in range(count):
        yield struct.unpack_from('<III', data, pe + 24 + optional + 40 * i + 12)


def file_offset(data, rva):
    return next(offset + rva - at for at, size, offset in sections(data) if at <= rva < at + size)


def image(data):
    """Returns the sections of a PE image: {rva: bytes}."""
    return {rva: data[offset:offset + size] for rva, size, offset in sections(data)}


def known_bits(code, text):
    """Returns a mask without the bytes of an address that the JIT lists before it is known."""
    constant = re.search(r'reloc @RWD(\d+)', text)
    if re.match('j|lea', text) and 'G_M' in text:
        # Jumps are listed with distances that become smaller.
        at, size = (len(code) - 1, 1) if 'SHORT' in text else (len(code) - 4, 4)
    else:
        # The address is counted from the end of the instruction, which may be an immediate.
        unknown = [struct.pack('<i', int(constant[1]) - size) for size in (0, 1, 2, 4)] if constant else []
        at, size = next((code.find(address) for address in unknown + [bytes(4)] if address in code), -1), 4
    return b'\xff' * len(code) if at < 0 else b'\xff' * at + bytes(size) + b'\xff' * (len(code) - at - size)


def jit_listings(text):
    """Yields the code, the mask of its known bits, and [(offset, instruction)] of each method."""
    code, mask, rows = b'', b'', []
    for line in text.splitlines():
        row = re.match(r' {4,}([0-9A-F]+) +(\S.*?)\s*$', line)
        if row:
            # The JIT prints this prefix in a line of its own.
            if rows and rows[-1][1] == 'lock':
                rows[-1] = rows[-1][0], 'lock ' + row[2]
            else:
                rows.append((len(code), row[2]))
            here = bytes.fromhex(row[1])
            code, mask = code + here, mask + known_bits(here, row[2])
        elif line.startswith('; Total bytes of code'):
            yield code, mask, rows
        elif line.startswith('; Assembly listing'):
            code, mask, rows = b'', b'', []


class Jit:
    """The methods that the JIT lists."""

    def __init__(self):
        self.by_length = collections.defaultdict(list)

    def add(self, text):
        for code, mask, rows in jit_listings(text):
            mask = int.from_bytes(mask, 'little')
            self.by_length[len(code)].append((mask, int.from_bytes(code, 'little') & mask, rows))

    def find(self, code):
        """Returns the instructions of the code, or None."""
        value = int.from_bytes(code, 'little')
        return next((rows for mask, known, rows in self.by_length.get(len(code), ()) if value & mask == known), None)


def intel(text):
    """Returns the mnemonic of AT&T syntax as the JIT prints it."""
    name = disasm.mnemonic(text).split()[-1]
    extension = re.match(r'(movz|movs)[bw][wlq]$', name)
    return INTEL.get(name) or (extension[1] + 'x' if extension else name)


def alike(ours, jit):
    # The JIT has other names for comparisons of integers.  It calls code 4, not equal, "false".
    other = re.sub('^vpcmp(false|ge|gt)', lambda found: 'vpcmp' + JIT_COMPARES[found[1]], jit)
    # It calls all comparisons with a vector in memory "equal" if the result is a mask.
    other = re.sub('^vcmpeq(p[sd])$', r'vcmp\\w+\1', other)
    return ours == jit or re.fullmatch(other + '[bwlqxy]?', ours) is not None


def compare_jit(listing, rows, start, count):
    """The JIT prints padding of several instructions as one `align`."""
    ours = {at - start: text for at, text in rows}
    for offset, text in listing:
        name = disasm.mnemonic(text.lower()).split()[-1]
        got = intel(ours[offset]) if offset in ours else 'no instruction'
        if got != '.byte' and name != 'align' and not alike(got, name.replace('tail.', '').replace('rex.', '')):
            count['differ from the JIT'] += 1
            print(f'\tJIT: {start + offset:x}: {text}, here {ours.get(offset, got)}')
        count['of the JIT'] += 1


def find(sources, module, start):
    """Returns the bytes from `start` on, and the name of their image, or "" for a function of a jitdump."""
    for name, codes, starts in sources:
        i = bisect.bisect_right(starts, start) - 1
        if i >= 0 and start - starts[i] < len(codes[starts[i]]) and (not name or name == os.path.basename(module)):
            return codes[starts[i]][start - starts[i]:], name
    return None, ''


def pieces(rows, code, count):
    """
    Yields the rows between jump tables, and the parts of code at which both programs decode again.
    objdump decodes the entries of a table as code, and decodes inside an instruction that it does not know.
    """
    start, piece = rows[0][0], []
    for at, text in rows + [(0, '.quad')]:
        if not text.startswith(('.quad', '.byte')):
            piece.append((at, text))
            continue
        if piece:
            yield piece
        piece = []
        if text.startswith('.byte'):
            yield [(at, text)]
        elif at:
            value, = struct.unpack_from('<Q', code, at - start)
            count['pointers'] += 1
            count['wrong pointers'] += text.split()[1] != hex(value) or not start <= value < start + len(code)


def length_of_bytes(text):
    """Returns the length of a .byte row."""
    size = re.search(r'\((\d+) bytes\)', text)
    return int(size[1]) if size else text.count('0x')


class Objdump:
    """Decodes pieces of code at once, because starting objdump takes longer than its work."""
    NOPS = b'\x90' * 2 * LONGEST  # between pieces, so that each begins with an instruction

    def __init__(self):
        self.code, self.lines = bytearray(), {}

    def add(self, piece, code):
        """Adds the code of the rows.  Returns its offset and its end."""
        at = len(self.code)
        self.code += code[:piece[-1][0] - piece[0][0] + LONGEST]
        end = len(self.code)
        self.code += self.NOPS
        return at, end

    def run(self):
        with tempfile.NamedTemporaryFile() as raw:
            raw.write(self.code)
            raw.flush()
            command = ['objdump', '-D', '-b', 'binary', '-m', 'i386:x86-64', raw.name]
            self.lines = {line[0]: line for block in disasm.of_objdump(command) for line in block}

    def of(self, piece, at, end):
        """Returns the instructions that begin between the first and the last row.  `at` and `end` bound the code."""
        first, last = piece[0][0], piece[-1][0]
        found = [self.lines[i] for i in range(at, at + last - first + 1) if i in self.lines]
        # The last instruction may not be complete: objdump prints its first prefix, or decodes the NOPs, too.
        if found and (disasm.PREFIX.match(found[-1][2]) or found[-1][0] + found[-1][1] > end):
            found.pop()
        return [(offset - at + first, n, text) for offset, n, text in found]


def compare_objdump(piece, theirs, count, seen):
    """Compares the rows.  Returns the address after the last one."""
    lengths = [b[0] - a[0] for a, b in zip(piece, piece[1:])] + [theirs[-1][1] if theirs else 0]
    disasm.compare(theirs, [(at, n, text) for (at, text), n in zip(piece, lengths)], count, seen)
    at, text = piece[-1]
    return at + (length_of_bytes(text) if text.startswith('.byte') else lengths[-1])


def main():
    folder, least, sources, jit, objdump = sys.argv[1], int(sys.argv[2]), [], Jit(), Objdump()
    count, seen, functions = collections.Counter(), collections.defaultdict(list), []
    for path in sys.argv[3:]:
        with open(path, 'rb') as f:
            data = f.read()
        if data.startswith((b'DTiJ', b'MZ')):
            codes = jitdump(data) if data.startswith(b'DTiJ') else image(data)
            name = '' if data.startswith(b'DTiJ') else os.path.basename(path)
            sources.append((name, codes, sorted(codes)))
        else:
            jit.add(data.decode(errors='replace'))
    for path in sorted(os.listdir(folder)):
        for module, rows in blocks(os.path.join(folder, path)):
            start = rows[0][0]
            code, in_image = find(sources, module, start)
            if code is None:
                continue
            found = [(piece, objdump.add(piece, code[piece[0][0] - start:])) for piece in pieces(rows, code, count)]
            functions.append((rows, code[:rows[-1][0] - start + LONGEST] if in_image else code, in_image, path, found))
    objdump.run()
    for rows, code, in_image, path, found in functions:
        start = end = rows[0][0]
        for piece, bounds in found:
            end = compare_objdump(piece, objdump.of(piece, *bounds), count, seen)
        count['functions'] += 1
        listing = jit.find(code[:end - start] if in_image else code)
        if listing:
            compare_jit(listing, rows, start, count)
            count['functions of the JIT'] += 1
        elif jit.by_length and in_image and '_thunk_' not in path:  # The JIT does not make thunks.
            count['without a listing'] += 1
            print(f'\tno listing: {start:x}, {end - start} bytes of {path}')
    print('%d functions, %d instructions: %d other bounds, %d undecoded, %d other mnemonics, %d that objdump cannot '
          'decode; %d of %d pointers are wrong; %d functions and %d instructions of the JIT: %d differ, %d functions of '
          'images are not listed'
          % (count['functions'], count['instructions'], count['bounds'], count['undecoded'], count['mnemonics'],
             count['bad'], count['wrong pointers'], count['pointers'], count['functions of the JIT'],
             count['of the JIT'], count['differ from the JIT'], count['without a listing']))
    for (kind, name), found in seen.items():
        if kind != 'operands':
            print('\t%s, %d of %s: %x: %s, here %s' % (kind, len(found), name, *found[0]))
    return (count['functions'] < least or (jit.by_length and count['functions of the JIT'] < least) or
            count['bounds'] + count['undecoded'] + count['mnemonics'] + count['wrong pointers'] +
            count['differ from the JIT'] + count['without a listing'] > 0)


if __name__ == '__main__':
    sys.exit(main())
