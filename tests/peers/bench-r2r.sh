#!/bin/bash
# Every method of a framework, its bounds and name written out once, beside gzip -1 over
# the same images: the newest .NET runtime here, or FRAMEWORK=DIR.  Best of three runs.
set -u
export LC_ALL=C
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

framework=${FRAMEWORK:-$(dotnet --list-runtimes 2>/dev/null |
	sed -n 's,^Microsoft.NETCore.App [^ ]* \[\(.*\)/Microsoft.NETCore.App\]$,\1,p' | tail -1)}
if [ ! -d "$framework" ]; then
	echo 'bench-r2r: no .NET runtime here, FRAMEWORK=DIR names one'
	exit 0
fi
find -L "$framework" -name '*.dll' >"$work/images"

# seconds COMMAND... - of the processor, the fewest.
seconds()
{
	for _ in 1 2 3; do
		{ time "$@" >"$work/out" 2>"$work/err"; } 2>&1
	done | awk '{ s = $1 + $2 } NR == 1 || s < best { best = s } END { print best }'
}
packed() { xargs -d '\n' cat <"$work/images" | gzip -1; }
listed() { "$BIN/pmerge" --relative -q -o "$work/maps/" "$framework"; }

ours=$(seconds listed)
theirs=$(seconds packed)
awk -v n="$(wc -l <"$work/images")" -v ours="$ours" -v theirs="$theirs" \
	-v methods="$(find "$work/maps" -type f -exec cat {} + | grep -vc '^FFFFFFF')" \
	'BEGIN { printf "%d images, %d methods: pmerge --relative %.2f s, gzip -1 %.2f s: %.2f x (bar: 0.25)\n",
		n, methods, ours, theirs, ours / theirs }'
