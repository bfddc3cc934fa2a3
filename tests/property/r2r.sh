#!/bin/bash
# ReadyToRun images name their own code: calc10.dll out of its archive, and the
# framework's images where the machine has that very version of the runtime
# (`dotnet --list-runtimes`).  peers/framework31.sh does that for .NET Core 3.1.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
mkdir calc10 web10 image
tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" -C calc10
tar -xzf "$TOP/fixtures/web10.prof.tar.gz" -C web10

# frames FILE PATTERN - frames in modules like that; unnamed: those without a name.
frames() { grep -c "^	.*$2)\$" "$1"; }
unnamed() { grep "^	.*$2)\$" "$1" | grep -c '\[unknown\]'; }

# all_named NAME COUNT FILE PATTERN
all_named()
{
	local n bare
	n=$(frames "$3" "$4")
	bare=$(unnamed "$3" "$4")
	[ "$n" = "$2" ] && [ "$bare" = 0 ] || echo "$n frames, $bare without a name"
	[ "$n" = "$2" ] && [ "$bare" = 0 ]
	report $? "$1: all $2 named"
}

# The image alone names what the map names: without RTR in its header it has no
# code that we read, and the map is all there is.
cp calc10/calc10.dll image
"$BIN/psym" -q --no-host -m image calc10/perf.data >by_image
all_named "calc10.dll by itself" 7872 by_image '/calc10[.]dll'
check "in the runtime's spelling" grep -q \
	' float64 \[calc10\] Calc.Program::Multiply(int32)+0x' by_image
"$BIN/pfold" -q --no-host -m image calc10/perf.data >image.folded
perl -0777 -pi -e 's/RTR\0/rtr\0/' image/calc10.dll
"$BIN/psym" -q --no-host -m image calc10/perf.data >by_none
[ "$(unnamed by_none '/calc10[.]dll')" = 7872 ]
report $? "calc10.dll without the header: nothing is named"
cp calc10/calc10.ni.r2rmap image
"$BIN/psym" -q --no-host -m image calc10/perf.data >by_map
all_named "calc10.dll by its map" 7872 by_map '/calc10[.]dll'
check "in the compiler's spelling" grep -q ' System.Double Calc.Program::Multiply(System.Int32)+0x' \
	by_map
"$BIN/pfold" -q --no-host -m image calc10/perf.data >map.folded
same "image and map: the same stacks" map.folded image.folded

# An image of another version is not used, and that is said.
cp "$TOP/fixtures/r2r/arm64/calc10.dll" image
rm image/*.r2rmap
"$BIN/psym" --no-host -m image calc10/perf.data >other 2>said
[ "$(unnamed other '/calc10[.]dll')" = 7872 ]
report $? "another image names nothing"
check "and that is said" grep -q 'calc10.dll: not used: the image is another version' said

# Where no frame lies the image is not even opened; pmerge writes all that was mapped.
mkdir unsampled
cp "$TOP/fixtures/r2r/arm64/calc10.dll" unsampled/System.Linq.dll
"$BIN/psym" --no-host -m unsampled calc10/perf.data 2>said >/dev/null
check "an image without frames is not looked at" [ "$(grep -c 'System.Linq.dll' said)" = 0 ]
"$BIN/pmerge" --no-host -m unsampled calc10/perf.data 2>said >/dev/null
check "but where all are wanted" grep -q 'System.Linq.dll: not used' said

# managed FILE - all but the frames in ELF files, which no perf map holds.
managed() { grep -v '[.]so[.0-9]*)$' "$1"; }

# merged NAME DATA SOURCE... - one map names what all the parts name.
merged()
{
	local name=$1 data=$2
	shift 2
	"$BIN/pmerge" -q --no-host "$@" -o merged.map "$data"
	"$BIN/psym" -q --no-host "$@" "$data" >parts
	"$BIN/psym" -q --no-host -m merged.map "$data" >whole
	managed parts >parts.managed
	managed whole >whole.managed
	same "$name: the merged map names what its parts name" parts.managed whole.managed
}
merged calc10 calc10/perf.data -m calc10/calc10.dll -m calc10/perf-8292.map

skip() { echo "ok $1 # SKIP $2"; }
root=$(dotnet --list-runtimes 2>/dev/null |
	sed -n 's,^Microsoft.NETCore.App 10[.]0[.]12 \[\(.*\)/shared/.*,\1,p')
if [ -n "$root" ]; then
	"$BIN/psym" -q --no-host -m "$root" "$TOP/fixtures/calc10.prof.tar.gz" >named
	all_named "calc10 with its framework" 13098 named '[.]dll'
	"$BIN/psym" -q --no-host -m "$root" -m calc10/calc10.dll calc10/perf.data >images
	"$BIN/psym" -q --no-host -m calc10/jit-8292.dump calc10/perf.data >dumped
	paste -d '\n' dumped images | perl -ne 'chomp; if ($. % 2) { $d = $_; next }
		next unless $d =~ s/\[PreJIT\]//; $n++; $bad++, print "$d\n$_\n" if $d ne $_;
		END { exit !($n == 13096 && !$bad) }'
	report $? "calc10: 13,096 [PreJIT] frames of its jitdump have the same names"
	"$BIN/psym" -q --no-host -m "$root" "$TOP/fixtures/web10.prof.tar.gz" >named
	all_named "web10 with its framework" 9453 named '[.]dll'
	merged "web10 with its framework" web10/perf.data -m "$root" -m web10/perf-1.map
	"$BIN/psym" --no-host -m "$root" "$TOP/fixtures/calc31.prof.tar.gz" >named 2>said
	"$BIN/psym" -q --no-host "$TOP/fixtures/calc31.prof.tar.gz" >without
	same "calc31: the framework of .NET 10 names nothing" without named
	check "calc31: and that is said" grep -q 'images not used; .*another version' said
else
	skip "frameworks of .NET 10" "no .NET 10.0.12 runtime here; dotnet --list-runtimes says what is"
fi
finish
