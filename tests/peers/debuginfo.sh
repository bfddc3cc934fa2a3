#!/bin/bash
# Inlined functions and lines over all functions of programs, by llvm-symbolizer and psym:
# what compilers and linkers write, DWARF 2 to 5, packed, split, moved out, of files whose
# code lies otherwise than in the file.  A symbol's name may be another one of the same
# address, as perf chooses it.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
needs llvm-symbolizer g++ python3 zstd
mkdir bin

cat >work.cc <<'END2'
#include <algorithm>
#include <vector>
namespace shop {
struct item {
	unsigned long price, weight;
	bool operator<(const item &o) const { return price * weight < o.price * o.weight; }
};
static inline unsigned long twice(unsigned long x) { return 2 * x; }
template <class T> __attribute__((noinline)) void order(std::vector<T> &v)
{
	std::sort(v.begin(), v.end());
}
__attribute__((noinline, section("other_text"))) unsigned long total(const std::vector<item> &all)
{
	unsigned long sum = 0;
	for (const auto &it : all)
		sum += twice(it.price) / (it.weight | 1);
	return sum;
}
}
int main()
{
	unsigned long sum = 0;
	for (int i = 0; i < 60; i++) {
		std::vector<shop::item> v;
		for (unsigned long k = 0; k < 3000; k++)
			v.push_back({ k * 7919 % 3001, k });
		shop::order(v);
		sum += shop::total(v);
	}
	return sum == 1;
}
END2
cat >work.rs <<'END2'
fn main() {
    let mut v: Vec<(u64, String)> = (0..5000u64).map(|k| (k * 7919 % 3001, k.to_string())).collect();
    v.sort();
    std::process::exit((v.iter().map(|x| x.0 + x.1.len() as u64).sum::<u64>() == 1) as i32);
}
END2
cat >work.go <<'END2'
package main

import (
	"fmt"
	"sort"
)

func main() {
	var v []string
	for k := 0; k < 3000; k++ {
		v = append(v, fmt.Sprint(k*7919%3001))
	}
	sort.Strings(v)
	fmt.Println(v[0])
}
END2
cat >work.d <<'END2'
import std.algorithm, std.stdio;
ulong twice(ulong x) { return 2 * x; }
void main()
{
	ulong[] v;
	foreach (k; 0 .. 3000UL)
		v ~= twice(k * 7919 % 3001);
	sort(v);
	writeln(v[0]);
}
END2
cat >work.ml <<'END2'
let () =
  let l = List.init 3000 (fun k -> k * 7919 mod 3001) in
  print_int (List.hd (List.sort compare l))
END2

# judge.py FILE JUDGE ARGUMENT ... - exit 1: psym with these arguments, of FILE, and
# llvm-symbolizer, of JUDGE, differ.
cat >judge.py <<'END2'
import os, re, struct, subprocess, sys

file, judge, arguments = os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3:]
ADDRESSES = 1500

def run(*command, data=None):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, text=True,
                          errors="replace", check=True).stdout

functions, others, fixed, code = {}, {}, False, []
for line in run("readelf", "-hlW", file).splitlines():
    fixed |= "EXEC (" in line
    m = re.match(r" *LOAD +(\S+) (\S+) \S+ (\S+) \S+ (...)", line)
    if m and "E" in m[4]:
        code.append([int(x, 16) for x in m.groups()[:3]])
for line in run("readelf", "-sW", judge).splitlines():
    m = re.match(r" *\d+: ([0-9a-f]+) +(\d+|0x[0-9a-f]+) FUNC +\w+ +\w+ +\d+ (\S+)", line)
    if m and int(m[2], 0):
        functions.setdefault((int(m[1], 16), int(m[2], 0)), set()).add(m[3].split("@")[0])
    m = re.match(r" *\d+: ([0-9a-f]+) +0 NOTYPE +\w+ +\w+ +\d+ (\S+)", line)
    if m:
        others.setdefault(int(m[1], 16), set()).add(m[2])
every = max(1, sum(n for _, n in functions) // ADDRESSES)
vas = sorted(va for at, n in functions for va in range(at, at + n, every))

# A perf.data: one process with FILE mapped, a sample for each address.
base = 0 if fixed else 0x550000000000
def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body
def text(s):
    s = s.encode() + b"\0"
    return s + bytes(-len(s) % 8)
trailer = struct.pack("<IIQ", 5, 5, 0)
events = record(3, 0, struct.pack("<II", 5, 5) + text("app") + trailer)
for off, va, size in code:
    first, end = off & ~4095, (off + size + 4095) & ~4095
    events += record(10, 2, struct.pack("<IIQQQIIQQII", 5, 5, base + (va & ~4095), end - first,
                                        first, 8, 1, 5, 0, 5, 2) + text(file) + trailer)
for i, va in enumerate(vas):
    events += record(9, 2, struct.pack("<QIIQQQQ", base + va, 5, 5, 10**9 + i, 2,
                                       2**64 - 512, base + va))
attr = struct.pack("<IIQQQQQ", 1, 96, 0, 1000, 39, 0, 0x40103).ljust(96, b"\0") + bytes(16)
with open("perf.data", "wb") as f:
    f.write(b"PERFILE2" + struct.pack("<12Q", 104, 112, 104, 112, 216, len(events), 0, 0, 0, 0, 0, 0))
    f.write(attr + events)

ours, theirs = [], []
for line in run(os.environ["BIN"] + "/psym", "-q", "--no-host", "--no-demangle", "-F", "+srcline",
                *arguments, "perf.data").splitlines():
    if line.startswith("\t"):
        ours[-1].append([re.sub(r"(\+0x[0-9a-f]+)?( \([^()]*\))?$", "", line.split(None, 1)[1]), None])
    elif line.startswith("  "):
        ours[-1][-1][1] = line.split(" (inlined)")[0].strip()
    elif line:
        ours.append([])
for places in run("llvm-symbolizer", "--obj=" + judge, "--inlines", "--no-demangle",
                  "--relativenames", data="".join("%#x\n" % va for va in vas)).strip().split("\n\n"):
    lines = places.split("\n")
    at = [x.rsplit("/", 1)[-1].rsplit(":", 1)[0] for x in lines[1::2]]
    theirs.append([[name, None if x.endswith(":0") else x] for name, x in zip(lines[::2], at)])

names, same, differ = {}, 0, []
for (at, n), called in functions.items():
    for va in range(at, at + n):
        names.setdefault(va, set()).update(called, others.get(at, ()))
bare = lambda s: re.sub(r"(\.(constprop|isra|part|cold|lto_priv|llvm)(\.\d+)*)+$", "", s)
for va, a, b in zip(vas, ours, theirs):
    known = {bare(x) for x in names[va]}
    if a and bare(a[-1][0]) in known and bare(b[-1][0]) in known:
        b[-1][0] = a[-1][0]
    if [[bare(x), at] for x, at in a] == [[bare(x), at] for x, at in b]:
        same += 1
    else:
        differ.append("%x is\n\t%s\nand not\n\t%s" % (va, a, b))
print("\n".join(differ[:5]))
print("%d of %d addresses are the same" % (same, len(vas)))
sys.exit(len(ours) != len(vas) or same != len(vas) or same < 200)
END2

# compile NAME COMMAND ... - false, and said, when there is no such compiler.
compile()
{
	if ! command -v "$2" >/dev/null; then
		case $2 in
		go | gdc | ldc2 | ocamlopt | rustc) echo "$1: not asked, without $2" ;;
		*) echo "ok $1 # SKIP no $2" ;;
		esac
		return 1
	fi
	"${@:2}" >compile.log 2>&1 && return
	cat compile.log
	report 1 "$1: compiles"
	return 1
}
# judged FILE [JUDGE] [ARGUMENT ...]
judged()
{
	python3 judge.py "bin/$1" "bin/${2:-$1}" "${@:3}" >judged.log
	status=$?
	[ $status = 0 ] || head -c 3000 judged.log
	[ $status = 0 ]
	report $? "$1: $(tail -n 1 judged.log)"
}
# asked NAME COMMAND ... - compiles to bin/NAME and judges that.
asked() { compile "$1" "${@:2}" -o "bin/$1" && judged "$1" "$1" -m "bin/$1"; }

for v in 2 3 4 5; do
	asked g++-$v g++ -O2 -gdwarf-$v work.cc
	asked clang-$v clang++ -O2 -gdwarf-$v work.cc
done
asked dwarf64 g++ -O2 -g -gdwarf64 work.cc
asked lto g++ -O2 -g -flto work.cc
asked lto-clang clang++ -O2 -g -flto -fuse-ld=lld work.cc
asked zlib g++ -O2 -g -gz=zlib work.cc
asked zlib-gnu g++ -O2 -g -gz=zlib-gnu work.cc
objcopy --compress-debug-sections=zstd bin/g++-5 bin/zstd && judged zstd g++-5 -m bin/zstd
for v in 4 5; do
	mkdir split-$v && cd split-$v || exit 1
	g++ -O2 -gdwarf-$v -gsplit-dwarf -c ../work.cc -o work.o && g++ work.o -o ../bin/split-$v
	cd .. || exit 1
	judged split-$v split-$v -m bin/split-$v -m split-$v
	mkdir package-$v && cp bin/split-$v package-$v
	(cd split-$v && llvm-dwp -e ../bin/split-$v -o ../package-$v/split-$v.dwp)
	judged split-$v split-$v -m package-$v
done
if compile dwz dwz --version; then
	for v in 4 5; do
		mkdir dwz-$v && cp bin/g++-$v dwz-$v/one && cp bin/lto dwz-$v/two
		options=(-m common.debug)
		[ $v = 4 ] || options+=(-5)
		[ $v = 5 ] || cp bin/g++-4 dwz-$v/two
		(cd dwz-$v && dwz "${options[@]}" one two)
		cp dwz-$v/one bin/dwz-$v
		judged dwz-$v g++-$v -m bin/dwz-$v -m dwz-$v/common.debug
	done
fi
mkdir halves
cp bin/g++-5 halves/program
objcopy --only-keep-debug bin/g++-5 halves/of-another-name
objcopy --strip-all bin/g++-5 bin/stripped
judged stripped g++-5 -m bin/stripped -m halves/of-another-name

asked exec g++ -O2 -g -no-pie work.cc
asked lld clang++ -O2 -g -fuse-ld=lld work.cc
asked lld-exec clang++ -O2 -g -fuse-ld=lld -no-pie work.cc
asked mold clang++ -O2 -g -fuse-ld=mold work.cc
# Debian 13 has gold in a package of its own.
if command -v ld.gold >/dev/null; then
	asked gold g++ -O2 -g -fuse-ld=gold work.cc
else
	echo "ok gold # SKIP no ld.gold"
fi
asked huge-pages clang++ -O2 -g -fuse-ld=lld -Wl,-z,max-page-size=0x200000 work.cc
asked one-segment g++ -O2 -g -Wl,-z,max-page-size=0x200000,-z,noseparate-code work.cc
asked two-segments g++ -O2 -g -Wl,--section-start=other_text=0x800000 work.cc
check "two-segments: it has two with code" \
	[ "$(readelf -lW bin/two-segments | grep -c 'LOAD .* R E ')" = 2 ]

asked rust rustc -O -g work.rs
asked rust-v0 rustc -O -g -C symbol-mangling-version=v0 work.rs
asked gdc gdc -O2 -g work.d
compile ldc ldc2 -O2 -g work.d -of=bin/ldc && judged ldc ldc -m bin/ldc
asked ocaml ocamlopt -g work.ml
export GOCACHE=$PWD/go-cache
compile go go build -o bin/go work.go && judged go go -m bin/go
finish
