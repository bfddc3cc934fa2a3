"""Folded stacks from what `go tool pprof -raw` prints; what else it says, to standard error.

	pprof.py RAW
"""
import re
import sys

samples, locations, section = [], {}, ''
counts = {'lines': 0, 'inlined': 0, 'build-ids': 0, 'threads': 0, 'processes': 0}
for line in open(sys.argv[1], encoding='utf-8'):
    line = line.rstrip('\n')
    if line in ('Samples:', 'Locations', 'Mappings'):
        section = line
    elif section == 'Samples:' and (m := re.match(r' *(-?\d+): ([\d ]+)$', line)):
        samples.append((int(m[1]), [int(n) for n in m[2].split()]))
    elif section == 'Samples:':
        counts['threads'] += 'thread:[' in line
        counts['processes'] += 'pid:[' in line
    elif section == 'Locations' and (m := re.match(r' *(?:(\d+): 0x0 (?:M=\d+ )?)?(.*) (\S*?):(\d+)(?::0)? s=0\(\)$', line)):
        if m[1]:
            names = locations[int(m[1])] = []
        names.append(m[2].lstrip(' ') if not m[1] else m[2])
        counts['lines'] += int(m[4]) > 0
        counts['inlined'] += not m[1]
    elif section == 'Mappings':
        counts['build-ids'] += re.search(r' [0-9a-f]{40}( |$)', line) is not None
    elif section == 'Locations':
        sys.exit('not understood: ' + line)

sums = {}
for weight, path in samples:
    # A location has its innermost function first, as a sample has its leaf.
    stack = ';'.join(reversed([name for number in path for name in locations[number]]))
    sums[stack] = sums.get(stack, 0) + weight
for stack in sorted(sums):
    print(stack, sums[stack])
print(' '.join(f'{k}={v}' for k, v in counts.items()), file=sys.stderr)
