#!/bin/bash
# What LTTng recorded of a runtime: alone, beside a perf.data, damaged, and read by a worker that
# fails.
. "$TOP/tests/check.sh"
needs xz zip unzip cc perl
cd "$TMPDIR" || exit 1
tar -xf "$TOP/fixtures/lttng10.tar.xz"
part=lttngTrace/ust/uid/0/64-bit
mkdir spool

psym() { TMPDIR=$PWD/spool "$BIN/psym" --no-host --no-cache "$@"; }
pfold() { TMPDIR=$PWD/spool "$BIN/pfold" --no-host --no-cache "$@"; }
sum() { awk 'NR > 1 { n += $1 } END { print n + 0 }' "$1"; }

# --- alone: whatever it lies in ---
psym -q --list-events lttngTrace >whole
all=19755
check "every event is listed" [ "$(sum whole)" = $all ]
psym -q --list-events "$TOP/fixtures/lttng10.tar.xz" >got
same "an archive" whole got
psym -q --list-events - <"$TOP/fixtures/lttng10.tar.xz" >got
same "a pipe" whole got
psym -q --list-events $part >got
same "the directory of the trace itself" whole got
pfold --event GC lttngTrace >got 2>said
check "spans of the collector" grep -q '^dotnet;\[gen2 Induced] [0-9]*$' got
check "that there are no stacks is said" grep -q '2 without a recorded stack' said
psym -q lttngTrace >got
check "psym prints each event" [ "$(grep -c '^dotnet 113' got)" = $all ]
# The stream of a second CPU is merged by time.
check "in the order of time" perl -ne '/^dotnet +\d+ \[\d+\] +([\d.]+):/ or next;
	die "line $.\n" if $1 < $last; $last = $1' got
pfold -q lttngTrace >got 2>said
check "pfold asks for an event" grep -q "^pfold: lttngTrace: no samples.*--event" said

# --- two traces of one session: 32-bit programs and those of another user have their own ---
mkdir -p two/ust/uid/0/64-bit two/ust/uid/1000/64-bit
cp $part/metadata $part/channel0_0 two/ust/uid/0/64-bit
cp $part/metadata $part/channel0_1 two/ust/uid/1000/64-bit
psym -q --list-events two >got
same "several traces are one profile" whole got

# --- beside a perf.data ---
mkdir both && unzip -q "$TOP/fixtures/calc10.trace.zip" -d both && cp -r lttngTrace both/calc10.trace
(cd both && zip -qr ../both.trace.zip .)
psym -q --list-events both.trace.zip >got
{ cat whole; psym -q --list-events "$TOP/fixtures/calc10.trace.zip" | sed 1d; } | sort >want
sort got >sorted
same "trace.zip: the events of both" want sorted
pfold -q both.trace.zip >got
pfold -q "$TOP/fixtures/calc10.trace.zip" >want
same "trace.zip: the samples are what they were" want got
pfold -q --event GC both.trace.zip >got
pfold -q --event GC lttngTrace >want
same "trace.zip: spans of the collector" want got
psym --stat -q both.trace.zip >got
check "trace.zip: --stat counts both" \
	grep -q '^4,880 samples and 19,755 events of the runtime in 2.50 s' got
check "trace.zip: --stat describes the samples" grep -q '(11208/11216)$' got
psym -q --member lttngTrace/ust/uid/0/64-bit/metadata --list-events both.trace.zip >got
same "trace.zip: --member chooses the trace" whole got

# --- damage: one line with file and place, status 1, and all that is good ---
# events OF_WHAT - those of the directory damaged; sets got.
events()
{
	psym --list-events damaged >listed 2>said
	status=$?
	got=$(sum listed)
}
begin() { rm -rf damaged && cp -r $part damaged; }
first=$(rm -rf one && mkdir one && cp $part/metadata one && head -c 524288 $part/channel0_0 >one/a &&
	psym -q --list-events one >listed && sum listed)
last=$(rm -rf one && mkdir one && cp $part/metadata $part/channel0_1 one &&
	psym -q --list-events one >listed && sum listed)

begin && truncate -s 900000 damaged/channel0_0 && events
check "a cut stream: its status" [ $status = 1 ]
check "a cut stream: the place" [ "$(grep -c '^psym: channel0_0:524288: ' said)" = 1 ]
check "a cut stream: one line" [ "$(grep -c ': channel0_' said)" = 1 ]
check "a cut stream: whole packets are read" [ "$got" = $((first + last)) ]

# Behind the head of the first packet: events of kinds that there are not.
begin && printf '\xff%.0s' {1..64} | dd of=damaged/channel0_0 bs=1 seek=88 conv=notrunc status=none
events
check "a damaged packet: its status" [ $status = 1 ]
check "a damaged packet: the place" [ "$(grep -c '^psym: channel0_0:0: ' said)" = 1 ]
check "a damaged packet: the others are read" [ "$got" = $((all - first)) ]
check "a damaged packet: nothing tells of addresses or of TMPDIR" \
	[ -z "$(grep -E '0x|offbox-' said)" ]
psym --stat damaged >listed 2>said
check "a damaged packet: --stat says that events were lost" grep -q '^  1 event was lost$' listed

begin && printf '}{}{}{}{' | dd of=damaged/metadata bs=1 seek=50000 conv=notrunc status=none
events
check "damaged metadata: nothing usable" [ $status = 2 ]
check "damaged metadata: the line" grep -q '^psym: metadata: At line [0-9]* in metadata' said
check "damaged metadata: said once" [ "$(grep -c metadata: said)" = 1 ]

begin && head -c 100 $part/metadata >damaged/metadata && events
check "cut metadata is said" [ "$status$(grep -c 'psym: metadata: ' said)" = 21 ]

begin && printf '/* CTF 1.8 */ typealias' >damaged/metadata && events
check "metadata that is text is said" [ "$status$(grep -c 'psym: metadata: ' said)" = 21 ]

for n in 1 17 4096 100000 300000 600000; do
	begin && head -c $n $part/channel0_0 >damaged/channel0_0 && events
	check "a stream of $n bytes: what is whole is read" \
		[ "$got" = $((last + (n > 524288 ? first : 0))) ]
done
check "nothing is left in TMPDIR" [ -z "$(ls spool)" ]

psym --max-spool 600K --list-events lttngTrace >listed 2>said
check "--max-spool: its status" [ $? != 0 ]
check "--max-spool: is said" grep -q 'channel0_[01]:[0-9]*: it exceeds the limit of unpacked bytes' said

cc -shared -fPIC -O1 -D_GNU_SOURCE -o worker.so "$TOP/tests/property/lttng_worker.c" -ldl || exit 1
# Only the plugin that belongs to the library is loaded.
mkdir plugins && cp worker.so plugins/babeltrace-plugin-ctf.so
BABELTRACE_PLUGIN_PATH=$PWD/plugins psym -q --list-events lttngTrace >got
same "BABELTRACE_PLUGIN_PATH is not heard" whole got

# --- a worker that fails ---
# The sanitizers let no library stand in front of theirs.
case $BIN in
*san)	finish ;;
esac
# broken HOW ... - runs psym with a worker that is broken so.
broken()
{
	BREAK=$1 LD_PRELOAD=$PWD/worker.so psym "${@:2}"
}
# Each worker crashes at its 5,000th message: one packet of the three has fewer.
broken crash:5000 --list-events lttngTrace >listed 2>said
check "a crash: its status" [ $? = 1 ]
check "a crash: the place and the signal" \
	grep -q "^psym: ${part#*/}/channel0_0:[0-9]*: babeltrace2 was ended by signal 11" said
check "a crash: the other packet is read" [ "$(sum listed)" = $((all - first - last)) ]
(ulimit -S -t 2; broken spin:100 --list-events lttngTrace >listed 2>said)
check "no end: is said" grep -q ': babeltrace2 does not finish' said
check "they leave nothing in TMPDIR" [ -z "$(ls spool)" ]

# A directory of ours alone, while there is one; gone when the program is, whatever ended it.
for signal in TERM INT HUP PIPE; do
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' env BREAK=pause:100 LD_PRELOAD="$PWD/worker.so" \
		TMPDIR="$PWD/spool" "$BIN/psym" --no-host --list-events lttngTrace >listed 2>said &
	for ((i = 0; i < 600; i++)); do
		[ -s "$(echo spool/offbox-*/0)" ] && break
		sleep 0.1
	done
	stat -c '%a %n' spool/offbox-* spool/offbox-*/* | sed 's/-[A-Za-z0-9]*$/-NAME/; s/-[A-Za-z0-9]*\//-NAME\//' >names
	printf '700 spool/offbox-NAME\n600 spool/offbox-NAME/0\n600 spool/offbox-NAME/metadata\n' >want
	same "SIG$signal: the files and their modes before" want names
	kill -"$signal" $!
	wait $! 2>died
	check "SIG$signal: ends the program" [ $? = $((128 + $(kill -l $signal))) ]
	check "SIG$signal: nothing is left" [ -z "$(ls spool)" ]
done

finish
