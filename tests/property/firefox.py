"""Reads what psym --to firefox writes.

	firefox.py JSON         prints the samples: name, tid, time and functions, the root first
	firefox.py -t           reads psym's text with -F comm,tid,time,ip,sym,dso, and prints the same

Exits with 1 if the JSON lacks what a processed profile of version 70 must have.
"""
import json
import re
import sys

FIELDS = {
    'profile': 'meta libs shared threads',
    'meta': 'interval startTime processType product stackwalk version preprocessedProfileVersion markerSchema',
    'category': 'name color subcategories',
    'lib': 'arch name path debugName debugPath breakpadId codeId',
    'shared': 'stringArray stackTable frameTable funcTable resourceTable nativeSymbols sources sourceLocationTable',
    'stackTable': 'frame prefixOffset',
    'frameTable': 'address lib inlineDepth category subcategory func nativeSymbol innerWindowID line column '
                  'originalLocation',
    'funcTable': 'name isJS relevantForJS resource source lineNumber columnNumber originalLocation',
    'nativeSymbols': 'libIndex address name functionSize',
    'resourceTable': 'name host type',
    'sources': 'id filename startLine startColumn sourceMapURL content',
    'sourceLocationTable': 'source line column',
    'thread': 'processType processStartupTime processShutdownTime registerTime unregisterTime pausedRanges name '
              'isMainThread pid tid samples markers',
    'samples': 'stack timeDeltas weight',
    'markers': 'data name startTime endTime phase category',
}


def need(kind, value):
    """Checks the fields of an object, and the columns of a table."""
    for field in FIELDS[kind].split():
        assert field in value, f'{kind} has no {field}'
        if 'length' in value:
            assert len(value[field]) == value['length'], f'{kind}.{field}'
    return value


def below(cells, limit, least=0):
    for cell in cells:
        assert cell is None or least <= cell < limit, (cell, limit)


def check(p):
    need('profile', p)
    assert need('meta', p['meta'])['preprocessedProfileVersion'] == 70
    categories = [need('category', c) for c in p['meta']['categories']]
    assert any(c['color'] == 'grey' for c in categories)
    assert all(c['subcategories'][0] == 'Other' for c in categories)
    for lib in p['libs']:
        need('lib', lib)
        assert re.fullmatch('([0-9A-F]{32}0)?', lib['breakpadId'])
    shared = need('shared', p['shared'])
    for table in shared:
        if table != 'stringArray':
            need(table, shared[table])
    frames, funcs, stacks = shared['frameTable'], shared['funcTable'], shared['stackTable']
    strings = len(shared['stringArray'])
    below(stacks['frame'], frames['length'])
    for i, offset in enumerate(stacks['prefixOffset']):
        assert 0 <= offset <= i
    below(frames['func'], funcs['length'])
    below(frames['lib'], len(p['libs']), -1)
    below(frames['category'], len(categories))
    below(funcs['name'], strings)
    below(funcs['resource'], shared['resourceTable']['length'], -1)
    below(funcs['source'], shared['sources']['length'])
    below(shared['resourceTable']['name'] + shared['sources']['filename'], strings)
    for thread in p['threads']:
        need('thread', thread)
        need('markers', thread['markers'])
        below(need('samples', thread['samples'])['stack'], stacks['length'])
        assert all(delta >= 0 for delta in thread['samples']['timeDeltas'])


def functions(shared, stack):
    names = []
    while stack is not None:
        name = shared['stringArray'][shared['funcTable']['name'][shared['frameTable']['func'][shared['stackTable']['frame'][stack]]]]
        names.append('[unknown]' if re.fullmatch('0x[0-9a-f]+', name) else name)
        offset = shared['stackTable']['prefixOffset'][stack]
        stack = stack - offset if offset else None
    return names


def from_json(p):
    for thread in p['threads']:
        ms = 0
        for delta, stack in zip(thread['samples']['timeDeltas'], thread['samples']['stack']):
            ms += delta
            yield thread['name'], thread['tid'], round(ms * 1e6), functions(p['shared'], stack)


def from_text(lines):
    samples = []
    for line in lines:
        if m := re.match(r'(\S.*\S) +(\d+) +(\d+)\.(\d{9}): *$', line):
            samples.append((m[1], int(m[2]), int(m[3]) * 10**9 + int(m[4]), []))
        elif m := re.match(r'\t *[0-9a-f]+ (.*) \(.*\)$', line):
            samples[-1][3].append(m[1])
    first = min(s[2] for s in samples)
    return [(name, tid, time - first, names) for name, tid, time, names in samples]


def main():
    if sys.argv[1] == '-t':
        samples = from_text(sys.stdin)
    else:
        with open(sys.argv[1], encoding='utf-8') as f:
            p = json.load(f)
        check(p)
        samples = from_json(p)
    # The sum of the deltas of a thread is not exact to the nanosecond.
    for name, tid, time, names in sorted(samples, key=lambda s: (s[1], s[2])):
        print(name, tid, round(time / 1000), ';'.join(reversed(names)), sep='\t')


main()
