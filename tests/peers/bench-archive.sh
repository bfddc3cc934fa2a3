#!/bin/bash
# From an archive to the picture, the profile of a .NET Core 3.1 service with its framework
# given: pfold | pflame, beside tar, perf script, stackcollapse-perf.pl and flamegraph.pl.
# perf finds the map under the name that it wants, in a /tmp of its own.
# Looked for below PEERS=DIR: the scripts, and dotnet31, which holds shared/.
set -u
export LC_ALL=C
runs=${RUNS:-7}
work=$(mktemp -d -p /var/tmp) || exit 2
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%R %U %S'
archive=$TOP/fixtures/web31.prof.tar.gz

lacking=
# below WHAT ARG... - the first that find has of it below PEERS.
below()
{
	find -L "${PEERS:-/nonexistent}" -maxdepth 4 "$@" 2>/dev/null | head -n 1
}
collapse=$(below -name stackcollapse-perf.pl)
draw=$(below -name flamegraph.pl)
framework=$(below -type d -path '*dotnet31*' -name shared)
for what in "stackcollapse-perf.pl:$collapse" "flamegraph.pl:$draw" "dotnet31:$framework" \
	"perf:$(command -v perf)"; do
	[ -n "${what#*:}" ] || lacking="$lacking ${what%%:*}"
done
if [ -n "$lacking" ]; then
	echo "bench-archive: not here, nor below PEERS=${PEERS:-}:$lacking"
	exit 0
fi

ours()
{
	"$BIN/pfold" -q --no-host -m "$framework" "$archive" | "$BIN/pflame" -q >"$work/ours.svg"
}
# shellcheck disable=SC2016 # the words are the inner shell's
theirs()
{
	unshare -rm sh -c 'mount -t tmpfs tmpfs /tmp && . "$0"' "$work/theirs.sh"
}
mkdir "$work/unpacked"
cp "$archive" "$work/archive"
cp "$collapse" "$work/collapse.pl"
cp "$draw" "$work/draw.pl"
cat >"$work/theirs.sh" <<END
	cd "$work"
	tar -xzf archive -C unpacked
	cp unpacked/perf-1.map /tmp/perf-7679.map
	perf script -i unpacked/perf.data 2>err | perl collapse.pl 2>err | perl draw.pl >theirs.svg
END
# Each once for the caches, then in turn.
ours && theirs || exit 2
for ((i = 0; i < runs; i++)); do
	for who in ours theirs; do
		{ time "$who"; } 2>>"$work/$who"
	done
done
# median WHO - wall clock and processor time, in ms.
median()
{
	awk '{ print $1 * 1000 }' "$work/$1" | sort -n | sed -n "$((runs / 2 + 1))p"
	awk '{ print ($2 + $3) * 1000 }' "$work/$1" | sort -n | sed -n "$((runs / 2 + 1))p"
}
{ median ours; median theirs; } | xargs | awk '{
	printf "web31.prof.tar.gz to SVG: wall clock %d ms, theirs %d ms: %.1f x; processor %d ms, theirs %d ms: %.1f x (bar: 20)\n",
		$1, $3, $3 / $1, $2, $4, $4 / $2 }'
