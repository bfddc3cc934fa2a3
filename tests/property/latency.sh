#!/bin/bash
# Pairs of events whose times are known: what pfold --weight-of makes of them when records
# are lost, dropped or damaged.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1

# Four threads read on four CPUs: 2,500 reads each, of 1 to 7 us, 5 us apart.
awk 'function at(ns) { return sprintf("%d.%09d", ns / 1e9, ns % 1e9) }
function event(t, ns, name) {
	printf "app%d 7/%d [%03d] %s: syscalls:sys_%s_read: 0x1\n\t          401010 f%d+0x10 (/srv/app/app)\n\n",
		t, 10 + t, t, at(ns), name, t
}
BEGIN {
	for (i = 0; i < 2500; i++)
		for (t = 0; t < 4; t++) {
			begin = 1e10 + (i * 4 + t) * 12000
			event(t, begin, "enter")
			event(t, begin + 1000 * (1 + (i + t) % 7), "exit")
		}
}' >whole
pairs() { "$BIN/pfold" --no-host --weight-of syscalls:sys_enter_read..syscalls:sys_exit_read "$@"; }
sums() { awk '!/^#/ { split($1, f, ";"); n[f[1]] += $NF } END { for (t in n) print t, n[t] }' "$1" | sort; }

pairs whole >all 2>said
sums all >all.sums
awk 'BEGIN { for (t = 0; t < 4; t++) { n = 0; for (i = 0; i < 2500; i++) n += 1000 * (1 + (i + t) % 7); print "app" t, n } }' >want
same "each pair counts, by thread" want all.sums
check "nothing is said to be left out" [ "$(grep -c 'left out' said)" = 0 ]

# One record of a hundred is dropped without a word.
awk 'BEGIN { srand(7); RS = ""; ORS = "\n\n" } rand() >= 0.01' whole >holes
pairs holes >some 2>said
sums some >some.sums
join all.sums some.sums |
	awk 'NF != 3 || $3 >= $2 { print; bad = 1 } END { exit bad || NR != 4 }'
report $? "where records are missing, each thread has less time"
# Each missing record leaves its other half over, but for both halves of one pair.
left=$(sed -nE 's/.*left out, ([0-9]+) begins? without an end, ([0-9]+) ends? without a begin$/\1 \2/p' said)
read -r unended unbegun <<<"${left:-0 0}"
dropped=$((20000 - $(grep -c syscalls: holes)))
check "and it is said: $dropped dropped, $unended and $unbegun left over" \
	[ $((unended + unbegun)) -gt $((dropped * 9 / 10)) -a $((unended + unbegun)) -le "$dropped" ]

# A loss in the middle of the second read of app0, which takes 2 us.
awk 'NR == 1 { RS = "" } { print $0 "\n" }
	/app0/ && /enter/ && ++n == 2 { print "app0 7/10 [000] 10.000048500: PERF_RECORD_LOST lost 3" }' whole >lost
pairs lost >some 2>said
sums some >some.sums
join all.sums some.sums | awk '$1 == "app0" && $2 - $3 == 2000 { n++ } $2 == $3 { n++ } END { exit n != 4 }'
report $? "no pair is made across a loss"
check "and it is said" grep -q 'left out, 1 pair in which records were lost$' said

# An end without a begin, a begin behind a begin, an end before its begin.
{
	printf 'a 7/7 [000] 1.000: x:end: \n\ta f+0x1 (/srv/app/app)\n\n'
	printf 'a 7/7 [000] 2.000: x:begin: \n\ta f+0x1 (/srv/app/app)\n\n'
	printf 'a 7/7 [000] 3.000: x:begin: \n\ta g+0x1 (/srv/app/app)\n\n'
	printf 'a 7/7 [000] 4.500: x:end: \n\ta f+0x1 (/srv/app/app)\n\n'
	printf 'a 7/7 [000] 6.000: x:begin: \n\ta f+0x1 (/srv/app/app)\n\n'
	printf 'a 7/7 [000] 5.000: x:end: \n\ta f+0x1 (/srv/app/app)\n\n'
	# Each CPU has an idle task.
	printf 'swapper 0/0 [000] 7.000: x:begin: \n\ta i+0x1 (/srv/app/app)\n\n'
	printf 'swapper 0/0 [001] 7.000: x:end: \n\ta i+0x1 (/srv/app/app)\n\n'
} >odd
"$BIN/pfold" --no-host --weight-of x:begin..x:end odd >some 2>said
check "only the last begin has its end" \
	[ "$(timeless some | sed '/^# pfold frame/d')" = "$(printf '# pfold event=x:begin..x:end samples=1 unit=ns\na;g 1500000000')" ]
check "what is left over is counted" \
	grep -q 'left out, 3 begins without an end, 2 ends without a begin$' said
printf 'a 7 x:begin: \n\ta f+0x1 (/srv/app/app)\n\na 7 x:end: \n\ta f+0x1 (/srv/app/app)\n\n' >timeless
"$BIN/pfold" --no-host --weight-of x:begin..x:end timeless >some 2>said
check "events without times are status 2" [ $? = 2 ]
check "and that is said" grep -q 'have no times or threads' said

# Slices of time have the parts of an interval that lie in them.
"$BIN/pfold" -q --every 300us --weight-of syscalls:sys_enter_read..syscalls:sys_exit_read "$TOP/fixtures/fields.script" | sed '/^#/d' >got
cat >want <<-END
	000000;app;main;load 200000
	000001;app;main;load 300000
	000002;app;poll 200000
	000003;app;poll 300000
	000007;app;main;load 100000
END
same 'intervals are divided among slices' want got
finish
