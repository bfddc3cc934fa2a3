#!/usr/bin/env python3
"""disasm.py TOOL OBJDUMP FILE [START END]...

Compares the instructions of TOOL (peers/disasm) with those of objdump -d: the same bounds,
and the same prefixes and mnemonic.  START and END are hexadecimal addresses; without them,
compares all code.  Prints counts, and the first differences.  OBJDUMP may have options.
"""
import collections
import os
import re
import subprocess
import sys

PREFIX = re.compile(r'(lock|rep|repz|repnz|data16|addr32|[cdefgs]s|notrack|bnd|rex[.WRXB]*|x(acquire|release)|\{e?vex\})$')
LINE = re.compile(r'\s*([0-9a-f]+):\t((?:[0-9a-f]{2} ?)+|[0-9a-f]{8} )\s*(?:\t(.*))?$')
SHOWN = int(os.environ.get('SHOWN', 20))


def mnemonic(text):
    words = text.split()
    taken = []
    for word in words:
        taken.append(word)
        if not PREFIX.match(word):
            break
    return ' '.join(taken)


def plain(text):
    """The text without names of addresses and without comments."""
    text = re.sub(r'(\s{4,}#|\s+//|\s+; ).*', '', text)
    return re.sub(r'\s*<.*>', '', text).strip()


def of_objdump(command, ranges):
    """Yields blocks of (address, length, text): objdump starts again at each symbol."""
    for start, end in ranges or [(None, None)]:
        bounds = [] if start is None else ['--start-address=0x%x' % start, '--stop-address=0x%x' % end]
        run = subprocess.Popen(command[:-1] + ['-d', '-w'] + bounds + command[-1:],
                               stdout=subprocess.PIPE, text=True, errors='replace')
        block = []
        for line in run.stdout:
            found = LINE.match(line.rstrip('\n'))
            if not found:
                if block and line.strip() != '...':
                    yield block
                    block = []
                continue
            address, code, text = found.groups()
            size = sum(len(word) for word in code.split()) // 2
            address = int(address, 16)
            if block and block[-1][0] + block[-1][1] != address:
                yield block
                block = []
            block.append((address, size, plain(text or '')))
        if block:
            yield block
        if run.wait():
            sys.exit('disasm.py: %s failed' % ' '.join(command))


def of_tool(tool, blocks, raw):
    ranges = ''.join('%x %x\n' % (b[0][0], b[-1][0] + b[-1][1]) for b in blocks)
    out = subprocess.run(tool, input=ranges, text=True, capture_output=True, check=True).stdout
    for line in out.splitlines():
        address, size, text = line.split('\t', 2)
        yield int(address, 16), int(size), text


def compare(blocks, lines, count, seen):
    theirs = {a: (n, t) for b in blocks for a, n, t in b}
    ours = {a: (n, t) for a, n, t in lines}
    for address in sorted(theirs):
        size, text = theirs[address]
        bad = '(bad)' in text or text.startswith('.inst') or not text
        count['instructions'] += not bad
        got = ours.get(address)
        if bad:
            count['bad'] += 1
        elif not got:
            count['bounds'] += 1
            seen['bounds', mnemonic(text)].append((address, text, 'no instruction begins here'))
        elif got[1].startswith('.byte') or got[1] == 'no code':
            count['undecoded'] += 1
            seen['undecoded', mnemonic(text)].append((address, text, got[1]))
        elif got[0] != size:
            count['bounds'] += 1
            seen['bounds', mnemonic(text)].append((address, text, got[1]))
        elif mnemonic(text) != mnemonic(got[1]):
            count['mnemonics'] += 1
            seen['mnemonic', mnemonic(text) + ' / ' + mnemonic(got[1])].append((address, text, got[1]))
        elif re.sub(r'\s+', ' ', text) != re.sub(r'\s+', ' ', got[1]):
            count['operands'] += 1
            seen['operands', mnemonic(text)].append((address, text, got[1]))


def main():
    tool, objdump, path = sys.argv[1].split(), sys.argv[2].split(), sys.argv[3]
    numbers = [int(x, 16) for x in sys.argv[4:]]
    ranges = list(zip(numbers[::2], numbers[1::2]))
    count, seen = collections.Counter(), collections.defaultdict(list)
    batch, size = [], 0
    for block in of_objdump(objdump + [path], ranges):
        batch.append(block)
        size += len(block)
        if size > 200000:
            compare(batch, of_tool(tool + [path], batch, False), count, seen)
            batch, size = [], 0
    compare(batch, of_tool(tool + [path], batch, False), count, seen)
    print('%s: %d instructions, %d other bounds, %d undecoded, %d other mnemonics, %d other operands; %d bad in objdump'
          % (path, count['instructions'], count['bounds'], count['undecoded'], count['mnemonics'],
             count['operands'], count['bad']))
    for (kind, name), found in sorted(seen.items(), key=lambda item: -len(item[1]))[:SHOWN]:
        print('\t%s %d: %x: %s, here %s' % (kind, len(found), *found[0]))
    return not count['instructions'] or bool(count['bounds'] + count['undecoded'] + count['mnemonics'])


if __name__ == '__main__':
    sys.exit(main())
