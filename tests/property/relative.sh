#!/bin/bash
# pmerge --relative writes the very file that crossgen2 wrote beside the image.
# peers/crossgen2.sh does that for images compiled anew.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
r2r=$TOP/fixtures/r2r

# written NAME IMAGE MAP OPTION...
written()
{
	local name=$1 image=$2 map=$3
	shift 3
	"$BIN/pmerge" --relative -q "$@" "$image" >made 2>said
	[ $? = 0 ] && [ ! -s said ] && cmp "$map" made
	report $? "$name: the compiler's own map"
}
for image in x64/calc10 x64/oddnames win-x64/oddnames hotcold/oddnames composite/two.r2r; do
	written "$image" "$r2r/$image.dll" "$r2r/$image.ni.r2rmap"
done
for image in inputbubble/oddext crossmod/oddext; do
	written "$image" "$r2r/$image.dll" "$r2r/$image.ni.r2rmap" -m "$r2r/il"
done
written "format version 0" "$r2r/x64-v0/calc10.dll" \
	"$r2r/x64-v0/calc10.ni.{5f7b0e73-dba3-4ffa-b11c-963c82a375d6}.map"

# arm64: lines of the compiler may be longer, by the constants behind the code.
for image in calc10 oddnames; do
	"$BIN/pmerge" --relative -q "$r2r/arm64/$image.dll" >made
	cut -d' ' -f1,3- "$r2r/arm64/$image.ni.r2rmap" >theirs
	cut -d' ' -f1,3- made >ours
	same "arm64/$image: the compiler's addresses and names" theirs ours
	paste -d' ' <(cut -d' ' -f2 made) <(cut -d' ' -f2 "$r2r/arm64/$image.ni.r2rmap") |
		while read -r n most; do
			[ $((16#$n)) -le $((16#$most)) ] || echo "$n > $most"
		done >longer
	[ ! -s longer ]
	report $? "arm64/$image: no length is more than the compiler's"
done

# What was split off comes on request, and nothing else changes.
"$BIN/pmerge" --relative -q --cold "$r2r/hotcold/oddnames.dll" >all
"$BIN/pmerge" --relative -q "$r2r/hotcold/oddnames.dll" >hot
diff hot all | grep '^>' | cut -c3- >extra
sed 1d "$r2r/hotcold/oddnames.cold.csv" | tr -d '\r' |
	while IFS=, read -r rva size _; do
		printf '%08X %02X\n' "$((16#${rva#0x}))" "$size"
	done | sort >want
cut -d' ' -f1,2 extra | sort >have
same "--cold adds the compiler's cold parts" want have
check "and says that they are" grep -q '\[PreJit-cold\]$' extra
[ "$(grep -c . extra)" = "$(diff hot all | grep -c '^[<>]')" ]
report $? "--cold takes nothing away"

# Many images go below a directory, under their own names.
cp -r "$r2r/composite" "$r2r/x64" .
"$BIN/pmerge" --relative -q -o maps/ composite x64/calc10.dll
report $? "a directory and a file"
same "each under its own name" x64/calc10.ni.r2rmap maps/x64/calc10.ni.r2rmap
same "composite" composite/two.r2r.ni.r2rmap maps/composite/two.r2r.ni.r2rmap
[ "$(find maps -type f | wc -l)" = 2 ]
report $? "components have no code of their own"
tar -cf images.tar composite
"$BIN/pmerge" --relative -q images.tar >made
same "an archive" composite/two.r2r.ni.r2rmap made

status "two images want -o DIR/" 2 "$BIN/pmerge" --relative x64 2>said
check "and that is said" grep -q '2 images .* -o DIR/' said
status "IL alone is no such image" 2 "$BIN/pmerge" --relative "$r2r/il/calc10.dll" 2>said
check "and that is said" grep -q 'calc10.dll: contains no precompiled code' said
status "nor is text" 2 "$BIN/pmerge" --relative "$r2r/x64/calc10.ni.r2rmap" 2>said
status "--cold alone is a mistake" 2 "$BIN/pmerge" --cold x64/calc10.dll 2>said
cp "$r2r/composite/two.r2r.dll" alone.dll
"$BIN/pmerge" --relative alone.dll >made 2>said
report $? "without its components a composite is listed"
check "with less in its names, which is said" grep -q 'names need assemblies' said
cut -d' ' -f1,2 "$r2r/composite/two.r2r.ni.r2rmap" >want
cut -d' ' -f1,2 made >have
same "and with all bounds" want have
finish
