#!/bin/bash
# Threads that wait in known ways, recorded by perf: pfold --off-cpu beside what the
# threads measured themselves, and beside perf sched timehist.
. "$TOP/tests/check.sh"
needs perf gcc
cd "$TMPDIR" || exit 1

gcc -O1 -g -fno-omit-frame-pointer -pthread -o waits "$TOP/tests/peers/waits.c"
check "the program is built" [ -x waits ]
threads=$(seq -s , -f 'w%g' 0 15)
fold() { "$BIN/pfold" -q --off-by=class -c "$threads" "$@"; }

# within FILE PERCENT: of each line "NAME WANT GOT" the two agree.
within()
{
	awk -v most="$2" '
		{ d = $3 - $2; if (d < 0) d = -d }
		d > $2 * most / 100 { print $1, "is", $3, "not", $2; bad = 1 }
		END { exit bad || !NR }' "$1"
}
# sums FOLDED WORD: weight of each thread, of stacks with WORD in them
sums() { awk -v word="$2" '!/^#/ && index($0, word) { split($1, f, ";"); n[f[1]] += $NF }
	END { for (t in n) print t, n[t] }' "$1" | sort; }

# The times of perf.data beside what the threads measured.
account()
{
	check "sixteen threads were measured" [ "$(grep -c ' wall ' measured)" = 16 ]
	fold --off-cpu=all perf.data >off
	fold --off-cpu=running perf.data >on
	while read -r thread function ns; do
		case $function in
		wall | on) ;;
		*) echo "$thread $ns $(grep "^$thread;" off | grep -F ";$function;" | awk '{ n += $NF } END { print n + 0 }')" ;;
		esac
	done <measured >functions
	check "each wait has its function" [ "$(wc -l <functions)" = 14 ]
	grep -vE '^w1[2-5] ' functions >waits.time
	check "time in each wait is what the thread measured, within 1 %" within waits.time 1
	# The kernel's account of a thread leaves out what interrupts and a hypervisor took, which
	# on a loaded virtual machine is some percent.
	grep -E '^w1[2-5] ' functions >preempted
	check "time that was taken from computing threads, within 10 %" within preempted 10
	sort <(sums off "") <(sums on "") | awk '{ n[$1] += $2 } END { for (t in n) print t, n[t] }' | sort >wall
	join <(awk '$2 == "wall" { print $1, $3 }' measured | sort) wall >walls
	check "time on and off the CPU is the time that passed, within 1 %" within walls 1
	# Threads that compute run for 200 ms; the others run for less than perf's own cost.  Two
	# witnesses count their time: perf sched timehist the same records, and the kernel less, by what
	# interrupts and a hypervisor took.  One of the two agrees, and timehist is not nearer to the kernel.
	join <(awk '$2 == "on" && $3 > 1e8 { print $1, $3 }' measured | sort) <(sums on "") >ons
	case $(perf --version) in
	"perf version 6.1."*)
		perf sched timehist -i perf.data --summary 2>/dev/null |
			awk '$1 ~ /^x[0-9]+\[/ { sub(/\[.*/, "", $1); sub(/x/, "w", $1); printf "%s %.0f\n", $1, $4 * 1e6 }' |
			sort | join ons - >peer
		awk 'function off(a, b) { return a > b ? a - b : b - a }
			off($3, $4) > $4 / 50 && (off($3, $2) > $2 / 10 || off($3, $2) > off($4, $2)) { print; bad = 1 }
			END { exit bad || !NR }' peer
		report $? "time on the CPU is that of perf sched timehist, within 2 %, or the kernel's, within 10 %" ;;
	*)	# Its timehist has no names of threads.
		check "time on the CPU is what the kernel accounts, within 10 %" within ons 10 ;;
	esac
}

# The kernel loses one to three switches of a recording without a record of it: on a CPU a thread
# leaves that did not come.  Then the time of that thread is not complete, so it is recorded again.
# perf has the priority of real time where that is allowed.
urgent=
perf record -q -r 1 -o perf.data true 2>/dev/null && urgent='-r 1'
for _ in 1 2 3 4 5 6 7 8 9 10; do
	# shellcheck disable=SC2086 # two words
	if ! perf record -q $urgent -a -m 16M --buildid-mmap -g -e sched:sched_switch,sched:sched_wakeup \
		--switch-events -o perf.data ./waits >measured 2>err; then
		echo "perf cannot record sched:sched_switch here: $(tail -n 1 err)"
		exit 77
	fi
	failed=0 # of check.sh: only the last recording counts
	account >accounted
	[ $failed != 0 ] || break
	sed -n 's/^not ok/recorded again:/p' accounted
done
cat accounted

# Text says the same, but for the stacks' names.
perf script --ns --show-switch-events --show-lost-events -i perf.data >perf.txt 2>/dev/null
fold --off-cpu=all perf.txt >text
sums text "" >text.sums
sums off "" >off.sums
same "text has the same times as perf.data" text.sums off.sums

# One record of a hundred is dropped.  A record of a switch is written a few microseconds
# after the event that stands for it, under load some tens: that much a thread may gain.
holes() { awk 'BEGIN { srand(7) } /^[^\t]/ { drop = rand() < 0.01 } !drop' "$1"; }
no_more()
{
	join -a 2 "$1" "$2" |
		awk 'NF != 3 || $3 > $2 * 1.0001 + 50000 { print; bad = 1 } END { exit bad || !NR }'
}
holes perf.txt >holes.txt
sums <(fold --off-cpu=all holes.txt) "" >holes.sums
check "where records are missing, no thread has more time" no_more text.sums holes.sums
grep -v PERF_RECORD_SWITCH perf.txt >events.txt
holes events.txt >holes.txt
sums <(fold --off-cpu=all events.txt) "" >events.sums
"$BIN/pfold" --off-by=class -c "$threads" --off-cpu=all holes.txt >holes 2>said
sums holes "" >holes.sums
check "the same without records of switches" no_more events.sums holes.sums
check "missing switches are said" grep -q 'switches are missing in' said

# Threads that end: perf prints -1 for each of them at its last switch.
gcc -O1 -D_GNU_SOURCE -fno-omit-frame-pointer -pthread -o exits "$TOP/tests/peers/exits.c"
# shellcheck disable=SC2086
perf record -q $urgent -a -m 16M -g -e sched:sched_switch --switch-events -o perf.data ./exits 100 2>err
perf script -i perf.data 2>/dev/null >perf.txt
check "perf prints -1 for threads that end" [ "$(grep -c '^:-1 .* prev_comm=ends ' perf.txt)" -ge 100 ]
"$BIN/psym" -q perf.data >psym.txt 2>/dev/null
check "psym prints their names and ids" sh -c '! grep -q "^:-1 .* prev_comm=" psym.txt'
sed -nE 's/.* prev_comm=ends prev_pid=([0-9]+) .*/ends \1/p' perf.txt | sort >want
sed -nE 's/^(ends) +([0-9]+) .* prev_comm=ends .*/\1 \2/p' psym.txt | sort >got
same "each switch of each of them" want got
finish
