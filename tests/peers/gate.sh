#!/bin/bash
# share/examples/gate.sh on programs of known work: a fixed amount, of which one function has 30 %.
# TRIES=20 also counts how often a function that became 10 % slower is found, with 10 recordings of each,
# how often pdiff finds a change between halves of the recordings of one program, and compares a program
# that is 10 % slower everywhere.
. "$TOP/tests/check.sh"
needs perf gcc
cd "$TMPDIR" || exit 1
for parse in 30 33 90; do
	gcc -O1 -g -fno-omit-frame-pointer -DPARSE=$parse -o work$parse "$TOP/tests/peers/work.c"
done
gcc -O1 -g -fno-omit-frame-pointer -DUNIT=9900000 -o slower "$TOP/tests/peers/work.c"
if ! perf record -q -B -g -e cpu-clock -F 999 -o perf.data ./work30 2>err; then
	echo "perf cannot record here: $(tail -n 1 err)"
	exit 77
fi
export PATH=$BIN:$PATH
gate() { "$TOP/share/examples/gate.sh" "$@" >out 2>err; }
status "more than 5 % slower" 3 gate ./work30 ./work90
check "the function grew" grep -qE 'grew +parse$' out
status "one function" 3 gate ./work30 ./work90 'self(parse) > +25%'
status "the same program" 0 gate ./work30 ./work30 'overall > +25%'
RUNS=3 status "three recordings are too few" 2 gate ./work30 ./work90

# The recordings of one program have 400 ms, so many samples of it are needed.
record() { perf record -q -B -N -g -e cpu-clock -F 7919 -o "$1" "$2"; }
changed() { "$BIN/pdiff" -q --to tsv "$@" | awk -F '\t' 'NR > 1 && $11 ~ /grew|shrank/ { print $1, $11 }'; }
found=0 others=0 false=0
mkdir all uniform
for ((try = 1; try <= ${TRIES:-0}; try++)); do
	rm -rf old new
	mkdir old new
	for ((i = 0; i < 10; i++)); do
		record old/$i.data ./work30
		record new/$i.data ./work33
	done
	changed old --with new >verdicts
	grep -qx 'parse grew' verdicts && found=$((found + 1))
	[ "$(grep -cvx 'parse grew' verdicts)" = 0 ] || others=$((others + 1))
	tr '\n' ' ' <verdicts
	for ((i = 0; try <= 10 && i < 10; i++)); do
		"$BIN/pfold" -q -o all/$try$i.folded old/$i.data
	done
done
for ((split = 1; split <= ${TRIES:-0}; split++)); do
	shuf -e all/*.folded --random-source=<(yes $split) >files
	mapfile -t all <files
	half=$((${#all[@]} / 2))
	[ -z "$(changed "${all[@]::half}" --with "${all[@]: -half}")" ] || false=$((false + 1))
done
if [ "${TRIES:-0}" != 0 ]; then
	echo "found in $found of $TRIES tries, another verdict in $others, a false one in $false of $TRIES halves"
	check "found in 19 of 20" [ $((found * 20)) -ge $((TRIES * 19)) ]
	check "no other in 18 of 20" [ $((others * 20)) -le $((TRIES * 2)) ]
	check "halves of the same recordings differ in 4 of 20 at most" [ $((false * 20)) -le $((TRIES * 4)) ]
	for ((i = 0; i < 10; i++)); do
		record uniform/$i.data ./slower
	done
	status "10 % slower everywhere" 3 "$BIN/pdiff" -q --fail-if 'overall > +5%' -o overall old --with uniform
	check "is 10 % overall" [ "$(awk '/^overall/ { print ($2 > 7 && $2 < 13) }' overall)" = 1 ]
	status "an unchanged program" 0 "$BIN/pdiff" -q --fail-if 'overall > +5%' --fail-if 'self(parse) > +5%' \
		-o overall "${all[@]::10}" --with "${all[@]: -10}"
fi
finish
