#!/bin/bash
# pmerge: one absolute map names what its parts name, and merging again changes nothing.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
mkdir calc10 web10
tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" -C calc10
tar -xzf "$TOP/fixtures/web10.prof.tar.gz" -C web10

# shellcheck disable=SC2317 # check calls it
is_sorted()
{
	perl -ne 'my ($a, $n) = map { hex } split " "; die "line $.: overlap\n" if $a < $end;
		$end = $a + $n; END { exit !$end }' "$1"
}

"$BIN/pmerge" --no-host -m calc10 calc10/perf.data >perf-8292.map 2>said
check "calc10: sorted, no overlaps" is_sorted perf-8292.map
check "calc10: the relative map is in it" grep -q 'Calc.*::' perf-8292.map
check "calc10: says what it merged" grep -q '28 symbols of calc10.dll at' said
"$BIN/psym" -q --no-host -m calc10/perf-8292.map -m calc10/jit-8292.dump \
	-m calc10/calc10.dll -m calc10/calc10.ni.r2rmap calc10/perf.data >parts
"$BIN/psym" -q --no-host -m perf-8292.map calc10/perf.data >merged
same "calc10: the merged map names what the parts name" parts merged
check "calc10: frames of calc10.dll among them" grep -q 'Calc.*(/srv/app/calc10/calc10.dll)' merged
"$BIN/pmerge" -q --no-host -m perf-8292.map calc10/perf.data >again
same "calc10: merging the output changes nothing" perf-8292.map again
"$BIN/pmerge" -q --no-host calc10 >got
same "calc10: the directory" perf-8292.map got
"$BIN/pmerge" -q --no-host "$TOP/fixtures/calc10.prof.tar.gz" >got
same "calc10: the archive" perf-8292.map got
"$BIN/pmerge" -q --no-host -m calc10 <calc10/perf.data >got
same "calc10: standard input" perf-8292.map got
"$BIN/pmerge" -q --no-host -o out/ calc10
same "calc10: -o DIR/" perf-8292.map out/perf-8292.map
sed 's/ /\t/' perf-8292.map >broken.map
status "a map that is none is refused" 2 "$BIN/pmerge" -q --no-host -m broken.map calc10/perf.data

# A map of an image alone, of a process that was sampled in JIT code, too.
mkdir image
cp calc10/calc10.dll image
"$BIN/pmerge" -q --no-host -m image calc10/perf.data >image.map
"$BIN/psym" --no-host -m image.map calc10/perf.data >named 2>said
check "calc10: a map of its image is bound" grep -q 'image.map names .* addresses in images' said
grep -v 'Calc[.].*calc10[.]dll' named | grep -v '\[unknown\] (' | grep -q '^	'
[ $? = 1 ]
report $? "calc10: and names that image alone"
[ "$(grep -c 'Calc[.].*calc10[.]dll' named)" = "$(grep -c 'Calc[.].*calc10[.]dll' merged)" ]
report $? "calc10: as often as the whole map"
# What else has names for code in an image comes behind the image, as in psym.
mkdir odd
sed 's/Calc[.]Program::/Odd.Program::/' perf-8292.map >odd/perf-8292.map
"$BIN/psym" -q --no-host -m odd -m image calc10/perf.data >parts
"$BIN/pmerge" -q --no-host -m odd -m image calc10/perf.data >got
"$BIN/psym" -q --no-host -m got calc10/perf.data >merged
same "calc10: the image is asked before a map of all" parts merged
check "calc10: for its own code" grep -q 'Odd[.]Program.*doublemapper' merged
"$BIN/psym" --no-host -m image.map web10/perf.data >named 2>said
check "web10: it is not bound to another process" grep -q 'it names no code of these processes' said

# The last definition of a jitdump, which is what the perf map has.
mkdir dump
cp calc10/jit-8292.dump calc10/perf.data dump
"$BIN/pmerge" -q --no-host dump >got
check "calc10: of the jitdump alone" is_sorted got
"$BIN/psym" -q --no-host dump >a
"$BIN/psym" -q --no-host -m got calc10/perf.data >b
same "calc10: names what the jitdump names" a b

"$BIN/pmerge" -q --no-host -p 8039 -m web10/maps-8039.txt -m web10/perf-1.map >got
check "web10: without a profile" is_sorted got
"$BIN/psym" -q --no-host -m got web10/perf.data >a
"$BIN/psym" -q --no-host -m web10/perf-1.map web10/perf.data >b
same "web10: names what the perf map names" b a
status "web10: no such process" 2 "$BIN/pmerge" -q --no-host -p 99 -m web10/maps-8039.txt -m web10/perf-1.map

"$BIN/pmerge" -q --no-host "$TOP/fixtures/crossgen1" >got
check "crossgen: base from perfinfo" grep -q \
	'^7f3801b55270 52 static void .*ThreadHelper::ThreadStart_Context' got
[ "$(wc -l <got)" = 2 ]
report $? "crossgen: the map of an image that was not mapped is left out"

# A perf map with reused addresses.
"$BIN/pmerge" --no-host "$TOP/fixtures/reused.prof.tar.gz" 2>said >merged
check "ranges that had several names are counted" grep -q 'perf-1019.map: 1 range had several names over time' said
[ "$(grep -o 'Phase[0-9][0-9]' merged | sort -u)" = Phase23 ]
report $? "the last name is in the map"
finish
