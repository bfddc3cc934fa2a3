#!/bin/bash
# Drawing 200,000 distinct stacks (STACKS=N takes others), made with a fixed seed, shuffled and sorted:
# pflame beside flamegraph.pl and inferno-flamegraph below PEERS=DIR.  User and system time and peak
# memory, medians of RUNS (5) in turn, on one processor; flamegraph.pl runs once.
set -u
export LC_ALL=C
stacks=${STACKS:-200000} runs=${RUNS:-5}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
"$BIN/peers/gen-folded" "$stacks" >"$work/made" || exit 2
shuf --random-source=<(yes) "$work/made" >"$work/shuffled"
sort "$work/made" >"$work/sorted"
taskset -pc 0 $$ >/dev/null 2>&1

# rows ORDER RUNS PEER - the peer beside pflame in the same minute.
rows()
{
	"$TOP/tests/peers/spent.py" "$2" "$BIN/pflame" -q "$work/$1" -- "$3" "$work/$1" |
		awk -v order="$1" -v peer="${3##*/}" '{ s[NR] = $1; mb[NR] = $3 }
			END { printf "%-10s pflame %6.3f s %5.0f MB   %-20s %6.3f s %5.0f MB" \
				"   ratio %.2f, memory %.2f\n", order, s[1], mb[1], peer,
				s[2], mb[2], s[1] / s[2], mb[1] / mb[2] }'
}

echo "drawing $stacks distinct stacks, $(($(stat -c %s "$work/made") / 1000000)) MB folded"
for name in inferno-flamegraph flamegraph.pl; do
	peer=$(find -L "${PEERS:-/nonexistent}" -maxdepth 3 -name "$name" -type f -perm -u+x \
		2>/dev/null | head -n 1)
	if [ -n "$peer" ]; then
		[ "$name" != flamegraph.pl ] || runs=1
		rows shuffled "$runs" "$peer"
		rows sorted "$runs" "$peer"
	else
		echo "$name: not below PEERS=${PEERS:-}"
	fi
done
