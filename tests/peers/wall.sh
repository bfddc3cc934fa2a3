#!/bin/bash
# Threads that wait and compute in known ways: time on and off the CPU in one fold is the
# time that passed.
. "$TOP/tests/check.sh"
needs perf gcc
cd "$TMPDIR" || exit 1

gcc -O1 -g -fno-omit-frame-pointer -pthread -o waits "$TOP/tests/peers/waits.c"
check "the program is built" [ -x waits ]
if ! perf record -q -a -m 16M -g -e cpu-clock,sched:sched_switch,sched:sched_wakeup \
	--switch-events -o perf.data ./waits >measured 2>err; then
	echo "perf cannot record sched:sched_switch here: $(tail -n 1 err)"
	exit 77
fi
awk '$2 == "wall" { print $1, $3 }' measured | sort >walls
check "sixteen threads were measured" [ "$(wc -l <walls)" = 16 ]

fold() { "$BIN/pfold" -q --no-cache --wall -c "$(seq -s , -f 'w%g' 0 15)" "$@"; }
# sums FOLDED: of each thread the time on and off the CPU.
sums() { awk '!/^#/ { split($1, f, ";"); n[f[2]] += $NF } END { for (t in n) printf "%s %.0f\n", t, n[t] }' "$1" | sort; }
# between LOWEST HIGHEST: of each line "NAME WANT GOT", GOT is within these percents of WANT
# and 1 ms of sampling.
between()
{
	awk -v low="$1" -v high="$2" '
		$3 < $2 * low / 100 - 1e6 || $3 > $2 * high / 100 + 1e6 { print; bad = 1 }
		END { exit bad || NR != 16 }' "$3"
}

fold perf.data >wall
check "the roots are on-cpu and off-cpu" \
	[ "$(sed '/^#/d' wall | cut -d ';' -f 1 | sort -u | tr '\n' ' ')" = 'off-cpu on-cpu ' ]
join walls <(sums wall) >both
# A sample that a hypervisor delays stands for the ns of its period alone.
check "on and off by cpu-clock are the time that passed, but for stolen samples" between 88 102 both
grep '^off-cpu;' wall | cut -d ';' -f 2- | sort >off
"$BIN/pfold" -q --no-cache --off-cpu=all -c "$(seq -s , -f 'w%g' 0 15)" perf.data | sed '/^#/d' | sort >want
same "time off the CPU is that of --off-cpu" want off

# As cycles the same samples stand for the time since the one before.
perf script --ns --show-switch-events --show-lost-events -i perf.data 2>/dev/null |
	sed 's/ cpu-clock: *$/ cycles: /' >cycles.txt
fold cycles.txt >wall
join walls <(sums wall) >both
check "on by the switches and off are the time that passed, within 1 %" between 99 101 both
# One record of a hundred is dropped.  A record of a switch is written a few microseconds
# after the event that stands for it: that much a thread may gain.
awk 'BEGIN { srand(7) } /^[^\t]/ { drop = rand() < 0.01 } !drop' cycles.txt >holes.txt
join -a 2 <(sums wall) <(sums <(fold holes.txt)) |
	awk 'NF != 3 || $3 > $2 * 1.0001 { print; bad = 1 } END { exit bad || !NR }'
report $? "where records are missing, no thread has more time"
grep -c '^on-cpu;w1[2-5]' wall >n
check "the threads that compute have stacks on the CPU" [ "$(cat n)" -ge 4 ]
"$BIN/pfold" --wall --event cycles perf.data >none 2>said
check "without such an event the status is 2" [ $? = 2 ]
check "and what there is is said" grep -q 'no samples of time on the CPU, only cpu-clock' said
finish
