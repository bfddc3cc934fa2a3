#!/bin/bash
# Each file that is given and not used has a notice with its name and the reason: ten kinds
# of source, of another build, unreadable, damaged, or of nothing that the profile mapped.
. "$TOP/tests/check.sh"
needs perl xz
cd "$TMPDIR" || exit 1
fixtures=$TOP/fixtures
crossgen='System.Private.CoreLib.ni.{92b5e598-6d6c-4d94-8b37-43c9dcef6a74}.map'
mkdir calc web native stacks good other damaged
tar -xzf "$fixtures/calc10.prof.tar.gz" -C calc
tar -xzf "$fixtures/web10.prof.tar.gz" -C web
tar -xzf "$fixtures/native.prof.tar.gz" -C native
tar -xzf "$fixtures/stacks.prof.tar.gz" -C stacks
calc=calc/perf.data native=native/lld.perf.data stacks=$(find stacks -name '*.data')
app=$fixtures/crossgen1/app.txt info=$fixtures/crossgen1/perfinfo-4711.map

cp calc/{perf-8292.map,jit-8292.dump,calc10.dll,calc10.ni.r2rmap,perf_script.out} good
cp "$fixtures/crossgen1/$crossgen" native/srv/app/native/tally{,.debug} good
xz -dc "$fixtures/nettrace/calc10-v4.nettrace.xz" >good/calc10.nettrace
perl -e 'printf "%016x T %s\n", 0xffffffff81000000 + $_ * 64,
	$_ == 0 ? "_text" : $_ == 1 ? "_stext" : $_ == 999 ? "_etext" : "function_$_" for 0 .. 999' >good/kallsyms

# --- of another build ---
cp web/perf-1.map other/perf-8292.map
cp web/jit-1.dump other/jit-8292.dump
cp good/{calc10.nettrace,kallsyms} "$fixtures"/r2r/x64/calc10.{dll,ni.r2rmap} other
cp "good/$crossgen" "other/${crossgen/92b5e598/11111111}"
cp native/lld.perf_script.out other/perf_script.out
for file in tally tally.debug; do
	perl -0777 -pe 's/(\x08\0{3}\x03\0{3}GNU\0).{8}/$1 . "\x11" x 8/es' good/$file >other/$file
done

# --- damaged ---
garble()
{
	head -c "$2" "good/$1" >"damaged/$1"
	perl -e "print qq(\n\x01garbage \$_) for 1 .. $3" >>"damaged/$1"
}
garble perf-8292.map 6000 300
garble calc10.ni.r2rmap 20000 300
{ head -n 1 "good/$crossgen" && echo "garbage line"; } >"damaged/$crossgen"
garble perf_script.out 900 300
for file in jit-8292.dump:1000 calc10.nettrace:3000 calc10.dll:12000 tally:3000 tally.debug:1000; do
	head -c "${file#*:}" "good/${file%:*}" >"damaged/${file%:*}"
done
perl -pe 's/^\S+/0000000000000000/' good/kallsyms >damaged/kallsyms

as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv "--bounding-set=-dac_override,-dac_read_search")
combinations=0

# says KIND STATE FILE REASON ARGUMENTS... - one line has the file's name and the reason.
says()
{
	local kind=$1 state=$2 file=$3 reason=$4
	shift 4
	combinations=$((combinations + 1))
	"${run[@]}" "$BIN/psym" --no-host "$@" >out 2>err
	grep -F -- "$file" err | grep -qE -- "$reason" || {
		head -n 5 err
		false
	}
	report $? "$kind: $state"
}

# walk KIND FILE OTHER-FILE PROFILE ANOTHER-BUILD DAMAGED ARGUMENTS... - the four states.
walk()
{
	local kind=$1 file=$2 other=$3 profile=$4 another=$5 bad=$6 far=$native
	shift 6
	case $profile in
	"$native")	far=$calc ;;
	esac
	[ "$kind" != kallsyms ] || far=$stacks
	run=()
	says "$kind" "another build" "other/$other" "$another" -m "other/$other" "$@" "$profile"
	says "$kind" damaged "damaged/$file" "$bad" -m "damaged/$file" "$@" "$profile"
	says "$kind" "no mapping" "good/$file" \
		'names no code of these processes|no process mapped|no frame of this profile|another capture' \
		-m "good/$file" "$far"
	mkdir closed
	cp "good/$file" closed
	chmod 0 "closed/$file"
	run=("${as_user[@]}")
	if "${run[@]}" cat "closed/$file" >/dev/null 2>&1; then
		echo "not ok $kind: unreadable # SKIP this user may read it"
		combinations=$((combinations + 1))
	else
		says "$kind" unreadable "closed/$file" 'Permission denied$' -m closed "$@" "$profile"
	fi
	rm -rf closed
}

used='names only .* and is not used'
walk "perf map" perf-8292.map perf-8292.map $calc "$used" ':[0-9]+: 300 lines are damaged'
walk jitdump jit-8292.dump jit-8292.dump $calc "$used" 'cut off: .*, in the record at byte [0-9]+' --coverage
walk nettrace calc10.nettrace calc10.nettrace $calc "$used" ':[0-9]+: the file ends inside a block'
walk "map of crossgen" "$crossgen" "${crossgen/92b5e598/11111111}" "$app" \
	'not placed: ' ':[0-9]+: 1 line is damaged' -m "$info"
walk r2rmap calc10.ni.r2rmap calc10.ni.r2rmap $calc \
	'not placed: its signature differs from the image' ':[0-9]+: 299 lines are damaged' -m calc/calc10.dll
walk "ReadyToRun image" calc10.dll calc10.dll $calc \
	'not used: the image is another version' 'not used: the image is cut off'
walk program tally tally $native 'its build-id differs from the recorded one' 'it is damaged, or not an ELF file'
walk "debug file" tally.debug tally.debug $native 'its build-id differs from that of its program' \
	'it is damaged, or not an ELF file' -m good/tally
walk text perf_script.out perf_script.out $calc 'text of another capture, not used' \
	'text without a sample to compare'
walk kallsyms kallsyms kallsyms $native 'not used: ' 'it has no symbols, or their addresses are hidden'
check "ten kinds in four states" [ $combinations = 40 ]

# --- a folder of what does not concern the profile takes few lines; -v lists all ---
mkdir -p many
for i in $(seq 300); do
	cp "good/$crossgen" "many/Other$i.ni.{92b5e598-6d6c-4d94-8b37-43c9dcef6a74}.map"
	cp good/perf-8292.map "many/perf-$((i + 100000)).map"
	[ "$i" -gt 40 ] || head -n 60 native/lld.perf_script.out >"many/text$i.out"
done
"$BIN/psym" --no-host -m many $stacks >out 2>err
check "a folder of others: $(wc -l <err) lines" [ "$(wc -l <err)" -le 8 ]
check "maps are counted" grep -q '300 perf maps not used, because they name no code of these processes' err
check "crossgen's maps are counted" grep -q '300 maps not placed; ' err
check "texts are counted" grep -q '39 more texts of other captures' err
"$BIN/psym" --no-host -v -m many $stacks >out 2>err
for what in 'perf-100[0-9]*.map: ' 'Other[0-9]*.ni.*: not used: no process' 'text[0-9]*.out: text of another'; do
	n=$(grep -c "$what" err)
	check "-v lists them: $n of $what" [ "$n" -ge 40 ]
done

# --- a perf.data of another capture is read only until its times are past the text's ---
mkdir earlier later
tar -xzf "$fixtures/web31.prof.tar.gz" -C earlier
cp earlier/perf.data later/own.data
perl -0777 -pe 'substr($_, length() / 2, 64) = "\xff" x 64' web/perf.data >later/another.data
"$BIN/psym" --no-host -m later earlier/perf_script.out >out 2>err
check "another perf.data is not used" grep -q 'another.data: of another capture' err
check "and not read to its end, where its loss would be counted" [ -z "$(grep 'another.data: .*could not be read' err)" ]
# --- a map that is the process's own, of which the text has the names already ---
rm later/*
cp calc/perf.data calc/perf-8292.map later
"$BIN/psym" -q --no-host -m calc $calc >named
"$BIN/psym" --no-host -m later named >out 2>err
check "its own map is named once" [ "$(grep -c 'perf-8292.map' err)" = 1 ]

# --- the reasons of the coverage are those of what was there ---
# reason NAME MODULE REASON ARGUMENTS...
reason()
{
	local name=$1 module=$2 why=$3
	shift 3
	"$BIN/psym" --no-host --coverage "$@" >/dev/null 2>err
	grep -F -A 6 " unnamed  $module" err | grep -m 1 'unnamed: ' | grep -qF "unnamed: $why"
	report $? "$name"
}
reason "a file of another build was found" /srv/app/native/tally 'the file that was found is not used' \
	-m other/tally $native
reason "recorded text is no map" /tmp/perf-6737.map 'the process has no usable perf map or jitdump' \
	"$fixtures/profcpu.prof.tar.gz"
reason "nor is a jitdump an image" /usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/System.Private.CoreLib.dll \
	'its image is not among the sources' "$fixtures/calc10.prof.tar.gz"
"$BIN/psym" --no-host "$fixtures/web10.prof.tar.gz" >/dev/null 2>err
check "a dump that names 9 of 816 is not said to name none" [ "$(grep -c 'jit-1.dump' err)" = 1 ]
finish
