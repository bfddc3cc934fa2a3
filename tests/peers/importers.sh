#!/bin/bash
# psym's text in FlameScope and in the Firefox Profiler: both programs' own parsers, looked for below
# PEERS (the repositories Netflix/flamescope and firefox-devtools/profiler, and esbuild in some
# node_modules for the second), read what is printed of each recording.  Stacks are those of
# importers.pl, which says what the two read otherwise than perf means it, slots of FlameScope's heat
# map those of pfold --by-second.  importers.tsv is what they read of tests/golden/importers.psym.
#
# Two things are mended before: files that were deleted, of which both take the name for a
# part of the function's, and times on an edge between two slots, which FlameScope rounds by floating
# point, up or down.
. "$TOP/tests/check.sh"
[ -n "${PEERS:-}" ] || { echo 'PEERS=DIR names no directory with FlameScope and the Firefox Profiler'; exit 77; }
needs python3 node perl
export LC_ALL=C
cd "$TMPDIR" || exit 2
here=$TOP/tests/peers
find_peer() { find -L "$PEERS" -path "*$1" -print -quit 2>/dev/null; }
heatmap=$(find_peer /app/perf/heatmap.py)
typescript=$(find_peer /src/profile-logic/import/linux-perf.ts)
esbuild=$(find_peer /node_modules/.bin/esbuild)
[ -n "$heatmap" ] || { echo "no FlameScope below $PEERS"; exit 77; }
[ -n "$typescript" ] || { echo "no Firefox Profiler below $PEERS"; exit 77; }
[ -n "$esbuild" ] || { echo "no esbuild below $PEERS"; exit 77; }
"$esbuild" --format=esm --log-level=error "$typescript" >importer.mjs || exit 2

read_as()
{
	case $1 in
	flamescope) python3 -B "$here/importers.py" "${heatmap%/app/perf/heatmap.py}" "$3" "$2" ;;
	firefox) node "$here/importers.mjs" importer.mjs "$3" ;;
	esac
}

mend()
{
	perl -pe 's/ \(deleted\)\)$/)/; s/^(\S.* \d+\.\d*?[02468])0000(?=:)/${1}0001/' "$1"
}

# The cells of a table by second: SECOND ROW COUNT.
cells()
{
	awk -F '[.;]' '/^[0-9]/ { n = split($0, w, " "); s[$1 + 0 " " int($2 / 2)] += w[n] }
		END { for (k in s) print k, s[k] }' | sort
}

for what in 'flamescope stacks' 'flamescope heatmap' 'firefox stacks'; do
	# shellcheck disable=SC2086 # two words
	read_as $what "$TOP/tests/golden/importers.psym" >got 2>said
	grep "^$what	" "$here/importers.tsv" | cut -f 2- >want
	same "$what of the golden text" want got
	[ ! -s said ]
	report $? "$what of the golden text has no line that cannot be read"
done

for name in web31 web10 calc10 calc31 java node sarif8 offcpu10 stacks; do
	"$BIN/psym" -q --no-host "$TOP/fixtures/$name.prof.tar.gz" >text
	mend text >mended
	for tool in flamescope firefox; do
		perl "$here/importers.pl" $tool mended >want || echo "importers.pl fails" >want
		read_as $tool stacks mended 2>said | sort >got
		same "stacks of $name in $tool" want got
		[ ! -s said ]
		report $? "$tool can read each line of $name"
		# Without the mending no sample is lost.
		read_as $tool stacks text | awk '{ n += $NF } END { print n }' >got
		awk '{ n += $NF } END { print n }' want | cmp - got
		report $? "all samples of $name in $tool"
	done
	read_as flamescope heatmap mended | sort >want
	"$BIN/pfold" -q --no-host --count samples --by-second mended | cells >got
	same "pfold --by-second counts $name as FlameScope does" want got
done
finish
