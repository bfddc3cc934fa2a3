#!/usr/bin/env python3
"""disasm.py TOOL OBJDUMP FILE [PART OF]

Compares the instructions of TOOL (peers/disasm) with those of objdump -d: the same bounds, and
the same prefixes and mnemonic, in each function of FILE that .eh_frame lists.  Code without
functions is compared from symbol to symbol.  With PART and OF, compares that part of the
functions.  Prints counts and examples of differences.  Exits with 1 if there are any.

TOOL and OBJDUMP may have options.  -b binary in OBJDUMP reads code without a header.
"""
import bisect
import collections
import os
import re
import subprocess
import sys

PREFIX = re.compile(r'(lock|rep|repz|repnz|data16|addr32|[c-gs]s|notrack|bnd|rex[.WRXB]*|x(acquire|release)|\{e?vex\})$')
LINE = re.compile(r'\s*([0-9a-f]+):\t((?:[0-9a-f]{2} ?)+|[0-9a-f]{8} )\s*(?:\t(.*))?$')
SHOWN = int(os.environ.get('SHOWN', 20))


def mnemonic(text):
    # binutils 2.40 prints this prefix of shifts of memory by an immediate.  VEX has no such form.
    if re.match(r'\{evex\} vps(ll|rl|ra)\w+ +\$\w+,[^,]*\(', text):
        text = text[len('{evex} '):]
    taken = []
    for word in text.split():
        taken.append(word)
        if not PREFIX.match(word):
            break
    return ' '.join(taken)


def plain(text):
    """Removes the names of addresses, and comments."""
    text = re.sub(r'(\s{4,}#|\s+//|\s+; ).*', '', text)
    return re.sub(r'\s*<.*>', '', text).strip()


def functions(objdump, path):
    out = subprocess.run([objdump[0], '--dwarf=frames', path], capture_output=True, text=True).stdout
    found = {(int(a, 16), int(b, 16)) for a, b in re.findall(r'pc=([0-9a-f]+)\.\.([0-9a-f]+)', out)}
    return sorted((a, b) for a, b in found if a < b)


def of_objdump(command, bounds=()):
    """Yields runs of (address, length, text): objdump starts again at each symbol."""
    run = subprocess.Popen(command[:-1] + ['-d', '-w', *bounds] + command[-1:],
                           stdout=subprocess.PIPE, text=True, errors='replace')
    block = []
    for line in run.stdout:
        found = LINE.match(line.rstrip('\n'))
        if found:
            address, code, text = found.groups()
            address = int(address, 16)
        elif line.strip() == '...':
            continue
        if block and (not found or block[-1][0] + block[-1][1] != address):
            yield block
            block = []
        if found:
            block.append((address, sum(map(len, code.split())) // 2, plain(text or '')))
    if block:
        yield block
    if run.wait():
        sys.exit('disasm.py: %s failed' % ' '.join(command))


def of_tool(tool, ranges):
    """Returns (address, length, text) of the instructions in each range."""
    out = subprocess.run(tool, input=''.join('%x %x\n' % r for r in ranges), text=True,
                         capture_output=True, check=True).stdout
    for line in out.splitlines():
        address, size, text = line.split('\t', 2)
        yield int(address, 16), int(size), text


def compare(theirs, ours, count, seen):
    ours = {a: (n, t) for a, n, t in ours}
    for address, size, text in theirs:
        if '(bad)' in text or text.startswith(('.inst', '.byte')) or not text:
            count['bad'] += 1
            continue
        count['instructions'] += 1
        length, got = ours.get(address, (0, 'no instruction begins here'))
        if got.startswith('.byte') or got == 'no code':
            kind = 'undecoded'
        elif length != size:
            kind = 'bounds'
        elif mnemonic(text) != mnemonic(got):
            kind = 'mnemonics'
        elif text.split() != got.split():
            kind = 'operands'
        else:
            continue
        count[kind] += 1
        seen[kind, mnemonic(text) + (' / ' + mnemonic(got) if kind == 'mnemonics' else '')].append(
            (address, text, got))


def compare_functions(tool, objdump, path, ranges, count, seen):
    """objdump decodes data between functions, too, and may be out of step where one begins."""
    lines = sorted(line for block in of_objdump(objdump + [path]) for line in block)
    starts = [line[0] for line in lines]
    ours = sorted(of_tool(tool + [path], ranges))
    our_starts = [line[0] for line in ours]
    for begin, end in ranges:
        theirs = lines[bisect.bisect_left(starts, begin):bisect.bisect_left(starts, end)]
        here = ours[bisect.bisect_left(our_starts, begin):bisect.bisect_left(our_starts, end)]
        if [x[:2] for x in theirs] != [x[:2] for x in here]:
            bounds = '--start-address=%#x' % begin, '--stop-address=%#x' % end
            theirs = [line for block in of_objdump(objdump + [path], bounds) for line in block]
        compare(theirs, here, count, seen)


def main():
    tool, objdump, path = sys.argv[1].split(), sys.argv[2].split(), sys.argv[3]
    count, seen = collections.Counter(), collections.defaultdict(list)
    ranges = [] if 'binary' in objdump else functions(objdump, path)
    if ranges:
        part, parts = map(int, sys.argv[4:6] or (0, 1))
        chosen = ranges[len(ranges) * part // parts:len(ranges) * (part + 1) // parts]
        if parts > 1:
            objdump += ['--start-address=%#x' % chosen[0][0], '--stop-address=%#x' % chosen[-1][1]]
        compare_functions(tool, objdump, path, chosen, count, seen)
    else:
        blocks = list(of_objdump(objdump + [path]))
        ours = of_tool(tool + [path], [(b[0][0], b[-1][0] + b[-1][1]) for b in blocks])
        compare([line for block in blocks for line in block], ours, count, seen)
    print('%s: %d instructions in %d functions; %d other bounds, %d undecoded, %d other mnemonics, '
          '%d other operands; objdump cannot decode %d'
          % (path, count['instructions'], len(ranges), count['bounds'], count['undecoded'],
             count['mnemonics'], count['operands'], count['bad']))
    for (kind, name), found in sorted(seen.items(), key=lambda item: -len(item[1]))[:SHOWN]:
        print('\t%s, %d of %s: %x: %s, here %s' % (kind, len(found), name, *found[0]))
    return not count['instructions'] or bool(count['bounds'] + count['undecoded'] + count['mnemonics'])


if __name__ == '__main__':
    sys.exit(main())
