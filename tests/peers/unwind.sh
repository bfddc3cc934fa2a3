#!/bin/bash
# Chains of --call-graph dwarf against perf script: programs recorded here, without frame
# pointers, and the same addresses in the same modules wanted of 999 frames in 1,000.
. "$TOP/tests/check.sh"
needs_perf 6.1
needs python3
cd "$TMPDIR" || exit 1
perf_cache # perf unwinds through the vdso that it holds
cp "$TOP"/tests/peers/unwind/* .

# A sample a line and a frame a line: "sample frame address module".
frames()
{
	awk '/^\t/ { n = index($0, $1); m = $0; sub(/.* \(/, "(", m); print s, ++f, $1, m; next }
	     NF { s++; f = 0; print s }' "$1"
}

# tally NAME DATA - the frames that both have, of all that either has.
all=0 agreed=0
tally()
{
	local both either
	perf script --no-inline -i "$2" >want 2>/dev/null </dev/null
	"$BIN/psym" --trust-host --perf-compat --no-inline "$2" >got 2>said </dev/null
	frames want | sort >want.frames
	frames got | sort >got.frames
	both=$(comm -12 want.frames got.frames | grep -c ' ')
	either=$(sort -u want.frames got.frames | grep -c ' ')
	all=$((all + either)) agreed=$((agreed + both))
	awk -v a="$both" -v b="$either" 'BEGIN { exit !(b > 200 && a >= 0.999 * b) }'
	report $? "$1: $both of $either frames"
	comm -3 want.frames got.frames | head -n 4
}

# recorded NAME OPTIONS -- PROGRAM... - recorded and compared.
recorded()
{
	local name=$1 options=()
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	rm -f data
	perf record -q -F 1500 --call-graph dwarf "${options[@]}" -o data -- "$@" \
		>record.log 2>&1 </dev/null
	if [ -s data ]; then
		tally "$name" data
	else
		echo "ok $name # SKIP perf record does not work here"
	fi
}

# The kernel cannot copy the stack of a program that is being replaced by another: such a
# sample has registers, an empty stack and no user frame.
perf record -q -a -F 5000 --call-graph dwarf,1024 -o data -- \
	sh -c 'for i in $(seq 40); do /bin/true; ls >/dev/null; done' >record.log 2>&1 </dev/null
if [ -s data ]; then
	perf script -D --no-inline -i data 2>/dev/null </dev/null |
		awk '/ustack: size 0/ { empty = 1 } empty && /^[^ .\t].* [0-9.]+: / { show = 1; empty = 0 }
		     show { print } /^$/ { show = 0 }' | grep -av '^$' >want
	"$BIN/psym" -q --no-inline data </dev/null |
		awk 'NR == FNR { if (/^[^\t]/) empty[$0] = 1; next }
		     /^[^\t]/ { show = $0 in empty } show && NF { print }' want - >got
	sed -i -E 's/^(\t *[0-9a-f]+) .*/\1/' want got
	samples=$(grep -c '^[^	]' want)
	if [ "$samples" = 0 ]; then
		echo "ok samples with an empty stack # SKIP none was recorded"
	else
		same "$samples samples with an empty stack" want got
	fi
else
	echo "ok samples with an empty stack # SKIP perf record does not work here"
fi

# A capture of another machine with its programs, without its libraries.
tar -xzf "$TOP/fixtures/native.prof.tar.gz"
perf script --no-inline --symfs "$TMPDIR" -i dwarf.perf.data >want 2>/dev/null </dev/null
"$BIN/psym" -q --no-host --perf-compat --no-inline -m srv -m usr dwarf.perf.data >got
same "C++ of another machine, byte by byte" want got

flags=(-O2 -g -fomit-frame-pointer)
if ${CC:-cc} "${flags[@]}" -o shapes shapes.c -lpthread; then
	recorded "C: callbacks, alloca, signals, threads" -- ./shapes
	recorded "C: small dumps" --call-graph dwarf,1024 -- ./shapes
	recorded "C: large dumps, compressed" --call-graph dwarf,65528 -z -- ./shapes
	${CC:-cc} -O1 -static -o static shapes.c -lpthread 2>/dev/null &&
		recorded "C: static" -- ./static
fi
for cxx in g++ clang++; do
	if $cxx "${flags[@]}" -o shapes-$cxx shapes.cc; then
		recorded "C++ by $cxx: exceptions, templates" -- ./shapes-$cxx
	else
		echo "ok C++ # SKIP $cxx does not work here"
	fi
done
if rustc -O -o shapes-rs shapes.rs; then
	recorded "Rust" -- ./shapes-rs
else
	echo "Rust: not asked, rustc does not work here"
fi
recorded "python3 behind two programs" -- sh -c 'exec env python3 work.py'
echo "$agreed of $all frames as perf has them"
finish
