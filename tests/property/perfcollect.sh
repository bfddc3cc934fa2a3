#!/bin/bash
# The trace.zip of perfcollect in its older layout: maps, perfinfo and crossgen maps beside
# perf.data and perf.data.txt.  Named again, its text says what its perf.data says.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1

mkdir calc31 calc31.trace
tar -xzf "$TOP/fixtures/calc31.prof.tar.gz" -C calc31
cp calc31/perf.data calc31/perf-6737.map calc31/perfinfo-6737.map calc31.trace
cp calc31/perf_script.out calc31.trace/perf.data.txt
cp "$TOP"/fixtures/crossgen1/*.ni.*.map calc31.trace
tar -cf calc31.trace.tar calc31.trace

for m in perf.data perf.data.txt; do
	"$BIN/psym" --no-host --member calc31.trace/$m calc31.trace.tar 2>said >$m.named
	# Each thread begins in the one, and the other calls what it runs.
	[ "$(grep -c 'ThreadHelper::ThreadStart_Context.*CoreLib[.]dll)' $m.named)" = 2353 ]
	report $? "$m: crossgen's map of CoreLib is placed by perfinfo's MVID"
	grep '^	' $m.named >$m.frames
done
same "both members have the same frames" perf.data.frames perf.data.txt.frames
"$BIN/psym" -q --no-host calc31.trace.tar >named
same "perf.data is preferred to its text" perf.data.named named

# Four lines of its text: perfinfo has the MVID and where the image lay, and a map has that MVID.
module=/usr/share/dotnet/shared/Microsoft.NETCore.App/3.1.2/System.Private.CoreLib.dll
mkdir lines && cp calc31/perfinfo-6737.map "$TOP"/fixtures/crossgen1/System.Private.CoreLib.ni.*.map lines
four() { printf 'dotnet 6745 3096.509715: 2004008 cpu-clock:pppH: \n\t%s [unknown] (%s)\n\t%s [unknown] (%s)\n\n' \
	"$1" $module "$2" $module; }
four 7f8a731452a2 7f8a7316ab70 >lines/perf.data.txt
tar -cf lines.tar lines
for source in lines lines.tar lines/perf.data.txt; do
	"$BIN/psym" --no-host -m lines "$source" 2>said >named
	check "$source: its frames are placed by perfinfo alone" grep -q 'ThreadHelper::ThreadStart_Context(object)\[ReadyToRun\]+0x32 ' named
	check "$source: those above a caller as well" grep -q 'ExecutionContext::RunInternal(.*+0x10 ' named
done
check "no map is left unplaced" sh -c '! grep -q "not placed" said'
sed -i 's/92b5e598/92b5e599/' lines/perfinfo-6737.map
"$BIN/psym" --no-host -m lines lines/perf.data.txt 2>said >named
check "not by another MVID" cmp -s lines/perf.data.txt named

# A text that perf printed with another process's map at hand, wrong names and all.
sed '/ \[unknown\] (/!{/perf-6737[.]map)$/s/^\(	 *[0-9a-f]*\) .* (/\1 wrong+0x1 (/}' calc31.trace/perf.data.txt >bad
cp bad calc31.trace/perf.data.txt
tar -cf calc31.trace.tar calc31.trace
"$BIN/psym" -q --no-host calc31.trace.tar >named
grep '^	.*perf-6737[.]map)$' named >got
grep '^	.*perf-6737[.]map)$' perf.data.frames >want
same "JIT code that a text names badly is named again" want got
finish
