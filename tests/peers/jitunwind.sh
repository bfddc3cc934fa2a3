#!/bin/bash
# Stacks of --call-graph dwarf through code made at run time: CPython's trampolines and V8's
# code say in their jitdumps how to unwind them.  Against perf inject -j and perf script.
. "$TOP/tests/check.sh"
needs_perf 6.1
needs node
cd "$TMPDIR" || exit 1
perf_cache # perf unwinds through the vdso that it holds
perf record -q -o try.data true 2>/dev/null || { echo "perf may not record"; exit 77; }

# stacks FILE - a line for each sample: the names of its frames.  What perf inject calls
# after the dump is in node itself for who reads the dump.  At the end of a dumped stack one
# more word may be taken for a frame, which then has no name.  perf 6.1 extends _init over the
# header of .plt, which begins at _init+0x20.
stacks()
{
	awk '/^[\t ]/ { sub(/^[\t ]*[0-9a-f]+ /, ""); sub(/ \([^()]*\)$/, ""); s = s ";" $0; next }
	     NF { s = "" } !NF { print s }' "$1" |
		sed -E 's/;(Builtin:|Builtins_|BytecodeHandler:)/;/g; s/([A-Za-z]+)Handler\+/\1+/g; s/;\[unknown\]$//; s/;_init\+0x2([0-9a-f])\b/;.plt+0x\1/g'
}

# name_stubs WANT GOT - the stacks of WANT.  A frame without name has the stub's name that GOT has
# for it, because stubs of .plt.got have no names in perf 6.1 (peers/stubs.sh).
name_stubs()
{
	awk -F';' -v OFS=';' 'NR == FNR { got[FNR] = $0; next }
		split(got[FNR], g, ";") == NF {
			for (i = 1; i <= NF; i++)
				if ($i == "[unknown]" && g[i] ~ /@plt\+0x/) $i = g[i]
		}
		{ print }' "$2" "$1"
}

# A return address of 0, where a broken stack ends, is -1 in perf's text, and not always there.
no_minus_one() { grep -v '^[[:blank:]]*f\{16\} \[unknown\]'; }

# compare NAME DIR MOST - the dump of perf.data is in DIR; of 1,000 stacks at most MOST
# differ where perf's mistakes are not imitated.
compare()
{
	"$BIN/psym" -q --no-inline perf.data >at-home
	perf inject -j -i perf.data -o injected.data >inject.log 2>&1
	touch -r perf.data injected.data # as if it had been written when it was recorded
	perf script --no-inline -i injected.data 2>/dev/null | no_minus_one >by-perf
	mkdir jitted
	find "$2" -maxdepth 1 -name "jitted-$pid-*.so" -exec mv -t jitted {} +
	mv "$2/jit-$pid.dump" dump
	"$BIN/psym" -q --no-inline --perf-compat -m jitted injected.data | no_minus_one >by-elf
	# Stubs of .plt.got and headers of .plt have no names in perf 6.1 (peers/stubs.sh).
	awk '{ getline perf <"by-perf" } / ([^ ]+@|\.)plt\+/ { next } { print; print perf >"as-perf" }' by-elf >as-elf
	same "$1: by the files of perf inject, as perf" as-perf as-elf
	mv dump jitted/jit-$pid.dump
	"$BIN/psym" -q --no-inline -m "jitted/jit-$pid.dump" perf.data >by-dump
	same "$1: by the dump at home and elsewhere" at-home by-dump
	stacks by-perf >want
	stacks by-dump >got
	name_stubs want got >named
	diff named got >differ.lines
	grep -c '^<' differ.lines >differ
	[ "$(wc -l <want)" -gt 50 ] && [ "$(($(cat differ) * 1000))" -le "$(($(wc -l <want) * $3))" ] ||
		{ head -n 6 differ.lines; false; }
	report $? "$1: by the dump, $(cat differ) of $(wc -l <want) stacks differ"
	rm -r jitted
}

# record COMMAND... - another perf that runs here may link a library into its cache, which
# changes the ctime: then it is recorded again.
record()
{
	for _ in 1 2 3; do
		perf record -q -k mono --call-graph dwarf,16384 -o perf.data "$@" >log 2>&1
		"$BIN/psym" perf.data 2>said >/dev/null
		grep -q 'changed after the recording began' said || return 0
	done
}

# The process with the most samples.
busiest()
{
	perf script -i perf.data -F pid 2>/dev/null </dev/null | sort | uniq -c | sort -n |
		awk 'END { print $2 }'
}

cat >work.py <<'END'
import time
def inner(n):
    s = 0
    for i in range(n):
        s += i * i % 7
    return s
def middle(n):
    return sum(inner(200) for _ in range(n))
def recurse(depth, n):
    return recurse(depth - 1, n) if depth else inner(n)
end = time.time() + 0.8
while time.time() < end:
    middle(30) + recurse(8, 30)
END
for python in $(command -v python3.13 python3.14) /root/.pyenv/versions/3.1[3-9]*/bin/python3 ''; do
	[ -n "$python" ] && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 13))' 2>/dev/null && break
done
if [ -n "$python" ]; then
	record -F 999 "$python" -X perf_jit work.py
	pid=$(busiest)
	trap 'rm -f /tmp/jit-$pid.dump /tmp/jitted-$pid-*.so' EXIT
	compare python /tmp 0
	[ "$(grep -c py:: by-dump)" -gt 200 ]
	report $? "python: $(grep -c py:: by-dump) frames of Python"
else
	echo "CPython 3.13: not asked, it is not installed"
fi

cat >work.js <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
const end = Date.now() + 700
for (let k = 0, s = 0; Date.now() < end; k++) {
	s += fib(18)
	s += new Function('x', 'let t = 0; for (let i = 0; i < 2000; i++) t += i ^ x; return t')(k)
	s += [3, 1, 2].map(x => fib(x + 8)).sort()[0]
}
END
record -F 999 node --perf-prof --perf-prof-unwinding-info --no-flush-bytecode \
	--interpreted-frames-native-stack work.js
pid=$(busiest)
compare node . 20
frames=$(grep -cE ' (JS|LazyCompile|Function|Script|Eval):' by-dump) # JS: since V8 10
[ "$frames" -gt 200 ]
report $? "node: $frames frames of JavaScript"
finish
