#!/bin/bash
# perf.data is the same profile however it comes: a file, a capture of a pipe in a file,
# either of them through a pipe, in an archive, in pieces of a few bytes.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
gen=$BIN/peers/gen-perfdata samples=3000
psym=("$BIN/psym" -q --no-host)

"$gen" $samples >file.data && "$gen" $samples pipe >pipe.data || exit 1
"${psym[@]}" file.data >want
check "the profile is all there" test "$(grep -c '^service' want)" = $samples
"${psym[@]}" pipe.data >got
same "capture of a pipe in a file" want got
for mode in file pipe; do
	cat $mode.data | "${psym[@]}" >got
	same "$mode mode through a pipe" want got
	tar -cf $mode.tar $mode.data && "${psym[@]}" $mode.tar >got
	same "$mode mode in an archive" want got
	tar -cz $mode.data | "${psym[@]}" >got
	same "$mode mode in an archive through a pipe" want got
	dd status=none ibs=64k obs=7 if=$mode.data count=1 | "${psym[@]}" >got 2>err
	"${psym[@]}" <(head -c 65536 $mode.data) >shorter 2>err
	same "$mode mode in pieces of 7 bytes" shorter got
	"${psym[@]}" $mode.data | "$BIN/pfold" -q >got
	"$BIN/pfold" -q --no-host $mode.data >folded
	same_stacks "$mode mode folded, with and without text in between" folded got
done

read_cut() { "${psym[@]}" cut.data >out 2>&1; }

# Samples of whole records, none lost: behind 8 KB of mappings they have 107 bytes each.
for mode in file pipe; do
	n=$(($(wc -c <$mode.data) * 6 / 10))
	head -c $n $mode.data >cut.data
	"${psym[@]}" cut.data >got 2>err
	status "$mode mode cut off is damage" 1 read_cut
	check "$mode mode cut off keeps whole records" cmp got \
		<(head -c "$(wc -c <got)" want)
	check "$mode mode cut off loses no more" \
		test "$(grep -c "^service" got)" -ge $(((n - 8192) / 107))
	"$BIN/psym" --no-host cut.data 2>&1 >/dev/null |
		grep -q "cut.data: [0-9]* bytes could not be read, the first at"
	report $? "$mode mode cut off: how much is lost, and where, is said"
done

# What perf lost itself is no damage: a LOST record, and LOST_SAMPLES, which counts samples
# alone; bit 15 of that one's misc means that a filter left them out.
lost() { perl -e 'print pack("LSSQQLLQ", 2, 0, 40, 0, 70, 1000, 1000, 1 << 40)'; }
lost_samples() { perl -e 'print pack("LSSQLLQ", 13, $ARGV[0], 32, $ARGV[1], 1000, 1000, 1 << 40)' "$@"; }
{ cat pipe.data && lost && lost_samples 32768 5; } >lost.data
status "lost records are no damage" 0 "$BIN/psym" --no-host lost.data >/dev/null 2>err
check "but they are said" grep -q "^psym: 70 records, samples or mappings, were lost while recording" err
"$BIN/pfold" --no-host lost.data 2>&1 >/dev/null | grep -q "^pfold: 70 records, samples or mappings, were lost"
report $? "by pfold, too"
{ cat pipe.data && lost && lost_samples 0 1000; } >lost.data
"$BIN/psym" --no-host lost.data >/dev/null 2>err
check "of samples their share" grep -q '^psym: 1000 of 4000 samples (25.0 %) were lost' err
"$BIN/psym" --no-host <(echo 'a 1 0.500000: PERF_RECORD_LOST lost 5' && head -n 9 want) >/dev/null 2>err
check "text has records of it" grep -q '^psym: 5 records, samples or mappings, were lost' err

# From a pipe nothing is kept but what waits, neither in memory nor in TMPDIR.
case $BIN in
*san)	;;
*)
	# Besides what the program, in its larger process, and its libraries take before they read anything.
	mkfifo held
	"${psym[@]}" <held >idle.out 2>&1 &
	exec 9>held
	idle=0
	for _ in {1..50}; do
		now=$(for process in $! $(cat /proc/$!/task/$!/children); do
			sed -n 's/^VmSize:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$process/status"
		done | sort -n | tail -n 1)
		[ "${now:-0}" = "$idle" ] && [ "$idle" -gt 3000 ] && break
		idle=${now:-0}
		sleep 0.1
	done
	exec 9>&-
	wait $!
	"$gen" 400000 pipe | (
		ulimit -v $((idle + 40000))
		TMPDIR=/nonexistent "${psym[@]}" | grep -c '^service' >got
	)
	check "40 MB through a pipe in little memory" test "$(cat got)" = 400000
	;;
esac
finish
