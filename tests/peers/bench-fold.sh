#!/bin/bash
# Folding 500 MB of perf script text, made with a fixed seed, as ratios in one run:
# to wc -l, which only looks for line ends, and to the peers below PEERS=DIR.
# MB=100 takes less.  Each figure is the best of three runs; peers get one.
set -u
export LC_ALL=C
mb=${MB:-500}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%R

# seconds RUNS COMMAND... - the shortest.
seconds()
{
	local runs=$1 i
	shift
	for ((i = 0; i < runs; i++)); do
		{ time "$@" >"$work/out" 2>"$work/err"; } 2>&1
	done | sort -n | head -n 1
}

# row NAME SECONDS [NOTE]
row()
{
	awk -v name="$1" -v s="$2" -v note="${3:-}" -v mb="$mb" -v base="$base" -v ours="$ours" \
		'BEGIN { if (s <= 0) s = 0.001
		printf "%-28s %8.2f s %7.0f MB/s %8.1f x wc -l %8.2f x pfold  %s\n",
			name, s, mb / s, s / base, s / ours, note }'
}

# peak COMMAND... - resident memory at most, in MB, looked at each 10 ms.
peak()
{
	local pid most=0 now
	"$@" >"$work/out" 2>"$work/err" &
	pid=$!
	while now=$(awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$pid/status" 2>/dev/null) &&
		[ -n "$now" ]; do
		most=$now
		sleep 0.01
	done
	wait "$pid"
	echo "$most"
}

"$BIN/peers/gen-script" "$mb" >"$work/text" || exit 2
cat "$work/text" >/dev/null
base=$(seconds 3 wc -l "$work/text")
[ "$base" != 0.000 ] || base=0.001
ours=$(seconds 3 "$BIN/pfold" -q --no-host "$work/text")
stacks=$(wc -l <"$work/out")
echo "folding $mb MB of perf script text, $stacks distinct stacks"
row 'wc -l' "$base"
row pfold "$ours" "$(peak "$BIN/pfold" -q --no-host "$work/text") MB resident"
for name in stackcollapse-perf.pl inferno-collapse-perf; do
	peer=$(find -L "${PEERS:-/nonexistent}" -maxdepth 3 -name "$name" -type f -perm -u+x \
		2>/dev/null | head -n 1)
	if [ -n "$peer" ]; then
		row "$name" "$(seconds 1 "$peer" "$work/text")"
	else
		echo "$name: not below PEERS=${PEERS:-}"
	fi
done
