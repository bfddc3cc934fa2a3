#!/bin/bash
# The trace.zip of perfcollect in its older layout: maps, perfinfo and crossgen maps beside
# perf.data and perf.data.txt.  Named again, its text says what its perf.data says.
. "$TOP/tests/check.sh"
needs perl
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

# An archive of text alone, as old perfcollect made: frames in NAME.ni.dll print offsets, perfinfo has
# the MVIDs and no addresses, and crossgen's maps have offsets.
mkdir text only bound
native() { sed -E 's#^(\t.*\(/usr/share/dotnet/.*)[.]dll\)$#\1.ni.dll)#'; }
sed -E 's#^ImageLoad;(/usr/share/dotnet/.*)[.]dll;([{][^}]*[}]);.*#NILoad;\1.ni.dll;\2;#' calc31/perfinfo-6737.map >text/perfinfo-6737.map
cp "$TOP"/fixtures/crossgen-offsets/*.map text
cp calc31/perf-6737.map text
native <calc31/perf_script.out >text/perf.data.txt
tar -cf text.tar text
# ni TEXT - the frames in native images, as in other images.
ni() { sed -nE 's#^(\t.*[.])ni[.]dll\)$#\1dll)#p' "$1"; }

cp "$TOP"/fixtures/crossgen-offsets/*.map calc31/perfinfo-6737.map bound
"$BIN/psym" -q --no-host -m bound calc31/perf.data | grep '^	.*(/usr/share/dotnet/.*[.]dll)$' >want
"$BIN/psym" --no-host text.tar 2>said >named
ni named >got
[ "$(grep -c . want)" = 8180 ] && ! grep -q '\[unknown\]' want
report $? "perf.data: 8180 frames in images, all named"
same "text alone: the same frames have the same names" want got
check "no map is left unplaced" sh -c '! grep -q "not placed" said'
grep -v '^#' text/perf.data.txt >only/perf.data.txt
"$BIN/psym" -q --no-host -m text only/perf.data.txt >named
ni named >got
same "a text without a header as well" want got
framework=${PEERS:-}/dotnet31
if [ -d "$framework" ]; then
	"$BIN/psym" -q --no-host -m "$framework" calc31/perf.data | grep '^	.*(/usr/share/dotnet/.*[.]dll)$' >images
	sed 's/\[ReadyToRun\]//' got >bare
	same "and the images of the framework agree" images bare
fi

# unnamed NAME - no frame in a native image of the directory text has a name.
unnamed()
{
	"$BIN/psym" --no-host text 2>said >named
	[ "$(ni named | grep -c ' \[unknown\] (')" = 8180 ]
	report $? "$1"
}
# Half of the offsets in CoreLib is enough, and the others stay unknown.
offsets() { ni text/perf.data.txt | awk '/CoreLib/ { print $1 }' | sort -u; }
core=$(ls text/System.Private.CoreLib.ni.*.map)
cp "$core" all.map
# cut N - leaves in CoreLib's map the methods of the first N of its offsets.
cut()
{
	offsets | head -n "$1" | perl -e '
		open M, "<", "all.map"; my @m = <M>; my %keep;
		while (my $o = <STDIN>) {
			$o = hex $o;
			for (@m) { my ($a, $n) = map { hex } split " "; $keep{$_} = 1 if $a <= $o - 1 && $o - 1 < $a + $n }
		}
		print grep { $keep{$_} } @m' >"$core"
}
rm text/System.[LTC]*.map
total=$(offsets | wc -l)
cut $((total * 6 / 10))
"$BIN/psym" --no-host text 2>said >named
ni named | grep CoreLib >got
check "over half of the offsets: $(grep -vc unknown got) frames named" grep -q ThreadStart_Context got
check "those outside of the map stay unknown" grep -q ' \[unknown\] (' got
grep CoreLib want | paste - got | awk -F'\t' '$4 !~ /unknown/ && $2 != $4 { bad++ } END { exit bad > 0 }'
report $? "and no other name is there"
cut $((total * 3 / 10))
unnamed "fewer than half name nothing"
check "the reason" grep -q 'CoreLib.*not placed: fewer than half of its offsets' said
cp all.map "$core"
sed -i 's/92b5e598/92b5e599/' text/perfinfo-6737.map
unnamed "nor does a map of another MVID"
sed -i 's/92b5e599/92b5e598/' text/perfinfo-6737.map
sed 's#92b5e598#92b5e599#' text/perfinfo-6737.map >text/perfinfo-7000.map
unnamed "two processes, and the text does not have the pid of its threads"
"$BIN/psym" -q --no-host -p 6737 text >named
check "the perfinfo of the process counts, not another's" grep -q 'ThreadStart_Context.*ni.dll' named
mv text/perfinfo-6737.map text/perfinfo-7001.map
"$BIN/psym" -q --no-host -p 6737 text >named
check "several of other processes do not" [ "$(ni named | grep -c ' \[unknown\] (')" = 8180 ]
rm text/perfinfo-7000.map
mv text/perfinfo-7001.map text/perfinfo-1.map
"$BIN/psym" -q --no-host text >named
check "the only one may be of a container" grep -q 'ThreadStart_Context.*ni.dll' named

# Images of later runtimes have other offsets than the RVAs in their maps: nothing is taken for them.
sed 's/NILoad/ImageLoad/; s/[.]ni[.]dll/.dll/' text/perfinfo-1.map >text/perfinfo-6737.map && rm text/perfinfo-1.map
cp calc31/perf_script.out text/perf.data.txt
"$BIN/psym" -q --no-host text >named
[ "$(grep '^	.*CoreLib[.]dll)' named | grep -vc ' \[unknown\] (')" = 0 ]
report $? "NAME.dll is not read by offsets"
finish
