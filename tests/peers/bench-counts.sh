#!/bin/bash
# Counts the instructions and cache misses of the filters with cachegrind, and prints the changes since
# counts.tsv was written.  The inputs are the recordings of fixtures/ and a generated recording of
# 3,000 short processes.  Cachegrind simulates caches of a fixed size, so the counts show a slower
# program even on a noisy machine.  The counts depend on the installed libraries, so the script never
# fails because of a count.
#
#	bench-counts.sh --rewrite	replaces counts.tsv by the new counts
set -u
export LC_ALL=C
kept=$TOP/tests/peers/counts.tsv
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v valgrind >/dev/null || { echo 'bench-counts: needs valgrind'; exit 0; }

for archive in "$TOP"/fixtures/*.prof.tar.gz; do
	tar xzOf "$archive" --wildcards '*perf_script.out' 2>/dev/null
done >"$work/text"
"$BIN/pfold" -q --no-host "$work/text" >"$work/sorted"
shuf --random-source=<(yes) "$work/sorted" >"$work/shuffled"
tar xzf "$TOP/fixtures/web31.prof.tar.gz" -C "$work" --wildcards '*perf.data'
data=$(find "$work" -name perf.data)
"$BIN/peers/gen-perfdata" 60000 short >"$work/short" || exit 2

# count NAME COMMAND... - runs the command, and prints NAME, the instructions, and the misses in the first
# and in the last data cache.  The counts of all processes of the command are added.
count()
{
	local name=$1
	shift
	valgrind --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 \
		--LL=1048576,16,64 --cachegrind-out-file="$work/counts.%p" "$@" >/dev/null 2>&1
	awk -v name="$name" '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i }
		/^summary:/ { all += $at["Ir"]; first += $at["D1mr"] + $at["D1mw"]
			last += $at["DLmr"] + $at["DLmw"] }
		END { printf "%s\t%d\t%d\t%d\n", name, all, first, last }' "$work"/counts.*
	rm -f "$work"/counts.*
}

{
	printf 'run\tinstructions\tfirst\tlast\n'
	count 'pfold text' "$BIN/pfold" -q --no-host --no-cache "$work/text"
	count 'psym text' "$BIN/psym" -q --no-host --no-cache "$work/text"
	count 'pfold perf.data' "$BIN/pfold" -q --no-host --no-cache "$data"
	count 'psym perf.data' "$BIN/psym" -q --no-host --no-cache "$data"
	count 'pfold processes' "$BIN/pfold" -q --no-host --no-cache "$work/short"
	count 'psym processes' "$BIN/psym" -q --no-host --no-cache "$work/short"
	count 'pflame sorted' "$BIN/pflame" -q "$work/sorted"
	count 'pflame shuffled' "$BIN/pflame" -q "$work/shuffled"
} >"$work/now"
if [ "${1:-}" = --rewrite ]; then
	cp "$work/now" "$kept"
	exit
fi
awk -F '\t' 'NR == FNR { for (i = 2; i <= 4; i++) was[$1, i] = $i; next }
	FNR == 1 { printf "%-18s %31s %31s %31s\n", "counts", "million instructions",
		"thousand misses, first cache", "last cache"; next }
	{ printf "%-18s", $1
	for (i = 2; i <= 4; i++)
		printf " %20.1f (%+6.1f %%)", $i / (i == 2 ? 1e6 : 1e3),
			was[$1, i] ? 100 * ($i / was[$1, i] - 1) : 0
	print "" }' "$kept" "$work/now"
