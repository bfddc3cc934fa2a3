#!/bin/sh
# gate.sh BASE NEW [CONDITION] - a gate for CI.  Both programs do the same work and end.  Each is recorded
# RUNS times (8), and the exit status is 3 if CONDITION ('overall > +5%') is met.
set -eu
base=$1 new=$2 condition=${3:-overall > +5%}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/base" "$work/new"
i=0
# Without -B, perf 6.1 sometimes aborts while it collects build-ids.
while [ $i -lt "${RUNS:-8}" ]; do # in turn, so that both meet the same machine
	perf record -q -B -g -e cpu-clock -F 999 -o "$work/base/$i.data" -- "$base" >/dev/null
	perf record -q -B -g -e cpu-clock -F 999 -o "$work/new/$i.data" -- "$new" >/dev/null
	i=$((i + 1))
done
pdiff --fail-if "$condition" "$work/base" --with "$work/new"
