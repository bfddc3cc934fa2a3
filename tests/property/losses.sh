#!/bin/bash
# Whichever malloc, open, read, mmap or write fails in 14 commands: the filter ends, and if it prints
# or writes anything else than without the fault, its status and a line on standard error report it.
# A few of the first 10,000 calls fail; with FAULTS=all, each of the first 500.  The directories of
# / are opened in an order that differs between machines, so each of the first opens fails there, and
# each of the few maps.
. "$TOP/tests/check.sh"
needs cc xz
shopt -s globstar
cd "$TMPDIR" || exit 1
cc -shared -fPIC -O1 -D_GNU_SOURCE -o faults.so "$TOP/tests/property/faults.c" -ldl || exit 1
fixtures=$TOP/fixtures here=$PWD
if [ "${FAULTS:-}" = all ]; then
	mapfile -t numbers < <(seq 500)
	lanes=$(nproc)
else
	numbers=(1 2 4 7 12 19 33 54 81 130 220 400 700 1300 2500 5000 10000)
	lanes=1
fi
mkdir calc native home
tar -xzf "$fixtures/calc10.prof.tar.gz" -C calc
tar -xzf "$fixtures/native.prof.tar.gz" -C native
xz -dc "$fixtures/nettrace/calc10-v4.nettrace.xz" >calc10.nettrace
mv calc/perf.data perf.data
mv native/lld.perf.data native.data
rm native/*.data native/*.out
tar -cf calc.tar -C calc .
"$BIN/pfold" -q --no-host "$fixtures/java.prof.tar.gz" >java.folded
id=$(readelf -n native/srv/app/native/tally | sed -n 's/.*Build ID: //p')
mkdir -p home/.debug/.build-id/"${id:0:2}/${id:2}"
cp native/srv/app/native/tally home/.debug/.build-id/"${id:0:2}/${id:2}/elf"
cp native/srv/app/native/tally.debug home/.debug/.build-id/"${id:0:2}/${id:2}/debug"

# run COMMAND ... - leaves standard output and the files of made/ in ./all, and err and got.
run()
{
	rm -rf made log
	mkdir made
	(ulimit -t 20 && exec timeout 60 "$@") >all 2>err
	got=$?
	for f in made/**; do
		[ ! -f "$f" ] || { echo "$f" && cat "$f"; } >>all
	done
}

# lane I CALL:ERROR COMMAND ... - the I-th share of the numbers.  Prints what is wrong, and "N places".
lane()
{
	local i=$1 fault=$2 n places=0
	shift 2
	mkdir -p "lane$i"
	cd "lane$i" || exit 1
	for ((; i < ${#numbers[@]}; i += lanes)); do
		n=${numbers[i]}
		run env FAULT="${fault%:*}:$n:${fault#*:}" FAULT_LOG="$PWD/log" LD_PRELOAD="$here/faults.so" "$@"
		[ -s log ] || break # the log is made at the start
		places=$((places + 1))
		if [ $got -gt 2 ]; then
			echo "call $n ($(head -n 1 log)): status $got: $(head -n 2 err)"
		elif [ $got = 0 ] && ! cmp -s all ../want; then
			echo "call $n ($(head -n 1 log)): a silent loss: $(cmp all ../want 2>&1)"
		elif [ $got != 0 ] && ! grep -qE '^(psym|pfold|pmerge|pflame|offbox): |^Fatal Internal Error in libarchive: (No|Out of) memory' err; then
			echo "call $n ($(head -n 1 log)): status $got without a reason"
		fi
	done
	echo "$places places"
}

sweep()
{
	local name=$1 fault i places
	shift
	[ -z "${ONLY:-}" ] || [ "$name" = "$ONLY" ] || return
	run "$@"
	cp all want
	[ $got = 0 ] && [ -s want ]
	report $? "$name: without a fault"
	for fault in ${KINDS:-malloc:ENOMEM open:EMFILE read:EIO mmap:ENOMEM write:ENOSPC}; do
		for ((i = 0; i < lanes; i++)); do
			(lane $i $fault "$@") >"said$i" &
		done
		wait
		places=$(cat said* | awk '$2 == "places" { n += $1 } END { print n }')
		# pflame maps no file.
		[[ $places != 0 || $fault = mmap:* ]] && ! grep -v 'places$' said*
		report $? "$name: ${fault%:*} in $places places"
		rm -rf said* lane*
	done
}
sweep "a directory" "$BIN/psym" -q --no-host -m "$here/calc" "$here/perf.data"
sweep "an archive" "$BIN/psym" -q --no-host "$fixtures/calc10.prof.tar.gz"
sweep "a tar as a source" "$BIN/pfold" -q --no-host -m "$here/calc.tar" "$here/perf.data"
sweep "text" "$BIN/psym" -q --no-host -m "$here/calc" "$here/calc/perf_script.out"
sweep "programs" "$BIN/pfold" -q --no-host -m "$here/native" "$here/native.data"
sweep "maps" "$BIN/pmerge" -q --no-host -m "$here/calc" "$here/perf.data"
sweep "tracepoints" "$BIN/psym" -q --no-host "$fixtures/sched517.prof.tar.gz"
sweep "LTTng" "$BIN/psym" -q --list-events "$fixtures/lttng10.tar.xz"
sweep "nettrace" "$BIN/pfold" -q --no-host "$here/calc10.nettrace"
sweep "a picture" "$BIN/pflame" -q -o made/java.svg "$here/java.folded"
sweep "rules" "$BIN/pfold" -q --no-host --rules java --rules kernel -o made/java.pb.gz "$fixtures/java.prof.tar.gz"
sweep "two inputs, two workers" "$BIN/psym" -q --no-host -j 2 -o made/ "$fixtures/stacks.prof.tar.gz" \
	"$fixtures/erlang.prof.tar.gz"
HOME=$here/home sweep "files of this machine" "$BIN/psym" -q "$here/native.data"
sweep "ids" "$BIN/psym" -q --id "$fixtures/pdb/small.pdb" "$fixtures/pdb/small.dll" "$here/native/srv/app/native/tally"
[ "${FAULTS:-}" = all ] || mapfile -t numbers < <(seq 50)
HOME=$here/home KINDS='open:EMFILE mmap:ENOMEM' sweep "each open and map of files of this machine" "$BIN/psym" -q "$here/native.data"
finish
