#!/bin/bash
# share/examples/gate.sh on programs of known work: a fixed amount, of which one function has 30 %.
# TRIES=20 also counts how often a function that became 10 % slower is found, with 10 recordings of each.
. "$TOP/tests/check.sh"
needs perf gcc
cd "$TMPDIR" || exit 1
for parse in 30 33 90; do
	gcc -O1 -g -fno-omit-frame-pointer -DPARSE=$parse -o work$parse "$TOP/tests/peers/work.c"
done
if ! perf record -q -g -e cpu-clock -F 999 -o perf.data ./work30 2>err; then
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

found=0 others=0
for ((try = 1; try <= ${TRIES:-0}; try++)); do
	rm -rf old new
	mkdir old new
	for ((i = 0; i < 10; i++)); do
		perf record -q -g -e cpu-clock -F 999 -o old/$i.data ./work30
		perf record -q -g -e cpu-clock -F 999 -o new/$i.data ./work33
	done
	"$BIN/pdiff" -q --to tsv old --with new | awk -F '\t' 'NR > 1 && $11 ~ /grew|shrank/ { print $1, $11 }' >verdicts
	grep -qx 'parse grew' verdicts && found=$((found + 1))
	[ "$(grep -cvx 'parse grew' verdicts)" = 0 ] || others=$((others + 1))
	tr '\n' ' ' <verdicts
done
if [ "${TRIES:-0}" != 0 ]; then
	echo "found in $found of $TRIES tries, another verdict in $others"
	check "found in 19 of 20" [ $((found * 20)) -ge $((TRIES * 19)) ]
	check "no other in 18 of 20" [ $((others * 20)) -le $((TRIES * 2)) ]
fi
finish
