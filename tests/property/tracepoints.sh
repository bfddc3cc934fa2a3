#!/bin/bash
# Formats of tracepoints whose array lengths are words, and formats that cannot be read.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
tar -xzf "$TOP/fixtures/sched517.prof.tar.gz"
cp perf.data word.data

# as TEXT - the recording with TEXT in place of TASK_COMM_LEN; the formats keep their sizes.
as()
{
	to=$1 perl -0777 -pe '
		s/\[TASK_COMM_LEN\];/($ENV{to} . ";" . " " x 15) =~ s{^(.{16}).*}{$1}sr/ge' perf.data
}
as '[16]' >number.data
as '[LENGTH_OF_ONE]' >invented.data
as '[sizeof(int)*4]' >expression.data
check "the kernel printed a word" grep -qa 'prev_comm\[TASK_COMM_LEN\]' perf.data
check "and a number stands there now" grep -qa 'prev_comm\[16\];' number.data
check "nothing else changed" [ "$(wc -c <perf.data)" = "$(wc -c <number.data)" ]

outputs()
{
	"$BIN/psym" -q --no-host "$1" >"$1.text"
	"$BIN/psym" -q --no-host --perf-compat "$1" >"$1.compat"
	"$BIN/pfold" -q --no-host --off-cpu=all --off-by=state "$1" >"$1.off"
	"$BIN/pfold" -q --no-host --event sched:sched_wakeup --weight=prio "$1" >"$1.prio"
	"$BIN/pfold" --no-host --weight=nosuch "$1" 2>&1 >/dev/null |
		grep -o 'there are: .*' >"$1.fields"
}
for name in word number invented expression; do
	outputs $name.data
done
for name in word invented expression; do
	for output in text compat off prio fields; do
		same "$name, $output" number.data.$output $name.data.$output
	done
done
grep -q 'sched_switch (prev_pid, prev_prio, prev_state, next_pid, next_prio)' word.data.fields
report $? "the fields of sched_switch are listed"
"$BIN/psym" -q --no-host --perf-compat "$TOP/fixtures/sched517.prof.tar.gz" >got
same "text as perf printed it on that kernel" perf_script.out got

# Debian 12's kernel prints the number, which a word may replace.
mkdir debian
tar -xzf "$TOP/fixtures/sched61.prof.tar.gz" -C debian
check "Debian 12's kernel printed a number" grep -qa 'prev_comm\[16\];' debian/perf.data
perl -0777 -pe 's/(comm\[)16\];/$1LN];/g' debian/perf.data >debian.word.data
check "and a word stands there now" grep -qa 'prev_comm\[LN\];' debian.word.data
outputs debian/perf.data
outputs debian.word.data
for output in text compat off prio fields; do
	same "a word for Debian's number, $output" debian/perf.data.$output debian.word.data.$output
done
"$BIN/psym" -q --no-host --perf-compat "$TOP/fixtures/sched61.prof.tar.gz" >got
same "text as perf printed it on Debian 12's kernel" debian/perf_script.out got

# A thread whose ids are gone when it is preempted.
check "perf prints -1 for some threads" grep -q '^:-1 .* prev_comm=ends .* prev_state=R+ ' perf_script.out
check "the payload has their ids" sh -c '! grep -q "^:-1" word.data.text'
grep -c '^ends  *14[789] .* prev_state=R+ ' word.data.text >got
grep -c 'prev_comm=ends prev_pid=14[789] .* prev_state=R+ ' perf_script.out >want
same "each is printed for its thread" want got
sums()
{
	"$BIN/pfold" -q --no-host --root=tid --off-cpu=preempted "$1" | grep -v '^#' |
		sed -E 's,-(\?|[0-9]+)/,/,; s/;.* / /' |
		awk '/^(ends|exits)/ { n[$1] += $2 } END { for (t in n) print t, n[t] }' | sort
}
sums perf.data >want
check "their time is theirs" sh -c '! grep -q -e -1 want && grep -q "^ends/149 53" want'
"$BIN/psym" -q --no-host --perf-compat --ns --show-switch-events perf.data >ns.text
check "the text has -1" grep -q '^:-1 ' ns.text
sums ns.text >got
same "text has the same times for the same threads" want got
"$BIN/psym" -q --no-host --tid 147 perf.data | grep -q '^ends .* prev_state=X '
report $? "--tid selects a thread to its end"

# A format that is none: said once, and the rest is printed.
as '[TASK_COMM_LEN;' >bad.data
unreadable() { "$BIN/psym" -q --no-host bad.data >got 2>err; }
status "a format that cannot be read is damage" 1 unreadable
check "it is reported once" [ "$(grep -c 'format of tracepoint sched:sched_switch cannot be read' err)" = 1 ]
grep -v 'sched:sched_' word.data.text | grep '^[^	]' >want
grep -v 'sched:sched_' got | grep '^[^	]' >rest
same "other events keep their fields" want rest
sed 's/ prev_comm=.*//; /PERF_RECORD_SWITCH/d' ns.text >bare.text
unfoldable() { "$BIN/pfold" -q --off-cpu bare.text >got 2>err; }
status "no switch can be read" 2 unfoldable
check "the reason is the fields" grep -q 'fields of all 146 sched:sched_switch events' err
! grep -q 'no sched:sched_switch' err
report $? "no other reason is printed"
perl -0777 -pe 's/\x17\x08\x44tracing0[.]6/\x17\x08\x44tracinX0.6/' perf.data >bad.data
status "formats that are missing are damage" 1 unreadable
check "each is reported" [ "$(grep -c 'format of tracepoint .* cannot be read' err)" = 4 ]
finish
