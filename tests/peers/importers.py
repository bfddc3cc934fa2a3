"""What FlameScope's own code reads of a file: importers.py FLAMESCOPE FILE heatmap|stacks

heatmap: a line "SECOND ROW COUNT" for each cell that is not empty, row 0 being the first part
of a second.  stacks: a line "comm;frame;frame COUNT" for each stack, sorted."""
import collections
import os
import sys
import types

root, path, what = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3]


def stand_in(name, **contents):
    """A module that only other formats, or the web pages, have a use for."""
    module = types.ModuleType(name)
    module.__dict__.update(contents)
    sys.modules[name] = module


sys.path.insert(0, root)
stand_in('app', __path__=[os.path.join(root, 'app')])
stand_in('app.cpuprofile.heatmap', cpuprofile_read_offsets=None)
stand_in('app.nflxprofile.heatmap', nflxprofile_readoffsets=None)
stand_in('app.trace_event.heatmap', trace_event_read_offsets=None)
stand_in('flask', abort=sys.exit)
stand_in('magic', from_file=lambda name, mime: 'text/plain')
stand_in('cachetools', cached=lambda cache: lambda f: f, LRUCache=lambda maxsize: None)

from app import config  # noqa: E402
from app.controllers.heatmap import generate_heatmap  # noqa: E402
from app.perf.flame_graph import perf_generate_flame_graph  # noqa: E402

config.PROFILE_DIR = os.path.dirname(path)


def stacks(node, above):
    for child in node['c']:
        names = above + [child['n']]
        if child['v']:
            yield ';'.join(names), child['v']
        yield from stacks(child, names)


if what == 'heatmap':
    values = generate_heatmap(os.path.basename(path), 'perf')['values']
    for second, column in enumerate(values):
        for row, count in enumerate(reversed(column)):
            if count:
                print(second, row, count)
else:
    sys.setrecursionlimit(10000)
    # Nodes of one name stand apart where their kinds of file differ.
    counts = collections.Counter()
    for line, count in stacks(perf_generate_flame_graph(path), []):
        counts[line] += count
    print('\n'.join(sorted('%s %d' % item for item in counts.items())))
