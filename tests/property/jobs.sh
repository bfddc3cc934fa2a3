#!/bin/bash
# -o DIR/ with -j: any number of workers writes and says the same.  No worker outlives the
# program that began it, and no file is left half written, however it ends.
. "$TOP/tests/check.sh"
needs pgrep
cd "$TMPDIR" || exit 1

mkdir -p in folded
for name in web10 calc31 java node; do
	cp "$TOP/fixtures/$name.prof.tar.gz" in/$name
	"$BIN/pfold" -q --no-host -o folded/$name in/$name
done
head -c 200000 in/web10 >in/cut
printf 'main;a 3\nmain;b x\n' >folded/odd
echo nothing >in/none
echo nothing >folded/none

# agrees NAME TOOL INPUT ... - by one worker and by three; the damaged input leaves the others.
agrees()
{
	local name=$1 tool=("$BIN/$2") j
	shift 2
	[ "${tool[0]}" = "$BIN/pflame" ] || tool+=(--no-host)
	rm -rf out1 out3
	for j in 1 3; do
		"${tool[@]}" -j $j -o out$j/ "$@" 2>said$j
		echo "status $?" >>said$j
	done
	sed -i 's,out3/,out1/,' said3
	same "$name: the same is said" said1 said3
	check "$name: status 1" grep -q '^status 1$' said1
	check "$name: each line names its input" [ "$(grep -vcE '^[a-z]*: (warning: )?(in|folded)/|^status' said1)" = 0 ]
	check "$name: there is output" [ "$(find out1 -type f | wc -l)" -ge 4 ]
	diff -r out1 out3
	report $? "$name: the same is written"
}
agrees psym psym in/*
agrees pfold pfold in/*
agrees tables pfold --top in/*
agrees pflame pflame folded/*
agrees pmerge pmerge in/web10 in/calc31 in/java in/node in/none
"$BIN/pmerge" -q --no-host in/java >one
same "pmerge: a directory for each input" one out3/in/java/perf-17060.map
check "pmerge: each has its own" [ "$(find out3 -name 'perf-*.map' | wc -l)" = 4 ]
"$BIN/pfold" -q --no-host in/node >one
"$BIN/pfold" -q --no-host -j 2 -o out/ in/node in/java
same "pfold: as alone" one out/in/node.folded
"$BIN/pflame" -q folded/node >one
"$BIN/pflame" -q -j 2 -o out/ folded/node folded/java
same "pflame: as alone" one out/folded/node.svg
mkdir r2r
cp -r "$TOP"/fixtures/r2r/* r2r/
for j in 1 3; do "$BIN/pmerge" --relative -j $j -o rel$j/ r2r 2>/dev/null; done
check "pmerge --relative: several images" [ "$(find rel1 -type f | wc -l)" -gt 1 ]
diff -r rel1 rel3
report $? "pmerge --relative: the same is written"
for tool in psym pfold pflame pmerge; do
	status "$tool: -j 0 is no number of workers" 2 "$BIN/$tool" -j 0 in/java 2>/dev/null
done

# Sanitizers want to be loaded first, and do without.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
# A pool of slow workers, whose temporary files have names.
gcc -D_GNU_SOURCE -shared -fPIC -O1 -o nameless.so "$TOP/tests/property/nameless.c" || exit 1
many=() texts=()
mkdir many
for i in $(seq 40); do
	cp folded/node many/$i
	many+=("many/$i")
done
for i in $(seq 12); do
	cp in/java many/text$i
	texts+=("many/text$i")
done
"$BIN/pflame" -q folded/node >want.svg
"$BIN/psym" -q --no-host in/java >want.txt

# workers_of PID - the children of the filter, which is the child of its keeper.
workers_of()
{
	local filter
	filter=$(pgrep -P "$1" | head -n 1)
	[ -z "$filter" ] || pgrep -P "$filter"
}
# starts TOOL OPTION ... - in a process group of its own, $pid; waits until it has workers.
starts()
{
	local tool=$1
	shift
	rm -rf out
	set -m
	LD_PRELOAD=$TMPDIR/nameless.so SLOW=60000 "$BIN/$tool" -q -j 3 -o out/ "$@" 2>said &
	pid=$!
	set +m
	for _ in $(seq 1000); do
		workers=$(workers_of $pid)
		[ -n "$(find out -type f 2>/dev/null | head -n 1)" ] && [ -n "$workers" ] && break
		sleep 0.02
	done
	check "$tool: there are workers" [ -n "$workers" ]
}
# ended NAME SIGNAL WANT - nothing of it runs any more, or is left.
ended()
{
	local name=$1 signal=$2 left=x bad=0 f
	wait $pid 2>/dev/null
	check "$name: it ends by $signal" [ $? = $((128 + $(kill -l "$signal"))) ]
	for _ in $(seq 1000); do
		left=$(pgrep -r R,S,D,T -g $pid) # not those that init has yet to reap
		[ -z "$left" ] && break
		sleep 0.02
	done
	check "$name: no worker is left" [ -z "$left" ]
	for _ in $(seq 1000); do # a process of its own removes temporary files
		find out -type f >files
		grep -qvE '[.](svg|txt)$' files || break
		sleep 0.02
	done
	while read -r f; do
		[[ $f =~ /(text)?[0-9]+[.](svg|txt)$ ]] && cmp -s "$f" "$3" ||
			{ echo "$f is left"; bad=1; }
	done <files
	report $bad "$name: no file is left half written"
	check "$name: not all was done" [ "$(wc -l <files)" -lt 12 ]
}
for signal in TERM INT HUP QUIT KILL; do
	starts pflame "${many[@]}"
	kill -$signal $pid
	ended "SIG$signal to pflame" $signal want.svg
	starts psym --no-host "${texts[@]}"
	kill -$signal $pid
	ended "SIG$signal to psym" $signal want.txt
done

# A signal that is ignored changes nothing.
(
	trap '' HUP
	starts pflame "${many[@]:0:9}"
	kill -HUP $pid
	wait $pid
	status "an ignored signal: it goes on" 0 test $? = 0
)
check "an ignored signal: all is done" [ "$(find out -type f | wc -l)" = 9 ]

# The program alone, with its one output.
LD_PRELOAD=$TMPDIR/nameless.so SLOW=60000 "$BIN/psym" -q --no-host -o alone/x/ in/java in/web10 &
pid=$!
for _ in $(seq 1000); do
	[ -n "$(find alone -type f 2>/dev/null)" ] && break
	sleep 0.02
done
check "alone: it writes" [ -n "$(find alone -type f)" ]
kill -TERM $pid
wait $pid
check "alone: it ends by SIGTERM" [ $? = 143 ]
check "alone: no file is left" [ -z "$(find alone -type f)" ]

# A worker that is killed takes no other along, and that is said.  The 40 inputs take seconds, so
# that a busy machine does not write them all before the signal.
starts pflame "${many[@]}"
# The newest has most of its work before it.
until kill -KILL "$(workers_of $pid | tail -n 1)"; do kill -0 $pid || break; done 2>/dev/null
wait $pid
check "a worker is killed: status 1" [ $? = 1 ]
check "a worker is killed: which input it had is said" \
	[ "$(grep -cE '^pflame: many/[0-9]+: its worker process ended unexpectedly$' said)" = 1 ]
check "a worker is killed: the others are done" [ "$(find out -name '*.svg' | wc -l)" = 39 ]
dead=$(sed -n 's/^pflame: \(.*\): its worker process ended unexpectedly$/\1/p' said)
"$BIN/pflame" -q -o out/ "$dead"
check "a worker is killed: the rest is done anew" [ "$(find out -name '*.svg' | wc -l)" = 40 ]
finish
