#!/bin/bash
# What is bound to what: a perf map names only the process it belongs to, under
# whatever name; how much is named of each archive; which image a map is for.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1

all='web31 web10 calc10 calc31 java node sarif8 offcpu10'
for name in $all; do
	mkdir "$name"
	tar -xzf "$TOP/fixtures/$name.prof.tar.gz" -C "$name"
done

unnamed() { grep -c '^	.*\[unknown\] (' "$1"; }

# at_most NAME N FILE - frames left without a name.
at_most()
{
	local n
	n=$(unnamed "$3")
	[ "$n" -le "$2" ] || echo "$n frames are unnamed"
	[ "$n" -le "$2" ] && [ -s "$3" ]
	report $? "$1: at most $2 unnamed"
}

while read -r name bound; do
	"$BIN/psym" --no-host "$TOP/fixtures/$name.prof.tar.gz" >named 2>said
	at_most "$name" "$bound" named
	check "$name: says which map it bound" grep -q 'process [0-9]*: perf-[0-9]*.map names' said
	check "$name: ends in a summary" grep -q 'samples, [0-9]* frames, [0-9]* named' said
done <<'END'
web31 710
web10 41226
calc10 63711
calc31 9959
java 21
node 42
sarif8 10031
offcpu10 30425
END

# profcpu's archives hold no map: their text is all that names.
"$BIN/psym" --no-host "$TOP/fixtures/profcpu.prof.tar.gz" >named 2>said
at_most "profcpu: recorded text alone" 9959 named
check "profcpu: says that it is of this capture" grep -q 'perf_script.out: recorded with' said

# .NET left web10's jitdump cut off: --coverage alone reports it, once, with the setting that avoids it.
for option in --no-inline -v --missing; do
	"$BIN/psym" $option --no-host web10 2>said >named
	check "$option does not report a jitdump that is cut off" [ "$(grep -c 'cut off' said named | grep -vc ':0$')" = 0 ]
done
"$BIN/psym" -v --coverage --no-host web10 2>said >named
check "--coverage reports it once" [ "$(grep -c 'cut off' said)" = 1 ]
check "with its place and the setting that avoids it" grep -q \
	'cut off: jit-1.dump, in the record at byte 427; 2 pieces of code were read (.NET 10 .* DOTNET_PerfMapStubGranularity=2)' said
"$BIN/psym" -q --coverage=json --no-host web10 2>said >named
check "likewise as JSON" grep -q \
	'"cut_off":\[{"file":"jit-1.dump","at":427,"pieces":2,"avoid_by":"DOTNET_PerfMapStubGranularity=2"}\]' said
"$BIN/psym" --coverage --no-host calc10 2>said >named
check "a whole one is not reported" [ "$(grep -c 'cut off' said)" = 0 ]
head -c 100000 calc10/jit-8292.dump >java/jit-17060.dump
"$BIN/psym" --coverage --no-host java 2>said >named
check "the setting is advised for .NET alone" grep -q 'cut off: jit-17060.dump, in .* read$' said
rm java/jit-17060.dump

# Another archive's map is bound never: not by the pid in its name, not as the only
# one there is.
for name in $all; do
	pid=$("$BIN/psym" --no-host "$name" 2>&1 >/dev/null |
		sed -n 's/.*process \([0-9]*\): perf-.* names .*/\1/p')
	for other in $all; do
		[ "$name" = "$other" ] && continue
		for as in "perf-$pid.map" perf-1.map some.map; do
			rm -rf wrong && mkdir wrong
			cp "$other"/perf-*.map "wrong/$as"
			if "$BIN/psym" --no-host -m wrong "$name/perf.data" 2>&1 >/dev/null |
				grep 'distinct JIT addresses'; then
				echo "not ok $other's map as $as names $name"
				failed=1
			fi
		done
	done
	report 0 "$name: refuses the maps of the others"
done

# Beside a wrong one of the right name, the right one is found.
mkdir both
cp web31/perf-1.map both/perf-1.map
cp web10/perf-1.map both/perf-7679.map
"$BIN/psym" -q --no-host -m web31/perf_script.out -m both web31/perf.data >named
at_most "web31: beside a wrong map of its pid" 710 named
# The same map twice is no doubt.
"$BIN/psym" -q --no-host -m web31 "$TOP/fixtures/web31.prof.tar.gz" >named
at_most "web31: its map in two sources" 710 named
# A text of another capture is no witness.
"$BIN/psym" --no-host -m web10/perf_script.out web31/perf.data >named 2>said
check "a text of another capture is not used" grep -q 'text of another capture' said
! grep -v '\[unknown\] (' named | grep -q '^	'
report $? "and names nothing"
"$BIN/psym" --no-host -m web10/perf.data web31/perf_script.out >named 2>said
check "a perf.data of another capture is not used" grep -q 'of another capture than' said
same "and changes nothing" web31/perf_script.out named

# An image of another version is refused, by its length and by its calls.
mkdir image
cp calc10/calc10.ni.r2rmap image
cp "$TOP/fixtures/r2r/arm64/calc10.dll" image
"$BIN/psym" --no-host -m image calc10/perf.data >named 2>said
check "an image of another length is refused" grep -q 'another version' said
! grep 'calc10.dll' named | grep -qv '\[unknown\]'
report $? "and names nothing"
perl -0777 -pe 'substr($_, 0x200, 0x2000) = "\x90" x 0x2000' calc10/calc10.dll >image/calc10.dll
"$BIN/psym" --no-host -m image calc10/perf.data >named 2>said
check "an image without the calls is refused" grep -q 'do not follow calls' said
# The image names its own code, so that a map is only asked where it cannot.
perl -0777 -pe 's/RTR\0/rtr\0/' calc10/calc10.dll >image/calc10.dll
sed 's/^FFFFFFFF 00 ..../FFFFFFFF 00 1234/' calc10/calc10.ni.r2rmap >image/calc10.ni.r2rmap
"$BIN/psym" --no-host -m image calc10/perf.data >named 2>said
check "a map of another signature is refused" grep -q 'signature' said
rm image/calc10.dll
"$BIN/psym" --no-host -m image calc10/perf.data >named 2>said
check "a map without its image is said" grep -q 'not placed: its image is not' said
finish
