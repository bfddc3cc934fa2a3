#!/bin/bash
# How often pdiff gives a verdict without a change, in 100 comparisons of simulated profiles, or in
# COMPARISONS=1000.  The limit is that of a binomial distribution with a rate of 5 %, once in 40 runs.
. "$TOP/tests/check.sh"
needs python3
n=${COMPARISONS:-100} seed=${SEED:-1}
mkdir "$TMPDIR/profiles"
false=$(python3 "$TOP/tests/peers/noise.py" "$BIN" "$TMPDIR/profiles" "$n" "$seed")
echo "a false verdict in $false of $n comparisons (seed $seed)"
check "at most 5 % and its deviation" awk -v n="$n" -v k="$false" \
	'BEGIN { exit !(k != "" && k <= 0.05 * n + 2 * sqrt(0.05 * 0.95 * n)) }'
finish
