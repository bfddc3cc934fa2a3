#!/usr/bin/env python3
"""reasons.py DIR - are the sentences of psym true?

Reads coverage.json, coverage.txt, missing.txt and notes.txt of psym, and `bare`, what it prints
without any source: mappings, and frames with absolute addresses.  DIR holds the sources.  Maps,
dumps and ELF files are read here by other means than psym's.
"""
import bisect
import json
import os
import re
import struct
import subprocess
import sys

wrong, checked = [], 0


def expect(holds, sentence):
    global checked
    checked += 1
    if not holds:
        wrong.append(sentence)


def union(ranges):
    out = []
    for begin, end in sorted(ranges):
        if out and begin <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([begin, end])
    return out


def holds(ranges, at):
    i = bisect.bisect_right(ranges, [at, 1 << 65]) - 1
    return i >= 0 and ranges[i][0] <= at < ranges[i][1]


def perf_map(path):
    for line in open(path, errors="replace"):
        m = re.match(r"(?:0x)?([0-9a-fA-F]+) (?:0x)?([0-9a-fA-F]+) \S", line)
        if m:
            yield int(m[1], 16), int(m[1], 16) + int(m[2], 16)


def jitdump(path):
    """The pieces of code, and the byte at which the file is cut off, or None."""
    data = open(path, "rb").read()
    size = struct.unpack_from("<I", data, 8)[0]
    at, pieces = size, []
    while at + 16 <= len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 0 and at + 56 <= len(data):
            start, n = struct.unpack_from("<QQ", data, at + 32)
            pieces.append((start, start + n))
        if length < 16 or at + length > len(data):
            return pieces, at
        at += length
    return pieces, at if at < len(data) else None


def vdso():
    """Returns the path of a copy of the vDSO, which each process of this machine has."""
    with open("/proc/self/maps") as lines, open("/proc/self/mem", "rb") as memory, open("vdso", "wb") as copy:
        begin, end = next(re.findall("[0-9a-f]+", line)[:2] for line in lines if "[vdso]" in line)
        memory.seek(int(begin, 16))
        copy.write(memory.read(int(end, 16) - int(begin, 16)))
    return "vdso"


def elf_symbols(path):
    """Returns true if the file has a .symtab, by nm."""
    full = subprocess.run(["nm", path], capture_output=True, text=True)
    return bool(full.stdout.strip())


def build_id(path):
    m = re.search(r"Build ID: ([0-9a-f]+)", subprocess.run(
        ["readelf", "-n", path], capture_output=True, text=True).stdout)
    return m and m[1]


directory = sys.argv[1]
maps, dumps, cut = {}, {}, {}
for base, _, names in os.walk(directory):
    for name in names:
        path = os.path.join(base, name)
        if re.fullmatch(r"perf-\d+\.map", name):
            maps[name] = union(perf_map(path))
        elif re.fullmatch(r"jit-\d+\.dump", name):
            pieces, at = jitdump(path)
            dumps[name] = union(pieces)
            if at is not None:
                cut[name] = at

# Frames without any source, and mappings.
mapped, frames, pid, leaf = [], {}, 0, True
for line in open("bare", errors="replace"):
    m = re.search(r"PERF_RECORD_MMAP2? (-?\d+)/\d+: \[0x([0-9a-f]+)\((0x[0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*\]: (\S+) (.*)", line)
    if m:
        if "x" in m[5]:
            begin = int(m[2], 16)
            mapped.append((int(m[1]), begin, begin + int(m[3], 16), m[6], int(m[4], 16)))
    elif line.startswith("\t"):
        m = re.match(r"\t\s*([0-9a-f]+) \[unknown\] \((.*)\)$", line.rstrip("\n"))
        if m:
            at = int(m[1], 16)
            frames.setdefault(m[2], []).append((at - (not leaf), pid))
            leaf = at >= 1 << 63
    elif line.strip():
        m = re.match(r"\s*.*?\s(\d+)/(\d+)", line)
        pid, leaf = int(m[1]) if m else 0, True

coverage = json.loads(open("coverage.json").read().splitlines()[-1])
text = open("coverage.txt").read()
missing = open("missing.txt").read()
notes = open("notes.txt").read() + text
jit_ranges = union([tuple(r) for t in (maps, dumps) for k in t.values() for r in k])


def same_code(at, pid, name):
    """Where else the process has mapped the bytes of a file that are at that address."""
    offset = [at - begin + off for p, begin, end, path, off in mapped if path == name and begin <= at < end]
    yield at
    for p, begin, end, path, off in mapped:
        if path == name and offset and off <= offset[-1] < off + end - begin:
            yield begin + offset[-1] - off


def module_frames(name):
    return frames.get(name or "[unknown]", [])


def is_jit(name):
    return name.startswith(("/tmp/perf-", "/memfd:", "[JIT]", "//anon"))


total = 0
for m in coverage["modules"]:
    name, unnamed = m["module"], m["frames"] - m["named"]
    total += m["frames"]
    where = f"{unnamed} of {m['frames']} in {name or 'no mapping'}"
    # Stacks of --call-graph dwarf are unwound by the files, which `bare` does not have.
    expect(len(module_frames(name)) == m["frames"] or "UNWOUND" in os.environ, f"{where}: psym counts {len(module_frames(name))} frames there")
    expect(sum(f["frames"] for f in m["by"]) == m["named"], f"{where}: the files add up to the named frames")
    # the frames that a map or dump names are in it
    for f in m["by"]:
        base = os.path.basename(f.get("file", ""))
        known = maps.get(base) or dumps.get(base)
        if f["verified"] == "covers the sampled addresses" and known:
            covered = sum(any(holds(known, a) for a in same_code(at, p, name)) for at, p in module_frames(name))
            expect(covered >= f["frames"], f"{where}: {base} names {f['frames']}, but has {covered}")
        if f["verified"] == "build-id" and f.get("host"):
            path = "/" + f["file"].lstrip("/")
            if os.path.exists(path) and m.get("build_id") and build_id(path):
                expect(build_id(path) == m["build_id"] or "debug" in f, f"{where}: {path} has another build-id")
    if not unnamed:
        continue
    reason = m["unnamed_because"]
    where += ": " + reason
    sources = [os.path.join(b, n) for b, _, ns in os.walk(directory) for n in ns]
    same = [s for s in sources if os.path.basename(s) == os.path.basename(name)]
    if reason.startswith(("no map or jitdump of the process contains", "no undamaged line")):
        inside = sum(holds(jit_ranges, at) for at, _ in module_frames(name))
        expect(inside <= m["named"], f"{where}: {inside} frames are in maps, {m['named']} named")
    elif reason.startswith("the process has no usable perf map or jitdump"):
        inside = sum(holds(jit_ranges, at) for at, _ in module_frames(name))
        expect(inside < max(1, len(module_frames(name)) // 2), f"{where}: {inside} are in maps of the sources")
    elif reason.startswith("no mapping contains these") or reason.startswith("no recorded mapping"):
        by_pid = {}
        for p, begin, end, _, _ in mapped:
            by_pid.setdefault(p, []).append((begin, end))
        by_pid = {p: union(r) for p, r in by_pid.items()}
        inside = sum(holds(by_pid.get(p, []), at) for at, p in module_frames(name))
        # what was unmapped, or mapped later, is not seen here
        expect(inside <= len(module_frames(name)) // 50, f"{where}: {inside} are in recorded mappings")
        if reason.startswith("no mapping contains these"):
            expect(not any(is_jit(k) for k in frames), f"{where}: there is code made at run time")
    elif reason == "its file was not found":
        expect(not same, f"{where}: {same}")
    elif reason == "its image is not among the sources":
        expect(not same, f"{where}: {same}")
    elif reason == "the file that was found is not used":
        expect(m.get("refused") and m.get("refused_because"), f"{where}: which file, and why")
    elif reason.startswith("it is stripped"):
        path = vdso() if name == "[vdso]" else name if os.path.exists(name) else None
        expect(path and not elf_symbols(path), f"{where}: it has symbols")
    elif reason == "its symbols do not cover these addresses":
        path = same[0] if same else name
        expect(os.path.exists(path) or name.startswith("["), f"{where}: there is no such file")
    elif reason.startswith("kallsyms, vmlinux or module of that kernel not found"):
        expect(not any(re.search("kallsyms|vmlinux", s) for s in sources), f"{where}: kallsyms are there")
    elif reason.startswith("these addresses are outside its methods"):
        expect(bool(same), f"{where}: there is no image")
    elif reason.startswith("it is code of the kernel"):
        expect(name == "[vdso]", where)
    else:
        expect(False, f"{where}: a sentence that is not checked")

# the table has what the JSON has
for m in coverage["modules"]:
    row = f"{m['frames'] - m['named']:>10} of {m['frames']:>10} unnamed  {m['module'] or '(no mapping)'}"
    expect(row in text, f"not in the table: {row}")
for m in re.finditer(r"cut off: (\S+), in the record at byte (\d+); (\d+) piece", text):
    base = os.path.basename(m[1])
    expect(cut.get(base) == int(m[2]), f"{m[0]}: it ends at {cut.get(base)}")
for base in cut:
    expect(len(re.findall(rf"cut off: \S*{re.escape(base)},", text)) == 1, f"{base} is cut off, which is reported once")

# what the notes report of maps
jit = {at for k, v in frames.items() if is_jit(k) for at, _ in v}
for m in re.finditer(r"(\S+\.(?:map|dump)) names (\d+) of (\d+) distinct JIT addresses(?:, (\d+) of them alone)?", notes):
    known = maps.get(os.path.basename(m[1])) or dumps.get(os.path.basename(m[1]))
    if known is None:
        continue
    covered = sum(holds(known, at) for at in jit)
    expect(abs(covered - int(m[2])) <= len(jit) // 100, f"{m[0]}: it has {covered}")
    if m[4]:
        rest = union([tuple(r) for t in (maps, dumps) for k, v in t.items() if k != os.path.basename(m[1]) for r in v])
        alone = sum(holds(known, at) and not holds(rest, at) for at in jit)
        expect(abs(alone - int(m[4])) <= len(jit) // 100, f"{m[0]}: it alone has {alone}")
for m in re.finditer(r"(\S+\.(?:map|dump)): not used: it names no code of these processes", notes):
    known = maps.get(os.path.basename(m[1])) or dumps.get(os.path.basename(m[1])) or []
    expect(not any(holds(known, at) for at in jit), m[0])
for m in re.finditer(r"(\S+\.(?:map|dump)): not used: it names (\d+) of \d+ JIT addresses of process \d+, and other", notes):
    rest = union([tuple(r) for t in (maps, dumps) for k, v in t.items() if k != os.path.basename(m[1]) for r in v])
    known = maps.get(os.path.basename(m[1])) or dumps.get(os.path.basename(m[1])) or []
    expect(not any(holds(known, at) and not holds(rest, at) for at in jit), m[0])

# --missing: the same modules and numbers, and advice that is of the runtime
modules = {m["module"] or "(no mapping)": m for m in coverage["modules"]}
for m in re.finditer(r"^# (\d+) of (\d+) frames in (.*?): (.*)$", missing, re.M):
    known = modules.get(m[3])
    expect(known is not None and known["frames"] == int(m[2]) and known["frames"] - known["named"] == int(m[1]), m[0])
runtimes = {".NET": r"libcoreclr|doublemapper|CoreLib", "Node.js": r"/node(js)?$|libnode", "Java": "libjvm",
            "Python": "python3", "PHP": "php|opcache", "Ruby": "ruby", "Erlang": "beam", "LuaJIT": "luajit"}
for m in re.finditer(r"^# (\S+) writes it with: (.*)$", missing, re.M):
    expect(m[1] in runtimes and any(re.search(runtimes[m[1]], e[3]) for e in mapped), m[0])
for m in re.finditer(r"^# /tmp/perf-(\d+)\.map of the machine$", missing, re.M):
    expect(any(e[0] == int(m[1]) for e in mapped), m[0])
for m in re.finditer(r"^buildid/([0-9a-f]+)/(\w+)$", missing, re.M):
    expect(any(k.get("build_id") == m[1] for k in coverage["modules"]) or "gnu_debugaltlink" in missing, m[0])
# The advice is about the whole recording, and the same words in a row of the table about that row.
unnamed = sum(k["frames"] - k["named"] for k in coverage["modules"])
broken = sum(k["frames"] for k in coverage["modules"]
             if not k["module"] and k["unnamed_because"].startswith("no mapping contains these"))
expect(("because the code was compiled without frame pointers" in notes) ==
       (broken >= 0.9 * unnamed and unnamed * 5 > total and not jit), "frame pointers are missing, or not")
if "over a fifth of the frames" in notes:
    expect(unnamed * 5 > total, "over a fifth of the frames is unnamed")

for sentence in wrong:
    print("false:", sentence)
print(f"{checked} sentences")
sys.exit(bool(wrong) or checked == 0)
