#!/bin/bash
# A library that crashes while it reads a file, or does not come to an end, loses that file: the loss is
# reported with status 1, and all else is printed as without the crash.
. "$TOP/tests/check.sh"
needs cc
cd "$TMPDIR" || exit 1
cc -shared -fPIC -O1 -D_GNU_SOURCE -o crash.so "$TOP/tests/property/crash.c" -ldl || exit 1
fixtures=$TOP/fixtures
mkdir native
tar -xzf "$fixtures/native.prof.tar.gz" -C native
mv native/lld.perf.data native.data
mv native/dwarf.perf.data dwarf.data
rm native/*.data native/*.out
tar -cf native.tar -C native .

# crashed CALL:N:SIGNAL COMMAND ... - leaves out, err and got.
crashed()
{
	CRASH=$1 LD_PRELOAD=$PWD/crash.so bounded 20 "${@:2}" >out 2>err
	got=$?
}
# lines FILE - the frames without names, offsets and lines: the same for whoever names them.
lines() { sed -E 's/^\t +([0-9a-f]+) .* \((.*)\)$/\t\1 \2/' "$1" | uniq; }

"$BIN/psym" -q --no-host --no-inline -m native native.data >want
for signal in SEGV ABRT FPE ILL; do
	crashed gelf_getsym:1:$signal "$BIN/psym" -q --no-host --no-inline -m native native.data
	check "$signal: status 1" [ $got = 1 ]
	check "$signal: one report" [ "$(grep -c '^psym: .*: libelf crashed (.*); the file is left out$' err)" = 1 ]
	lines want >frames
	lines out >got.frames
	same "$signal: every sample and address is there" frames got.frames
	lost=$(sed -nE 's/^psym: (.*): libelf crashed.*/\1/p' err)
	lost=${lost##*/} lost=${lost%.debug}
	grep -vF "/$lost)" want >others
	grep -vF "/$lost)" out >got.others
	same "$signal: other files name their frames" others got.others
done

"$BIN/psym" -q --no-host -m native dwarf.data >want
crashed dwarf_begin_elf:1:SEGV "$BIN/psym" -q --no-host -m native dwarf.data
check "libdw: status 1 and a report" eval '[ $got = 1 ] && grep -q "^psym: .*: libdw crashed (Segmentation fault)" err'
check "libdw: inlined functions of the file are lost" eval '[ "$(wc -l <out)" -lt "$(wc -l <want)" ]'
check "libdw: every sample is printed" [ "$(grep -c '^[^[:space:]]' out)" = "$(grep -c '^[^[:space:]]' want)" ]
crashed dwarf_child:9:XCPU "$BIN/psym" -q --no-host --max-time 1 -m native dwarf.data
check "libdw without an end: status 1 and a report" eval \
	'[ $got = 1 ] && grep -q "^psym: .*: libdw does not finish; the file is left out" err'
check "libdw without an end: the output so far is written" [ -s out ]

"$BIN/psym" -q --no-host "$fixtures/sched517.prof.tar.gz" >want
crashed tep_parse_event:1:SEGV "$BIN/psym" -q --no-host "$fixtures/sched517.prof.tar.gz"
check "libtraceevent: status 1 and a report" eval '[ $got = 1 ] && grep -q "^psym: .*: libtraceevent crashed" err'
check "libtraceevent: every sample is printed" [ "$(grep -c '^[^[:space:]]' out)" = "$(grep -c '^[^[:space:]]' want)" ]

"$BIN/psym" -q --no-host native.data >want
crashed archive_read_next_header2:4:SEGV "$BIN/psym" -q --no-host -m native.tar native.data
check "libarchive: status 1 and a report" eval '[ $got = 1 ] && grep -q "^psym: native.tar: libarchive crashed" err'
check "libarchive: every sample is printed" [ "$(grep -c '^[^[:space:]]' out)" = "$(grep -c '^[^[:space:]]' want)" ]
finish
