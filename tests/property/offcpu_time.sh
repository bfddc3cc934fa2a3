#!/bin/bash
# What perf record --off-cpu writes, in both layouts, in a file and a pipe, of either byte
# order: the ns are those of the samples.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
gen=$BIN/peers/gen-offcpu
if [ ! -x "$gen" ]; then
	echo "needs $gen (make generators)"
	exit 77
fi
mkdir maps
printf '10000 100 busy\n10100 100 sleeps\n10200 100 locks\n10300 100 main\n' >maps/perf-7.map
fold() { "$BIN/pfold" --no-host --no-marks -m maps "$@"; }

for how in "" pipe big "pipe big"; do
	# shellcheck disable=SC2086
	"$gen" period $how >period.data
	# shellcheck disable=SC2086
	"$gen" raw $how >raw.data
	printf 'app;main;sleeps 250000000\nworker;main;locks 40000000\n' >want
	fold -q --event offcpu-time period.data | sed '/^#/d' >got
	same "${how:-file}: periods" want got
	printf 'app;main;sleeps 250000000\nworker;main;locks 640000000\n' >want
	fold -q --event offcpu-time raw.data | sed '/^#/d' >got
	same "${how:-file}: raw data" want got
	fold -q --off-cpu raw.data | sed '/^#/d' >got
	same "${how:-file}: --off-cpu is the same" want got
	printf 'app-7;main;busy 5000000\n' >want
	fold -q --root=pid raw.data | sed '/^#/d' >got
	same "${how:-file}: the samples beside them" want got
	printf 'app-7/7;main;sleeps 250000000\nworker-7/9;main;locks 640000000\n' >want
	fold -q --root=tid --off-cpu raw.data | sed '/^#/d' >got
	same "${how:-file}: the thread is the one that waited" want got
done
"$gen" raw >raw.data
check "they are nanoseconds" [ "$(fold -q --event offcpu-time raw.data | timeless | head -n 1)" = \
	'# pfold event=offcpu-time samples=3 unit=ns' ]
fold -q --off-cpu=runnable raw.data >got 2>said
check "other classes are not in them" [ $? = 2 ]
check "psym prints stacks, and not the raw data" \
	[ "$("$BIN/psym" -q --no-host -m maps raw.data | grep -c 'locks+0x10\|BPF output')" = 2 ]
"$BIN/psym" -q --no-host -m maps raw.data >raw.txt
fold -q --off-cpu raw.data >want
fold -q --off-cpu raw.txt >got
same "text gives the same" want got

# The time of a wait is known, that of a sum is not.
printf '%s;worker;main;locks %s\n' 000000 96500000 000001 300000000 000002 203500000 >want
fold -q --every 300ms --off-cpu raw.data 2>said | sed '/^#/d' >got
same "a wait has its parts in slices of time" want got
fold --every 300ms --off-cpu raw.data 2>&1 >got | grep -q '2 without a time left out'
report $? "sums are left out of them, and that is said"
fold -q --every 1 --off-cpu raw.data | sed '/^#/d; s/^[0-9]*;//' | sort >got
sort >want <<-END
	app;main;sleeps 250000000
	worker;main;locks 40000000
	worker;main;locks 600000000
END
same "slices of samples have all" want got
"$gen" period >period.data
fold --every 300ms --off-cpu period.data >got 2>said
check "sums alone have no slices" [ $? = 2 ]
check "and why is said" grep -q 'period.data: these offcpu-time events are sums without times' said

"$gen" cut >cut.data
fold --off-cpu cut.data >got 2>said
check "raw data that are cut off are damage" [ $? = 1 ]
check "which is said" grep -q 'cut.data:[0-9]*: SAMPLE record of [0-9]* bytes contradicts itself' said
check "and nothing else is lost" [ "$(grep -c 0000000 got)" = 2 ]
finish
