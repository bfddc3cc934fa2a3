#!/bin/bash
# Chains of --call-graph dwarf are those that perf found at home: recursion, alloca,
# callbacks, a signal handler, dumps that end too early.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
tar -xzf "$TOP/fixtures/stacks.prof.tar.gz"

"$BIN/psym" -q --no-host --perf-compat -m stacks perf.data >psym.out
same "as perf printed them" perf_script.out psym.out
grep -v '^	ffffffffffffffff ' perf_script.out >want
"$BIN/psym" -q --no-host -m stacks perf.data >psym.out
same "without what perf makes of memory that was not recorded" want psym.out
cp stacks renamed
"$BIN/psym" -q --no-host -m renamed perf.data >psym.out
same "by build-id alone" want psym.out
"$BIN/pfold" -q --no-host -m stacks perf.data >folded
"$BIN/psym" -q --no-host -m stacks perf.data | "$BIN/pfold" -q >want.folded
same "pfold unwinds as psym does" want.folded folded
check "down to the first function" grep -q ';_start;begin;run;interrupted;.*;on_alarm;work ' folded

# Without the file there is the innermost frame, and perf has not even that.
grep -v '^	' perf_script.out >want
"$BIN/psym" -q --no-host --perf-compat perf.data >psym.out
same "no file, as perf" want psym.out
"$BIN/psym" -q --no-host perf.data >psym.out
[ "$(grep -c '^	' psym.out)" = 15 ]
report $? "no file: the innermost frame of each"
perl -0777 -pe 's/\x7fELF\x02\x01.{12}\K\x3e/\xb7/s' stacks >other
"$BIN/psym" -q --no-host -m other perf.data >psym.out
check "a file of another machine does no harm" test -s psym.out

# A stripped file has its .eh_frame; a debug file has none.
strip -o stripped stacks
"$BIN/psym" -q --no-host -m stripped perf.data | cut -d' ' -f1 >psym.out
"$BIN/psym" -q --no-host -m stacks perf.data | cut -d' ' -f1 >want
same "a stripped file unwinds" want psym.out
objcopy --only-keep-debug stacks debug
"$BIN/psym" -q --no-host -m debug perf.data >psym.out
[ "$(grep -c '^	' psym.out)" = 15 ]
report $? "a debug file without .debug_frame does not"

# How far it got is said.
psym() { "$BIN/psym" --no-host "$@" perf.data >psym.out 2>said; }
psym -m stacks
check "stacks larger than their dump are counted" grep -q \
	'15 stacks unwound, 12 to their first function; 3 end at the end of the dumped stack' said
psym
check "a missing file is counted" grep -q \
	'15 stacks unwound, 0 to their first function; 15 end at a missing file: 15 in stacks$' said
psym -m debug
check "its debug file does not replace it" grep -q '15 end at a missing file' said
objcopy -R .eh_frame -R .eh_frame_hdr stacks plain
psym -m plain
check "a file without rules is counted" grep -q \
	'15 end in files without unwind information: 15 in stacks$' said
psym --coverage
check "in the coverage report" grep -q '15 stacks end in it: they cannot be unwound without its file' said
psym --coverage=json
check "as JSON" grep -q '"stacks_ended":15,"ended_because":"they cannot be unwound without its file' said
"$BIN/psym" -q --no-host --missing -m debug perf.data >missing
check "the program of a debug file is missing" grep -q '^buildid/[0-9a-f]*/executable$' missing
check "and only that" [ "$(grep -c ^buildid missing)" = 1 ]
"$BIN/psym" -q --no-host --missing perf.data >missing
check "what to fetch" grep -q '^buildid/[0-9a-f]*/executable$' missing
finish
