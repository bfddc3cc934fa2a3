#!/bin/bash
# psym --perf-compat and perf script are two readers of perf.data: they print the same of
# what perf records here and of damaged copies of profiles.  Where perf refuses a file or
# dies, psym only has to end by itself.  agree.py makes the damage and knows, with the
# reason, which kinds of it the two read differently on purpose.
#
# Damaged are profiles of fixtures/, the same way each time; with MUTANTS=N those recorded
# here.  FILES=N: how many are recorded, at most 200.
. "$TOP/tests/check.sh"
needs_perf 6.1
needs python3
cd "$TMPDIR" || exit 1
files=${FILES:-12} mutants=${MUTANTS:-60}
mkdir empty recorded mutant fixture

workloads=('ls -R /usr/share/man/man1' true 'gzip -c /bin/ls'
	'python3 -c "print(sum(i * i for i in range(200000)))"'
	'for i in 1 2 3 4 5; do (sleep 0.001; ls /) & done; wait')
options=('-g -F 2000' '-a -g -F 500' '-e cpu-clock -F 3000'
	'-a -g -e sched:sched_switch -e cpu-clock' '-z -g -F 1000' '--call-graph dwarf,1024 -F 300'
	'-g -e {cpu-clock,page-faults}:S' '-a -e context-switches -c 1'
	'-g -e cpu-clock -e page-faults -e context-switches:u' '--buildid-mmap -g -F 1000'
	'--switch-events -a -F 300' '-d -e page-faults -c 1' '-e page-faults -c 3'
	'-e {cpu-clock,page-faults}' '-a -e sched:sched_switch -e sched:sched_wakeup'
	'-a -e timer:timer_start -e timer:hrtimer_expire_entry' '-a -g -e sched:sched_switch'
	'-k mono -g -F 1000' '-W -d -F 1000' '--namespaces -g -F 1000' '--all-cgroups -a -F 300'
	'--overwrite -a -g -F 300' '--intr-regs -g -F 500' '--user-regs -F 500'
	'--intr-regs=AX,BX,IP --user-regs=SP,IP -F 500' '-c 100000 -e cpu-clock'
	'--sample-cpu -F 1000' '-s -g -F 1000' '-T -P -d -F 1000' '--running-time -F 1000'
	'-R -F 1000' '--sample-identifier -F 1000' '-i -F 1000' '-e cpu-clock:k -g -F 1000'
	'-e cpu-clock:u -g --user-callchains -F 1000' '--synth=no -F 1000'
	'--tail-synthesize --overwrite -a -F 300' '--code-page-size --data-page-size -d -F 1000'
	'-D 1 -g -F 1000' '-e task-clock -F 2000')

# record N - the Nth of them: all options with one workload, then with the next.
record()
{
	local option=${options[$1 % ${#options[@]}]} work=${workloads[$1 / ${#options[@]}]}

	# shellcheck disable=SC2086
	if ! timeout 20 perf record -q -m 64 -o "recorded/$1" $option -- sh -c "$work; true" \
		>/dev/null 2>&1; then
		echo "ok recorded/$1: $option # SKIP perf record fails here"
		rm -f "recorded/$1"
	elif [ "$(du -k "recorded/$1" | cut -f 1)" -ge 4000 ]; then
		rm -f "recorded/$1"
	fi
}

# What perf finds in the perf maps of processes that run here is not the file's.
without_maps()
{
	sed -E -e 's|^(.* [0-9a-f]{6,} ).*( \(/tmp/perf-[0-9]+.map)|\1[unknown]\2|' \
		-e 's|^(\t *[0-9a-f]{6,}) [^(]*$|\1 [unknown]|' "$1"
}

# compare FILE: says in one word how it went; the outputs are in want and got.
compare()
{
	local perf psym
	bounded 20 perf script --symfs empty -i "$1" >want 2>/dev/null </dev/null
	perf=$?
	bounded 20 "$BIN/psym" -q --no-host --perf-compat "$1" >got 2>err </dev/null
	psym=$?
	if [ $psym -gt 2 ]; then
		echo "psym-ended-with-$psym"
	elif [ $perf = 0 ]; then
		cmp -s <(without_maps want) <(without_maps got) && echo same || echo differ
	elif [ $perf -gt 1 ] && [ $perf -lt 255 ]; then
		echo perf-died
	else
		echo perf-refused
	fi
}

for ((i = 0; i < files; i++)); do
	record $i
done
for file in recorded/*; do
	[ -e "$file" ] || continue
	check "$file: ${options[${file#*/} % ${#options[@]}]}" test "$(compare "$file")" = same
done

for archive in calc31 java native sarif8 stacks; do
	mkdir fixture/$archive
	tar -xzf "$TOP/fixtures/$archive.prof.tar.gz" -C fixture/$archive --wildcards '*perf.data'
done
tar -xOf "$TOP/tests/fuzz/corpus/script.tar" file >fixture/made
mapfile -t originals < <(find fixture -type f -size -1000k | sort)
[ -z "${MUTANTS:-}" ] || originals=(recorded/*)
python3 "$TOP/tests/peers/agree.py" 0 "$mutants" mutant "${originals[@]}" >list || exit 1
declare -A count
while IFS=$'\t' read -r said why; do
	how=$(compare "mutant/${said%% *}" 2>/dev/null)
	[ "$how" != differ ] || [ -z "$why" ] || how="differ, since $why"
	count[$how]=$((${count[$how]:-0} + 1))
	case $how in
	differ | psym-*)
		echo "$said"
		cat err
		diff -a <(without_maps want) <(without_maps got) | head -n 8
		report 1 "mutant $said: $how"
		;;
	esac
done <list
for how in "${!count[@]}"; do
	echo "# ${count[$how]} mutants: $how"
done
check "most mutants are read by both" test "${count[same]:-0}" -gt $((mutants / 2))
finish
