"""Encodes a recording of perf as pprof or OTLP, with python3-protobuf and the published .proto files, or
as a processed profile of Firefox Profiler.

	encode.py FORMAT SPACE CALLERS PERF.DATA ROOT OUT

FORMAT   pprof, otlp or otlp_json, in the layout of the modules, or firefox with a version, such as
         firefox66
SPACE    ip (run time), otel (ELF virtual addresses, and mappings moved there), va and offset (no
         mapped range), relative (to the base of the file, as Firefox Profiler has them)
CALLERS  call (the address of the call) or return
ROOT     has the files of the process.  Modules compiled by protoc are in PYTHONPATH.

If IDS=htlhash is in the environment, mappings of OTLP have this id in place of a build-id.
"""
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys

KERNEL, USER = 0xffffffffffffff80, 0xfffffffffffffe00


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


class Recording:
    """The mappings and samples of a perf.data, as `perf script -D` prints them."""

    def __init__(self, path, root):
        self.root, self.mappings, self.samples, self.loads, self.bases = root, [], [], {}, {}
        self.ids = dict(reversed(line.split(None, 1)) for line in run('perf', 'buildid-list', '-i', path).splitlines())
        chain, sample = [], None
        for line in run('perf', 'script', '-D', '-i', path).splitlines():
            if m := re.search(r'PERF_RECORD_MMAP2? (-?\d+)/\d+: \[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (?:0x)?([0-9a-f]+)[^\]]*\]: (\S+) (.*)$', line):
                start = int(m[2], 16)
                if 'x' in m[5] or m[1] == '-1':
                    self.mappings.append((int(m[1]), start, start + int(m[3], 16), int(m[4], 16), m[6]))
            elif m := re.search(r'PERF_RECORD_SAMPLE\(.*\): (\d+)/(\d+): .* period: (\d+)', line):
                sample, chain = (int(m[1]), int(m[2]), int(m[3])), []
            elif sample and (m := re.match(r'\.\.\.\.\. +\d+: ([0-9a-f]{16})$', line)):
                chain.append(int(m[1], 16))
            elif sample and (m := re.match(r' \.\.\. thread: (.*):\d+$', line)):
                self.samples.append((*sample, m[1], self.frames(sample[0], chain)))
                sample = None

    def frames(self, pid, chain):
        """(mapping or -1, address, is a return address) of each frame, leaf first."""
        out, leaf = [], True
        for ip in chain:
            if ip >= 0xfffffffffffff001 or ip in (KERNEL, USER):
                leaf = True
                continue
            out.append((self.find(pid, ip), ip, not leaf))
            leaf = False
        return out

    def find(self, pid, ip):
        # The newest mapping wins, as in a process.
        for i in range(len(self.mappings) - 1, -1, -1):
            owner, start, limit, _, _ = self.mappings[i]
            if start <= ip < limit and (owner == pid or owner == -1):
                return i
        return -1

    def shift(self, path, offset):
        """Virtual address minus file offset of the code at `offset`."""
        if path not in self.loads:
            try:
                text = run('readelf', '-lW', self.root + path)
            except subprocess.CalledProcessError:
                text = ''
            self.loads[path] = [(int(a, 16), int(v, 16), int(n, 16)) for a, v, n in re.findall(
                r'LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x\w+ R E', text)]
        for at, va, size in self.loads[path]:
            if at & ~4095 <= offset < at + size:
                return va - at
        return 0

    def base(self, path):
        """Virtual address of the first byte of the file."""
        if path not in self.bases:
            first = re.search(r'LOAD +0x0+ 0x(\w+)', run('readelf', '-lW', self.root + path))
            self.bases[path] = int(first[1], 16)
        return self.bases[path]


class Placed:
    """The mappings and locations of a recording, in the address space that was asked for."""

    def __init__(self, recording, space, callers):
        self.r, self.space, self.returns = recording, space, callers == 'return'
        self.number, self.locations = {}, []

    def mapping(self, i):
        pid, start, limit, offset, path = self.r.mappings[i]
        if self.is_fixed(i) or self.space == 'ip':
            return start, limit, offset
        shift = self.r.shift(path, offset)
        return (offset + shift, limit - start + offset + shift, offset) if self.space == 'otel' else (0, 0, 0)

    def is_fixed(self, i):
        return self.r.mappings[i][0] == -1 or self.r.mappings[i][4].startswith(('[', '//'))

    def location(self, frame):
        i, ip, caller = frame
        if caller and ip and not self.returns:
            ip -= 1
        if i >= 0 and not self.is_fixed(i) and self.space != 'ip':
            _, start, _, offset, path = self.r.mappings[i]
            ip += offset - start
            if self.space != 'offset':
                ip += self.r.shift(path, offset)
            if self.space == 'relative' and self.r.loads[path]:
                ip -= self.r.base(path)
        if (i, ip) not in self.number:
            self.locations.append((i, ip))
            self.number[i, ip] = len(self.locations)
        return self.number[i, ip]


class Strings(dict):
    def __missing__(self, text):
        self[text] = len(self)
        return self[text]


def encode_pprof(r, placed, out):
    import profile_pb2
    p, strings = profile_pb2.Profile(), Strings({'': 0})
    for kind, unit in (('samples', 'count'), ('cpu', 'nanoseconds')):
        p.sample_type.add(type=strings[kind], unit=strings[unit])
    for pid, tid, period, comm, frames in r.samples:
        s = p.sample.add(location_id=[placed.location(f) for f in frames], value=[1, period])
        s.label.add(key=strings['pid'], num=pid)
        s.label.add(key=strings['tid'], num=tid)
        s.label.add(key=strings['comm'], str=strings[comm])
    for i, (_, _, _, _, path) in enumerate(r.mappings):
        start, limit, offset = placed.mapping(i)
        path = '[kernel.kallsyms]' if path.startswith('[kernel.kallsyms]') else path
        p.mapping.add(id=i + 1, memory_start=start, memory_limit=limit, file_offset=offset,
                      filename=strings[path], build_id=strings[r.ids.get(path, '')])
    for n, (i, ip) in enumerate(placed.locations):
        p.location.add(id=n + 1, mapping_id=i + 1, address=ip)
    p.string_table.extend(strings)
    # Readers must not need the tables first.
    open(out, 'wb').write(p.SerializeToString())


def htlhash(path):
    data = open(path, 'rb').read()
    return hashlib.sha256(data[:4096] + data[-4096:] + len(data).to_bytes(8, 'big')).hexdigest()[:32]


def encode_otlp_json(r, placed, out):
    from google.protobuf.json_format import MessageToJson
    open(out, 'w').write(MessageToJson(otlp(r, placed), indent=None) + '\n')


def encode_otlp(r, placed, out):
    open(out, 'wb').write(otlp(r, placed).SerializeToString())


def otlp(r, placed):
    from opentelemetry.proto.profiles.v1development import profiles_pb2
    data, strings = profiles_pb2.ProfilesData(), Strings({'': 0})
    d, attributes, stacks = data.dictionary, {}, {}

    def attribute(key, value):
        if (key, value) not in attributes:
            attributes[key, value] = len(attributes) + 1
            a = d.attribute_table.add(key_strindex=strings[key])
            if isinstance(value, int):
                a.value.int_value = value
            else:
                a.value.string_value = value
        return attributes[key, value]

    def stack(frames):
        path = tuple(placed.location(f) for f in frames)
        if path not in stacks:
            stacks[path] = len(stacks) + 1
            d.stack_table.add(location_indices=path)
        return stacks[path]

    # Entry 0 of each table means "none".
    for table in (d.attribute_table, d.stack_table, d.mapping_table, d.location_table, d.function_table, d.link_table):
        table.add()
    for process in sorted({s[0] for s in r.samples}):
        resource = data.resource_profiles.add()
        a = resource.resource.attributes.add(key='process.pid')
        a.value.int_value = process
        profile = resource.scope_profiles.add().profiles.add()
        profile.sample_type.type_strindex = strings['cpu']
        profile.sample_type.unit_strindex = strings['nanoseconds']
        for pid, tid, period, comm, frames in r.samples:
            if pid == process:
                samples = profile.samples if hasattr(profile, 'samples') else profile.sample  # 1.8
                samples.add(stack_index=stack(frames), values=[period], attribute_indices=[
                    attribute('thread.name', comm), attribute('thread.id', tid)])
    for i, (_, _, _, _, path) in enumerate(r.mappings):
        start, limit, offset = placed.mapping(i)
        path = '[kernel.kallsyms]' if path.startswith('[kernel.kallsyms]') else path
        m = d.mapping_table.add(memory_start=start, memory_limit=limit, file_offset=offset,
                                filename_strindex=strings[path])
        if os.environ.get('IDS') == 'htlhash':
            if os.path.isfile(r.root + path):
                m.attribute_indices.append(attribute('process.executable.build_id.htlhash', htlhash(r.root + path)))
        elif path in r.ids:
            m.attribute_indices.append(attribute('process.executable.build_id.gnu', r.ids[path]))
    for i, ip in placed.locations:
        d.location_table.add(mapping_index=i + 1, address=ip)
    d.string_table.extend(strings)
    return data


def table(columns, rows):
    return {**{name: [row[i] for row in rows] for i, name in enumerate(columns.split())}, 'length': len(rows)}


def firefox_tables(r, placed, version, strings, libs, stacks):
    """The tables of the locations and stacks so far.  Each frame has a function of its own."""
    frames, funcs, resources = [], [], [(lib, strings[path], None, 1) for path, lib in libs.items()]
    for n, (i, ip) in enumerate(placed.locations):
        lib = libs[path_of(r, i)] if i >= 0 else -1
        if i >= 0 and placed.is_fixed(i):
            ip -= r.mappings[i][1]
        has = i >= 0
        flags = (2 if has else 0) | 4
        frames.append((ip if has else (0 if version > 70 else -1), 0, 0, 0, n, None, None, None, None,
                       lib if has or version < 71 else 0, flags))
        funcs.append((strings[hex(ip)], False, False, lib, None, None, None, 4 if has else 0))
    names = 'address inlineDepth category subcategory func nativeSymbol innerWindowID line column'
    names += ' lib flags' if version > 70 else ' lib' if version == 70 else ''
    rows = [(frame, parent + 1 and n - parent if version > 65 else parent if parent >= 0 else None)
            for n, (parent, frame) in enumerate(stacks)]
    return {
        'stackTable': table('frame prefixOffset' if version > 65 else 'frame prefix', rows),
        'frameTable': table(names, frames),
        'funcTable': table('name isJS relevantForJS resource ' + ('fileName' if version < 58 else 'source') +
                           ' lineNumber columnNumber' + (' flags' if version > 74 else ''), funcs),
        'resourceTable': table('lib name host type', resources) if version < 70 else
        table('name host type', [row[1:] for row in resources]),
        'nativeSymbols': table('libIndex address name functionSize', []),
    }


def path_of(r, i):
    path = r.mappings[i][4]
    return '[kernel.kallsyms]' if path.startswith('[kernel.kallsyms]') else path


def encode_firefox(version):
    def encode(r, placed, out):
        strings, threads, libs, shared = Strings({'': 0}), [], {}, {}
        for i in range(len(r.mappings)):
            libs.setdefault(path_of(r, i), len(libs))
        stacks = {}
        for key in sorted({(s[0], s[1], s[3]) for s in r.samples}):
            if version < 60:
                placed.number, placed.locations, stacks = {}, [], {}
            rows = []
            for n, (pid, tid, period, comm, frames) in enumerate(r.samples):
                if (pid, tid, comm) != key:
                    continue
                at = -1
                for frame in reversed(frames):
                    at = stacks.setdefault((at, placed.location(frame) - 1), len(stacks))
                rows.append((at if at >= 0 else None, n, period / 1e6))
            threads.append({
                'name': key[2], 'processName': 'grind', 'processType': 'default', 'pid': str(key[0]),
                'tid': key[1], 'samples': {**table('stack time weight', rows), 'weightType': 'tracing-ms'},
            })
            if version < 60:
                threads[-1].update(firefox_tables(r, placed, version, strings, libs, stacks))
        if version >= 60:
            shared = firefox_tables(r, placed, version, strings, libs, stacks)
        shared['sources'] = table('id filename', [])
        shared['stringArray'] = list(strings)
        profile = {
            'meta': {'interval': 1, 'startTime': 1000, 'processType': 0, 'product': 'grind',
                     'preprocessedProfileVersion': version, 'symbolicated': False},
            'threads': threads, 'shared': shared,
            'libs': [{'name': path.split('/')[-1], 'path': path, 'codeId': r.ids.get(path)} for path in libs],
        }
        with gzip.GzipFile(out, 'wb', mtime=0) as file:
            file.write(json.dumps(profile).encode())
    return encode


def main():
    kind, space, callers, path, root, out = sys.argv[1:]
    recording = Recording(path, root)
    encoders = {'pprof': encode_pprof, 'otlp': encode_otlp, 'otlp_json': encode_otlp_json}
    if kind.startswith('firefox'):
        encoders[kind] = encode_firefox(int(kind[len('firefox'):]))
    encoders[kind](recording, Placed(recording, space, callers), out)


main()
