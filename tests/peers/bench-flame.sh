#!/bin/bash
# Drawing 200,000 distinct stacks (STACKS=N takes others), made with a fixed seed: pflame
# beside flamegraph.pl and inferno-flamegraph below PEERS=DIR, as ratios in one run.
set -u
export LC_ALL=C
stacks=${STACKS:-200000} runs=${RUNS:-3}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%R
"$BIN/peers/gen-folded" "$stacks" >"$work/folded" || exit 2

# seconds RUNS COMMAND... - the shortest.
seconds()
{
	local n=$1 i
	shift
	for ((i = 0; i < n; i++)); do
		{ time "$@" "$work/folded" >"$work/out" 2>"$work/err"; } 2>&1
	done | sort -n | head -n 1
}

bytes=$(stat -c %s "$work/folded")
ours=$(seconds "$runs" "$BIN/pflame" -q)
row()
{
	awk -v name="$1" -v s="$2" -v ours="$ours" -v mb="$bytes" 'BEGIN {
		if (s <= 0) s = 0.001
		printf "%-28s %8.2f s %7.0f MB/s %8.2f x pflame\n", name, s, mb / 1e6 / s, s / ours }'
}
echo "drawing $stacks distinct stacks, $((bytes / 1000000)) MB folded"
row pflame "$ours"
for name in flamegraph.pl inferno-flamegraph; do
	peer=$(find -L "${PEERS:-/nonexistent}" -maxdepth 3 -name "$name" -type f -perm -u+x \
		2>/dev/null | head -n 1)
	if [ -n "$peer" ]; then
		row "$name" "$(seconds 1 "$peer")"
	else
		echo "$name: not below PEERS=${PEERS:-}"
	fi
done
