#!/bin/bash
# Each sentence of --coverage and --missing is true of twenty recordings: reasons.py reads the
# sentences, and checks them against the sources by its own reading of perf maps and jitdumps, by
# nm, readelf and the mappings that perf prints.  The recordings are those of fixtures/, also
# without some of their sources, and programs that are recorded here.
. "$TOP/tests/check.sh"
needs perf perl python3 nm readelf
cd "$TMPDIR" || exit 1
checker=$TOP/tests/peers/reasons.py
n=0 skipped=0

# holds NAME DIRECTORY PROFILE ARGUMENTS... - DIRECTORY: the sources that are given by -m.
holds()
{
	local name=$1 dir=$2 profile=$3
	shift 3
	n=$((n + 1))
	"$BIN/psym" --coverage=json -q "$@" -m "$dir" "$profile" >named 2>coverage.json
	"$BIN/psym" --coverage "$@" -m "$dir" "$profile" >/dev/null 2>coverage.txt
	"$BIN/psym" --missing "$@" -m "$dir" "$profile" >missing.txt 2>notes.txt
	"$BIN/psym" -q --no-host --show-mmap-events --perf-version 6.6 -F comm,pid,tid,ip,sym,dso "$profile" >bare 2>/dev/null
	python3 "$checker" "$dir" >verdict 2>&1
	[ $? = 0 ] && grep -q '^[1-9][0-9]* sentences' verdict || { tail -n 12 verdict; false; }
	report $? "$name: $(tail -n 1 verdict)"
}

for name in web31 web10 calc10 calc31 java node sarif8 offcpu10; do
	mkdir $name && tar -xzf "$TOP/fixtures/$name.prof.tar.gz" -C $name
	mkdir $name.sources && cp -r $name/. $name.sources && rm -f $name.sources/perf.data $name.sources/*.out
	holds $name $name.sources $name/perf.data --no-host
done
mkdir empty
for name in web10 java node; do
	cp $name/perf.data $name.data
	holds "$name without its map" empty $name.data --no-host
done
# A gap in the map of the process, which a dump of its container fills in part.
mkdir gaps && awk 'NR % 4' calc10/perf-8292.map >gaps/perf-8292.map
head -c 2500000 calc10/jit-8292.dump >gaps/jit-1.dump
perl -e 'open F, "+<", "gaps/jit-1.dump"; seek F, 20, 0; print F pack "L", 1'
cp calc10/perf.data calc10.data
holds "calc10 with half a map" gaps calc10.data --no-host

# --- recorded here ---
mkdir -p /srv/app 2>/dev/null
at=$(mktemp -d -p "${APART:-$TMPDIR}")
cat >"$at/grind.cc" <<'END'
#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <vector>
struct node { std::map<std::string, int> m; };
__attribute__((noinline)) int leaf(std::vector<int> &v) { std::sort(v.begin(), v.end()); int s = 0; for (int x : v) s ^= x; return s; }
__attribute__((noinline)) int mid(std::vector<int> &v, int k) { for (int &x : v) x = (x * 1103515245 + 12345 + k) & 0x7fffffff; return leaf(v) + k; }
__attribute__((noinline)) int deep(node &n, std::vector<int> &v, int d) { if (!d) return mid(v, d); n.m["k" + std::to_string(d)] += d; return deep(n, v, d - 1) + (int)n.m.size(); }
int main() { std::vector<int> v(2000); for (size_t i = 0; i < v.size(); i++) v[i] = i * 7919 % 1000; node n; unsigned s = 0; for (clock_t t = clock(); clock() - t < CLOCKS_PER_SEC;) s += deep(n, v, 9); return s == 1; }
END
work()
{
	local name=$1
	shift
	perf record -q -F 499 -k mono $how -o "$name.data" -- "$@" >out 2>&1 && [ -s "$name.data" ] &&
		[ "$("$BIN/psym" -q --no-host "$name.data" 2>/dev/null | wc -l)" -gt 50 ]
}
# here NAME SOURCES COMMAND...
here()
{
	local name=$1 dir=$2
	shift 2
	if ! command -v "$1" >/dev/null || ! work "$name" "$@"; then
		echo "ok $name # SKIP perf cannot record it here"
		skipped=$((skipped + 1))
		return
	fi
	holds "$name" "$dir" "$name.data" $host
}
how=-g host=
g++ -O2 -g -o "$at/grind" "$at/grind.cc" && g++ -O2 -fno-omit-frame-pointer -o "$at/grindfp" "$at/grind.cc" &&
	strip -o "$at/stripped" "$at/grindfp" || finish
here "C++ without frame pointers" empty "$at/grind"
if [ -s "C++ without frame pointers.data" ]; then
	grep -q 'record with perf record --call-graph dwarf' notes.txt
	report $? "C++ without frame pointers: --call-graph dwarf is advised"
	[ "$(grep -c offbox-fetch notes.txt)" = 0 ]
	report $? "instead of offbox-fetch"
	bare=$(grep -c '^	.*\[unknown\] (\[unknown\])' named)
	how='--call-graph dwarf'
	UNWOUND=1 here "C++ by --call-graph dwarf" empty "$at/grind"
	[ "$(grep -c '^	.*\[unknown\] (\[unknown\])' named)" -lt $((bare / 20 + 1)) ]
	report $? "which follows what frame pointers did not: $bare frames"
fi
how=-g
here "C++ with frame pointers" empty "$at/grindfp"
host=--no-host
here "C++ away from its files" empty "$at/grindfp"
host=
here "stripped C++" empty "$at/stripped"
cat >"$at/work.js" <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
for (const t = Date.now(); Date.now() - t < 1000;) fib(20);
END
printf '%s\n' 'public class Work { static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }' \
	'public static void main(String[] a) { int s = 0; for (long t = System.currentTimeMillis(); System.currentTimeMillis() - t < 1500;) s += fib(20); } }' >"$at/Work.java"
here "Node.js without a map" empty node "$at/work.js"
grep -q '^# Node.js writes it with: node --perf-basic-prof$' missing.txt
[ $? = 0 ] || [ ! -s "Node.js without a map.data" ]
report $? "Node.js without a map: its own option is advised"
if javac -d "$at" "$at/Work.java" 2>out; then
	here "Java without a map" empty java -XX:+PreserveFramePointer -cp "$at" Work
	grep -q '^# Java writes it with: .*DumpPerfMapAtExit' missing.txt
	report $? "Java without a map: its own option is advised"
	check "and not that of .NET" [ "$(grep -c DOTNET_ missing.txt)" = 0 ]
else
	echo "ok Java without a map # SKIP no javac"
	skipped=$((skipped + 1))
fi
here "Python" empty python3 -c 'sum(i * i for i in range(20000000))'
rm -rf "$at"
check "$n recordings, and $skipped that were not possible" [ $((n + skipped)) -ge 20 ]
finish
