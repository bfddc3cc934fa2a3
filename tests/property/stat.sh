#!/bin/bash
# psym --stat: its figures are those of the text, counted by awk, and what is unusual is said.
. "$TOP/tests/check.sh"
export LC_ALL=C
cd "$TMPDIR" || exit 2
web=$TOP/fixtures/web31.prof.tar.gz

stat() { "$BIN/psym" -q --no-host --stat "$@"; }
# said PATTERN NAME - that line stands in the file out.
said() { grep -qE "$1" out; report $? "$2"; }
# sample TIME [COMM [TID [WEIGHT [FRAME]]]]
sample()
{
	printf '%s 7/%s %s: %s cycles:\n\t%s\n\n' "${2:-app}" "${3:-7}" "$1" "${4:-1}" "${5:-401010 main (/srv/app)}"
}

"$BIN/psym" -q --no-host -F +pid "$web" >text
stat "$web" >data.stat && stat text | cmp data.stat -
report $? 'perf.data and its text have the same statistics'
"$BIN/psym" -q --no-host -F +pid "$web" | stat | cmp data.stat -
report $? 'through a pipe as well'

# COMM PID/TID TIME: PERIOD EVENT:
awk '!/^[ \t#]/ && match($0, /\/[0-9]+ +[0-9]+\.[0-9]+: +[0-9]+ /) {
		split(substr($0, RSTART + 1), w, " ")
		sub(/\..*/, "", w[2]); second[w[2]]++; thread[w[1]]++; weight += w[3]; n++ }
	END { for (k in second) print "second", k, second[k]; for (k in thread) print "thread", k, thread[k]
		printf "all %d %.1f\n", n, weight / 1e9 }' text | sort >want
[ "$(grep -c ^second want)" = 9 ]
report $? 'the text has nine seconds'
awk '{ gsub(",", "") }
	/^[a-z]/ { part = $1 }
	part == "samples" && $2 ~ /^[0-9]+$/ { print "second", $2, $1 }
	part == "threads" && match($0, /\/[0-9]+\)/) { print "thread", substr($0, RSTART + 1, RLENGTH - 2), $5 }
	part == "events" && $1 ~ /^[0-9]+$/ { print "all", $1, $2 }' data.stat | sort >got
grep -v ^thread want | cmp - <(grep -v ^thread got)
report $? 'samples, weight and seconds are those of the text'
grep ^thread want | sort -k3,3rn | head -n 10 | sort | cmp - <(grep ^thread got)
report $? 'the ten heaviest threads are those of the text'
awk '/^threads/ { on = 1 } /^samples/ { on = 0 } on && $2 == "%" { s += $1 } END { exit !(s > 99.4 && s < 100.6) }' data.stat
report $? 'the shares of the threads make up the whole'
awk '/^samples/ { on = 1; next } /^$/ { on = 0 } on { gsub(",", ""); print length($3) / $1 }' data.stat | sort -n |
	awk '{ r[NR] = $1 } END { exit !(NR == 9 && r[NR] < r[1] * 1.1) }'
report $? 'bars are as long as their seconds have samples'
[ "$(grep -c . data.stat)" -gt 20 ] && ! LC_ALL=C grep -q '[^ -~]' data.stat
report $? 'what goes to a file is ASCII'
if command -v script >/dev/null; then
	LC_ALL=C.UTF-8 script -qec "'$BIN/psym' -q --no-host --stat '$web'" /dev/null </dev/null >screen
	grep -q '█' screen && ! grep -q '##' screen
	report $? 'on a terminal with UTF-8 the bars are blocks'
	LC_ALL=C script -qec "'$BIN/psym' -q --no-host --stat '$web'" /dev/null </dev/null >screen
	grep -q '##' screen
	report $? 'on another terminal they are not'
fi

stat --tid 7801 "$web" >out
said '^815 samples in' '--tid selects'
"$BIN/psym" -q --no-host --stat --tid 1 "$web" >out 2>err
[ $? = 2 ] && grep -q 'no sample was selected' err
report $? 'nothing selected is status 2'

stat "$web" "$TOP/fixtures/offcpu10.prof.tar.gz" >out
[ "$(grep -c ': .* samples in ' out)" = 2 ]
report $? 'each input has statistics of its own'
stat -j 2 -o all/ "$web" "$TOP/fixtures/offcpu10.prof.tar.gz" && [ "$(find all -name '*.txt' | wc -l)" = 2 ]
report $? 'with -o DIR/ in a file of its own'

for i in 10 11 12 13 14 15; do for k in 1 2 3 4 5 6 7 8 9; do for n in 1 4 7; do sample $i.$k$n; done; done; done >even
stat even >out
said '^nothing unusual$' 'an even profile of one thread is not unusual'
! grep -q '^no sample for' out
report $? 'and has no gaps'
grep -v ' 13[.]' even | awk '/^app/ { on = 1 } on { print } /^$/ { on = 0 }' >hole
stat hole >out
said '^ +1[.]14 s  from 12[.]970000 on$' 'a gap is said'
said '1 of 6 seconds have under a tenth of the usual 27 samples' 'and that a second is empty'
{ cat even; sample 4000.0; } | stat >out
said 'no sample for 99[.]9 % of the time: no thread ran, the machine was suspended, or its clock jumped' 'a jump of the clock'
[ "$(awk '/^samples of each 100 seconds/ { on = 1; next } /^$/ { on = 0 } on' out | wc -l)" -le 40 ]
report $? 'a long time has no more than 40 bars'
{ cat even; sample 12.5; } | stat >out
said 'times go back in 1 places, by 3[.]47 s at most' 'times that go back'
{ cat even; for i in 1 2 3 4 5 6; do sample 15.9$i other 8 60; done; } | stat >out
said '69[.]0 % is of one thread, other \(8\)' 'most weight in one thread'
{ sample 1.0; for i in 2 3 4 5 6 7 8 9 10; do sample $i.0 app 7 1 'ffffffff81000010 read ([kernel.kallsyms])'; done; } | stat >out
said '90[.]0 % was sampled in kernel code' 'nine tenths in the kernel'
{ printf 'app 7/7 1.0: 1 cycles: \n\napp 7/7 2.0: 1 cycles: \n\n'; sample 3.0; } | stat >out
said '66[.]7 % of the samples have no stack' 'samples without stacks'
{ cat even; printf 'app 7/7 1.0: PERF_RECORD_LOST lost 42\n'; } | stat >out
said '42 records were lost' 'lost records'
printf 'app 7/7 cycles:\n\t401010 main (/srv/app)\n\n' | stat >out
said '1 samples have no time' 'no times'
printf 'a\033[31mb 7/7 1.0: 1 cycles:\n\t401010 main (/srv/app)\n\n' | stat >out
! grep -q "$(printf '\033')" out
report $? 'a name cannot steer a terminal'

"$BIN/psym" -q --stat --missing text >out 2>err
[ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && [ ! -s out ]
report $? '--stat and --missing do not go together'
finish
