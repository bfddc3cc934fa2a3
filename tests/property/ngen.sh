#!/bin/bash
# Fragile native images (.NET Core 2) and crossgen's maps of them, in RVAs or in offsets:
# calc10.dll with the header of one, since nobody compiles them any more.  And maps
# without any image, which perfinfo pairs.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
mkdir image rvas offsets other il
cp "$TOP/fixtures/r2r/x64/calc10.dll" image
perl -0777 -pi -e 's/RTR\0/NGE\0/' image/calc10.dll
mvid='{5f7b0e73-dba3-4ffa-b11c-963c82a375d6}'

# Its code stands at byte 0x200, at RVA 0x10200.
sed 1,5d "$TOP/fixtures/r2r/x64/calc10.ni.r2rmap" >methods
{
	echo 'app 7/7 1.0: PERF_RECORD_MMAP2 7/7: [0x7f0000000000(0x4000) @ 0 00:00 1 1]: r-xp /srv/app/calc10.dll'
	while read -r rva _; do
		printf 'app 7/7 2.0: 1 cycles: \n\t%16x [unknown] (/srv/app/calc10.dll)\n\n' \
			$((16#$rva - 0x10000))
	done <methods
} >text
while read -r rva size name; do
	printf '%08x %s %s[ReadyToRun]\n' "$((16#$rva))" "$size" "$name" >>"rvas/calc10.ni.$mvid.map"
	printf '%08x %s %s[ReadyToRun]\n' "$((16#$rva - 0x10000))" "$size" "$name" >>"offsets/calc10.ni.$mvid.map"
done <methods
cp "rvas/calc10.ni.$mvid.map" "other/calc10.ni.{00000000-dba3-4ffa-b11c-963c82a375d6}.map"
cut -d' ' -f3- methods | sed 's/$/[ReadyToRun]+0x0/' >want

frames() { grep '^	.*/calc10[.]dll)$' named | sed -E 's/^[	 ]*[0-9a-f]+ //; s/ \(\/srv.*//'; }
for map in rvas offsets; do
	"$BIN/psym" --no-host -m image -m $map text >named 2>said
	frames >have
	same "a map in $map: every method" want have
	# Between the methods it is the image that is known.
	"$BIN/pmerge" -q --no-host -m image -m $map text | grep -vF '[calc10 (ngen)]' >merged
	cut -d' ' -f3- merged >have
	sed 's/+0x0$//' want >names
	same "and merged" names have
	[ "$(head -1 merged | cut -d' ' -f1)" = 7f0000000d30 ]
	report $? "where it was"
done
"$BIN/psym" --no-host -m image text >named 2>said
[ "$(frames | grep -c '^\[calc10 (ngen)\]+0x1')" = "$(grep -c . methods)" ]
report $? "without a map its code is said to be that image's"
check "and that its methods are in a map" grep -q 'calc10.dll: a fragile native image' said
"$BIN/psym" -q --no-host --missing -m image text >keys
check "which map, or how to do without" \
	grep -q "^# calc10.ni.$mvid.map, by crossgen .*COMPlus_ZapDisable=1" keys
"$BIN/psym" -q --no-host --missing -m image -m rvas text >keys
[ ! -s keys ]
report $? "with the map nothing is missing"
"$BIN/pmerge" -q --no-host -m image text >merged
echo '7f0000000000 4000 [calc10 (ngen)]' >want.merged
same "and merged" want.merged merged
# .NET Core 2 writes down a table of thunks that lies inside of it.
mkdir thunks
echo '00007F0000000D00 100 stub<1> LoadHelperTable<calc10>' >thunks/perf-7.map
printf 'app 7/7 1.0: PERF_RECORD_MMAP2 7/7: [0x7e0000000000(0x1000) @ 0 00:00 0 0]: rwxp //anon\n' |
	cat - text >thunked
printf 'app 7/7 3.0: 1 cycles: \n\t    7e0000000010 [unknown] (/tmp/perf-7.map)\n\n' >>thunked
echo '00007E0000000000 100 void [app] A::B()[Optimized]' >>thunks/perf-7.map
"$BIN/psym" -q --no-host -m image -m thunks thunked >named
[ "$(frames | grep -c '^stub<1> LoadHelperTable<calc10>+0x')" -gt 0 ]
report $? "what its perf map says of a part of it is more"
"$BIN/pmerge" -q --no-host -m image -m thunks thunked | grep 7f0000000d00 >merged
echo '7f0000000d00 100 stub<1> LoadHelperTable<calc10>' >want.merged
same "and merged" want.merged merged
"$BIN/psym" --no-host -m image -m other text >named 2>said
[ "$(frames | grep -c 'ngen')" = "$(grep -c . methods)" ]
report $? "a map of another build names nothing"

# No image: perfinfo says which one was there, and an r2rmap is signed for it.
mkdir load wrong
echo "ImageLoad;/srv/app/calc10.dll;$mvid;00007EFFFFFF0000;" | tee load/perfinfo-7.map >wrong/perfinfo-7.map
cp "$TOP/fixtures/r2r/x64/calc10.ni.r2rmap" load
mkdir wrong/x64 wrong/arm64
cp "$TOP/fixtures/r2r/x64/calc10.ni.r2rmap" wrong/x64
cp "$TOP/fixtures/r2r/arm64/calc10.ni.r2rmap" wrong/arm64
sed 's/[[]ReadyToRun[]]//' want >want.2
"$BIN/psym" --no-host -m load text >named 2>said
frames >have
same "perfinfo pairs an r2rmap by its signature" want.2 have
"$BIN/psym" --no-host -m wrong text >named 2>said
[ "$(frames | grep -c '^\[unknown\]')" = "$(grep -c . methods)" ]
report $? "with one for another machine beside it nothing is named"
check "and that is said" grep -q 'calc10.ni.r2rmap: another one is for another machine' said

# Methods that were compiled again have the runtime's spelling in the perf map: so have
# their lines of the r2rmap then.  The image itself says what is right.
"$BIN/psym" -q --no-host -m "$TOP/fixtures/r2r/x64/calc10.dll" text >named
frames >right
awk '{ sub(/[+]0x0$/, ""); printf "7e00%08x 40 %s[OptimizedTier1]\n", 64 * NR, $0 }' right >load/perf-7.map
sed 's#^\(.*\)\[calc10\]#\1[other]#' load/perf-7.map >foreign.map
printf 'app 7/7 3.0: 1 cycles: \n\t    7e0000000050 [unknown] (/tmp/perf-7.map)\n\n' |
	cat thunked - >jitted
with_map() { "$BIN/psym" -q --no-host -m load jitted >named && frames; }
with_map >have
paste -d '\n' right want.2 have | awk 'NR % 3 == 1 { r = $0 } NR % 3 == 2 { w = $0 }
	NR % 3 == 0 { if ($0 == r && $0 != w) same++; else if ($0 == w) kept++; else bad++ }
	END { print same + 0, kept + 0, bad + 0 }' >counts
[ "$(cat counts)" = '25 2 0' ]
report $? "an r2rmap's methods that were jitted too are spelled as the runtime does ($(cat counts))"
"$BIN/pmerge" -q --no-host -m load jitted | grep ' 7f0\|^7f0' | cut -d' ' -f3- >merged
sed 's/[+]0x0$//' have >names
same "and merged" names merged
sed -n '1s/OptimizedTier1/QuickJitted/p' load/perf-7.map | sed 's/^7e00/7e01/; s/ 40 / 30 /' >>load/perf-7.map
with_map | cmp -s - have
report $? "of either tier"
sed -n '1s/(int32)/(int32 modopt(X))/p' load/perf-7.map >>load/perf-7.map
[ "$(with_map | diff - have | grep -c '^<')" = 1 ]
report $? "two methods of one line are not told apart"
mv foreign.map load/perf-7.map
with_map >have
same "what another assembly has is another method" want.2 have
rm load/perf-7.map
sed -i "s/5f7b0e73/5f7b0e74/" load/perfinfo-7.map
"$BIN/psym" --no-host -m load text >named 2>said
[ "$(frames | grep -c '^\[unknown\]')" = "$(grep -c . methods)" ]
report $? "nor does that of another build"

cp "$TOP/fixtures/r2r/il/calc10.dll" il
"$BIN/psym" --no-host -m il text >named 2>said
[ "$(frames | grep -c '^\[unknown\]')" = "$(grep -c . methods)" ]
report $? "IL has no code of its own"
status "nothing to list in a fragile image" 2 "$BIN/pmerge" --relative image/calc10.dll 2>said
finish
