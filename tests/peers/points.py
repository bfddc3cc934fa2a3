"""points.py STACKS MAPS - compares the frames of points.cs with the tables of points.c."""
import sys

maps = {}
for text in open(sys.argv[2], encoding='utf-8'):
    image, row, begin, end, *entries = text.split()
    pairs = [tuple(map(int, entry.split(':'))) for entry in entries]
    maps.setdefault((image, row), []).append((int(end, 16) - int(begin, 16), pairs))


def raw_at(pairs, native):
    at = [il for offset, il in pairs if offset <= native]
    return at[-1] if at else None


def il_at(pairs, native):
    """The offset in force at a byte: 0 in a prolog; an epilog has that of its return."""
    at = [il for offset, il in pairs if offset <= native]
    while len(at) > 1 and at[-1] == -3:
        at.pop()
    return None if not at or at[-1] == -1 else max(at[-1], 0)


same, other, jitted, unmapped = 0, [], 0, 0
for text in open(sys.argv[1], encoding='utf-8'):
    image, row, native, il = text.split()
    native, il = int(native), int(il)
    known = [(size, pairs) for size, pairs in maps.get((image, row), []) if native <= size]
    if not known:
        jitted += 1 # no precompiled code, or a shorter one: the runtime compiled the method
    elif any(il in (il_at(pairs, native - 1), il_at(pairs, native)) for _, pairs in known):
        same += 1
    elif il == 0 and any(raw_at(pairs, native - 1) == -1 for _, pairs in known):
        unmapped += 1 # code that the compiler added: the runtime prints 0, psym has no line
    else:
        other.append((text.strip(), known[0][1][:40]))
print(f'{same} frames have the IL offset of the runtime, {len(other)} another, {unmapped} are in code without an offset, '
      f'{jitted} in code that the runtime compiled')
for text in other[:10]:
    print(text)
