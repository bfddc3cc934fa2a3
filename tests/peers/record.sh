#!/bin/bash
# psym --perf-compat prints what perf script prints, byte for byte, of what perf record
# writes on this machine: with each of its options that changes what is in the file.
# Away from home: --symfs of an empty directory gives perf no file to name anything with.
. "$TOP/tests/check.sh"
compat=${COMPAT:-6.1} # current.sh asks another perf
needs_perf "$compat"
needs perl
cd "$TMPDIR" || exit 1
mkdir empty
least=24 recorded=0
busy='ls -R /usr/share/man; gzip -c /bin/bash'

# place_by_name DIRECTORY - perf reads the files in the order in which the file system lists them.
# This decides the order of samples of one nanosecond, for which psym uses the names.  A tmpfs
# lists the newest file first.
place_by_name()
{
	local to
	to=$(mktemp -d -p "$APART")
	(cd "$1" && printf '%s\n' * | sort -rV | xargs cp -t "$to")
	# shellcheck disable=SC2012 # perf's own names
	if [ "$(ls -U "$to")" = "$(ls -v "$to")" ]; then
		rm -r "$1"
		ln -s "$to" "$1"
	fi
}

# NAME OPTION ... - records into NAME, or says why this machine cannot.
record()
{
	local name=$1
	shift
	if timeout 20 perf record -q -o "$name" "$@" -- sh -c "$busy" >/dev/null 2>why &&
		[ -s "$name" ]; then
		recorded=$((recorded + 1))
		[ ! -d "$name" ] || place_by_name "$name"
	else
		echo "not recorded here: $name: $(grep -m 1 . why)"
		rm -rf "$name"
	fi
}

# What perf finds in the perf maps of processes that run here is not the file's.
without_maps()
{
	sed -E -e 's|^(.* [0-9a-f]{6,} ).*( \(/tmp/perf-[0-9]+.map)|\1[unknown]\2|' \
		-e 's|^(\t *[0-9a-f]{6,}) [^(]*$|\1 [unknown]|'
}

# perf 7 forgets the mappings of a process when its last thread exits, and spells some values of
# data_src anew (offbox-perf.7): there its line counts.
mended()
{
	[ "${compat%%.*}" = 7 ] || { cat; return; }
	perl -e '
		open my $in, "<", "want" or die;
		while (<STDIN>) {
			my $want = <$in> // "";
			my $got = $_;
			$want =~ /^(.*[0-9a-f]{6,} )(?:\[unknown\] )?\(\[unknown\]\)$/ && index($got, $1) == 0 and $got = $want;
			$want =~ /\|LVL N\/A\|/ and $got =~ s/LVL N\/A or N\/A/LVL N\/A/;
			$want =~ /perf-vdso[.]so-/ and $got = $want;
			print $got;
		}'
}

silent() { "$@" >/dev/null 2>&1; }

# DATA OPTION ... - perf script and psym say the same, or refuse both.
alike()
{
	local data=$1 said lines
	shift
	perf script --symfs empty -i "$data" "$@" >want.raw 2>/dev/null </dev/null
	said=$?
	"$BIN/psym" -q --no-host --perf-compat="$compat" "$@" "$data" >got.raw 2>err </dev/null
	if [ $said != 0 ] && { [ $said -lt 128 ] || [ "$(wc -l <want.raw)" -lt 1000 ]; }; then
		status "$data $* (refused)" 2 silent "$BIN/psym" -q --no-host "$@" "$data"
		return
	fi
	grep -av '^# captured on' want.raw | without_maps >want
	grep -av '^# captured on' got.raw | without_maps | mended >got
	# perf crashes on some mappings of other processes (stack smashing detected).
	if [ $said != 0 ]; then
		lines=$(($(wc -l <want) - 1)) # the last one is cut off
		echo "$data $*: perf crashed (status $said): only its $lines lines are compared"
		sed -i "$lines,\$ { $lines! d }" want got
	fi
	cmp want got || { cat err; diff -a want got | head -n 20; }
	cmp -s want got
	report $? "$data $*"
}

shows=(--show-mmap-events --show-task-events --show-switch-events --show-namespace-events
	--show-cgroup-events --show-lost-events --show-bpf-events --show-text-poke-events)

record cpu-clock -e cpu-clock
record task-clock -e task-clock -F 2000
record faults -e page-faults -c 1
record switches -a -e context-switches -c 1
record several -g -e cpu-clock -e page-faults -e context-switches:u
record group -e '{cpu-clock,page-faults}'
record leader -e '{cpu-clock,page-faults,minor-faults}:S'
record leader-chain -g -e '{cpu-clock,page-faults}:S'
record each-read -i -e cpu-clock,page-faults:S
record all -a -g
record fp --call-graph fp
record dwarf --call-graph dwarf,4096 -F 500
record zstd -z -g
[ "$compat" = 6.1 ] || record latency --latency -g
[ "$compat" = 6.1 ] || record deferred --call-graph fp,defer
record threads --threads -a -g
record threads-zstd --threads=core -a -z -g
record tracepoint -a -e sched:sched_switch -e sched:sched_wakeup
record timers -a -e timer:timer_start -e timer:hrtimer_expire_entry -e mmap:vm_unmapped_area
record tracepoint-chain -a -g -e sched:sched_switch
record tracepoint-mixed -a -g -e sched:sched_switch -e cpu-clock
record mono -k mono -g
record mono-raw -k CLOCK_MONOTONIC_RAW
record data -d -e page-faults -c 1
record phys -d --phys-data -e page-faults -c 1
record weight -W -d
record namespaces --namespaces -g
record cgroups --all-cgroups -a
record branches -b
record lbr --call-graph lbr
record sched --switch-events -a
record overwrite --overwrite -a -g
record intr-regs --intr-regs -g
record user-regs --user-regs
record some-regs --intr-regs=AX,BX,IP --user-regs=SP,IP
record period -c 100000 -e cpu-clock
record frequency -F 99 -a
record cpu --sample-cpu
record stat -s -g
record times -T -P -d
record page-sizes --code-page-size --data-page-size -d
record running --running-time
record raw -R
record identifier --sample-identifier
record no-inherit -i
record no-samples -n
record kernel -e cpu-clock:k -g
record user -e cpu-clock:u -g --user-callchains
record delay -D 5 -g
record no-synth --synth=no
record tail --tail-synthesize --overwrite -a
record build-id --buildid-mmap -g
record off-cpu --off-cpu -a

sleep 1 &
sleeper=$!
if perf record -q -g -p $sleeper -e context-switches -c 1 -o pid >/dev/null 2>&1; then
	recorded=$((recorded + 1))
fi
perf record -q -g -o - -- sh -c "$busy" 2>/dev/null >pipe.all
# The workload's own output goes into the pipe unless it is sent elsewhere.
perf record -q -g -o - -- sh -c "{ $busy; } >/dev/null" 2>/dev/null >pipe &&
	recorded=$((recorded + 1))
perf record -q -a -g -e sched:sched_switch -o - -- sh -c "{ $busy; } >/dev/null" \
	2>/dev/null >pipe-tracepoint && recorded=$((recorded + 1))
rm -f pipe.all
perf record -q -g --switch-output=1s -o output -- sh -c "$busy" >/dev/null 2>&1
for data in output.*; do
	mv -f "$data" switched
done
[ ! -s switched ] || recorded=$((recorded + 1))
perf inject -b -i fp -o inject-b 2>/dev/null && recorded=$((recorded + 1))
perf inject -j -i mono -o inject-j 2>/dev/null && recorded=$((recorded + 1))

# Made by hand: every field of a sample and every record, also where no machine is at hand
# that can record them.  perf 7 refuses their header of compression.
if [ "$compat" = 6.1 ]; then
	tar -xOf "$TOP/tests/fuzz/corpus/script.tar" file >made
	tar -xOf "$TOP/tests/fuzz/corpus/script.tar" pipe >made-pipe
fi

for data in *; do
	case $data in
	empty | want* | got* | err | why) continue ;;
	esac
	alike "$data"
	alike "$data" -F comm,pid,tid,time,event,ip,misc,period
	alike "$data" -F +cpu,-sym,-symoff --ns
	alike "$data" "${shows[@]}" --header -I
	"$BIN/psym" -q --no-host "$data" 2>/dev/null | "$BIN/pfold" -q >want 2>/dev/null
	"$BIN/pfold" -q --no-host "$data" >got 2>/dev/null
	# A text without samples names no event, and knows no source.
	sed -i -E '/^# pfold (event=.* samples=0 |frame\t)/d' want got
	check "$data folded, with and without text in between" cmp want got
	# Records stand in the order of the file then, a fork behind what its process maps too,
	# and only perf keeps that for threads it met: no chains, which a pipe has by itself.
	# Of a directory perf reads the files one after the other.
	[ -d "$data" ] || alike "$data" -G -F comm,tid,time,event --show-round-events
done
for fields in +addr addr,sym,symoff,dso +weight,+data_src +phys_addr +iregs,+uregs +tod \
	+code_page_size,+data_page_size +brstack brstacksym,dso brstackoff,dso +ins_lat sw:ip,dso trace:comm,trace \
	trace:trace,ip,sym +flags,+synth,+ipc,+callindent -ip,-sym,-symoff,-dso dso,ip; do
	for data in cpu-clock several data phys weight mono some-regs page-sizes branches lbr \
		tracepoint tracepoint-mixed pipe pipe-tracepoint made made-pipe; do
		[ ! -e "$data" ] || alike "$data" -F "$fields"
	done
done
for data in all several mono made; do
	[ -e "$data" ] || continue
	alike "$data" --reltime
	alike "$data" --deltatime -F time,event "${shows[@]}"
	alike "$data" -G
	alike "$data" --time 10%/2,10%/5
	alike "$data" --time 0%-10%,50.5%-100%
	alike "$data" --show-kernel-path
	alike "$data" --time 50%
	alike "$data" --reltime --time 0.01,0.02
	read -r from to < <(perf script --symfs empty -i "$data" -F time -G 2>/dev/null |
		awk -F '[ :]+' '{ t[NR] = $2 } END { print t[int(NR / 3)], t[int(NR / 2)] }')
	alike "$data" --time "$from,$to"
	alike "$data" --time ",$from $to,"
done
echo "$recorded recordings"
check "$least recordings at least" [ $recorded -ge $least ]
finish
