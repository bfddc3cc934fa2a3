#!/bin/bash
# Stacks of --call-graph dwarf, 8 KiB each, of programs recorded here (ROUNDS=N makes
# more or fewer): psym and perf script in turn, unwound with and without inlined
# functions, as ratios.
set -u
export LC_ALL=C
rounds=${ROUNDS:-100} runs=${RUNS:-3}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%R
command -v perf >/dev/null || { echo "perf script: not installed"; exit; }
cd "$work" || exit 2
${CC:-cc} -O2 -g -o shapes "$TOP/tests/peers/unwind/shapes.c" -lpthread &&
	${CXX:-c++} -O2 -g -o shapes++ "$TOP/tests/peers/unwind/shapes.cc" || exit 2
perf record -q -F 4000 --call-graph dwarf -o perf.data -- \
	sh -c "./shapes++ $((rounds * 3 / 2)) & ./shapes++ $((rounds * 3 / 2)) & ./shapes $((rounds / 3)); wait" \
	>record.log 2>&1 </dev/null
[ -s perf.data ] || { echo "perf record does not work here"; exit; }

middle() { sort -n | sed -n "$((runs / 2 + 1))p"; }

once()
{
	{ time "$@" >out 2>err </dev/null; } 2>&1
}

# beside WHAT OPTION... - both with the options, as a ratio.
beside()
{
	local what=$1 i ours theirs
	shift
	rm -f psym.s perf.s
	for ((i = 0; i < runs; i++)); do
		once "$BIN/psym" -q "$@" perf.data >>psym.s
		once perf script "$@" -i perf.data >>perf.s
	done
	ours=$(middle <psym.s) theirs=$(middle <perf.s)
	awk -v w="$what" -v o="$ours" -v t="$theirs" 'BEGIN {
		printf "%-28s %8.3f s\n", "psym " w, o
		printf "%-28s %8.3f s %8.2f x psym\n", "perf script " w, t, t / (o > 0 ? o : 0.001) }'
}

perf script --no-inline -i perf.data 2>/dev/null >out
echo "unwinding $(grep -c '^[^	]' out) stacks, $(grep -c '^	' out) frames," \
	"$(($(stat -c %s perf.data) >> 20)) MB of perf.data"
beside --no-inline --no-inline
runs=1 beside "with inlined functions"
