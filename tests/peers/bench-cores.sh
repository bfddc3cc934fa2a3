#!/bin/bash
# One perf.data on several processors: wall clock, and user and system time, of -j 2 (J=N takes others)
# beside -j 1, and beside as many runs of -j 1 at the same time.  These runs share nothing, so they show
# how much faster this machine is with several processors.  On a made text (MB=N), a made perf.data of
# programs of this machine (SAMPLES=N), and on TEXT=FILE and DATA=FILE, of a recording.  The processors
# should be idle.
set -u
export LC_ALL=C
runs=${RUNS:-3} j=${J:-2} samples=${SAMPLES:-1000000}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
TIMEFORMAT='%R %U %S'

libc=$(ldd "$BIN/psym" | awk '$1 ~ /^libc[.]so/ { print $3 }')
elf=$(ldd "$BIN/psym" | awk '$1 ~ /^libelf[.]so/ { print $3 }')
"$BIN/peers/gen-perfdata" "$samples" "$BIN/psym" "$BIN/pfold" "$BIN/pflame" "$libc" "$elf" \
	>"$work/made.data" || exit 2

# middle COLUMN FILE
middle() { sort -n -k "$1,$1" "$2" | awk -v k="$1" -v n="$((runs / 2 + 1))" 'NR == n { print $k }'; }

# compare NAME COMMAND... - the medians of its runs, in turn.
compare()
{
	local name=$1
	shift
	"$@" -j 1 >"$work/want" 2>/dev/null
	rm -f "$work"/time.*
	for ((i = 0; i < runs; i++)); do
		for n in 1 "$j"; do
			{ time "$@" -j "$n" >"$work/got" 2>/dev/null; } 2>>"$work/time.$n"
			cmp -s "$work/want" "$work/got" || echo "$name: -j $n writes other bytes"
		done
		{
			time {
				for ((n = 0; n < j; n++)); do
					"$@" -j 1 >"$work/got.$n" 2>/dev/null &
				done
				wait
			}
		} 2>>"$work/time.runs"
	done
	for n in 1 "$j" runs; do
		awk '{ print $1, $2 + $3 }' "$work/time.$n" >"$work/sum.$n"
	done
	awk -v name="$name" -v j="$j" -v a="$(middle 1 "$work/sum.1")" -v b="$(middle 1 "$work/sum.$j")" \
		-v c="$(middle 2 "$work/sum.1")" -v d="$(middle 2 "$work/sum.$j")" \
		-v e="$(middle 1 "$work/sum.runs")" -v f="$(middle 2 "$work/sum.runs")" 'BEGIN {
		printf "%-22s -j 1 %7.2f s   -j %d %7.2f s   %5.2f x as fast   processor time %+6.1f %%",
			name, a, j, b, a / (b + 1e-9), 100 * (d / (c + 1e-9) - 1)
		printf "   %d runs at the same time %5.2f x, %+6.1f %%\n",
			j, j * a / (e + 1e-9), 100 * (f / j / (c + 1e-9) - 1) }'
}

"$BIN/peers/gen-script" "${MB:-200}" >"$work/made.script" || exit 2
for text in "$work/made.script" ${TEXT:-}; do
	echo "${text##*/}: $(($(stat -Lc %s "$text") / 1000000)) MB"
	compare 'psym text' "$BIN/psym" --no-host "$text"
	compare 'pfold text' "$BIN/pfold" -q --no-host "$text"
done
for data in "$work/made.data" ${DATA:-}; do
	echo "${data##*/}: $(($(stat -Lc %s "$data") / 1000000)) MB"
	compare 'psym names' "$BIN/psym" -q --no-inline "$data"
	compare 'psym inlines' "$BIN/psym" -q "$data"
	compare 'pfold names' "$BIN/pfold" -q --no-inline "$data"
	compare 'pfold inlines' "$BIN/pfold" -q "$data"
	compare 'pannotate --all' "$BIN/pannotate" -q --all "$data"
done
