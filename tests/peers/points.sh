#!/bin/bash
# Sequence points of PDBs, compared with System.Reflection.Metadata, and offsets in IL of precompiled
# code, compared with the stack traces of the runtime.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
needs python3
cd "$TMPDIR" || exit 1
need_sdk
points=$BIN/peers/points
[ -x "$points" ] || { echo "$points was not built (make generators)"; exit 77; }
cp "$TOP"/fixtures/lines/*.pdb "$TOP"/fixtures/pdb/*.pdb .
runtime=$(dotnet --list-runtimes | sed -n 's/^Microsoft.NETCore.App \(10[^ ]*\) \[\(.*\)\]$/\2\/\1/p' | tail -1)
sdk=$(dirname "$(readlink -f "$(command -v dotnet)")")/sdk/$(dotnet --version)
refs=()
for name in Private.CoreLib Private.Uri Runtime Console Collections Collections.Concurrent Linq Reflection.Metadata \
	Collections.Immutable Text.RegularExpressions Threading Threading.Thread Threading.ThreadPool \
	Threading.Tasks.Parallel Threading.Timer ComponentModel Memory Private.Xml Xml.ReaderWriter IO.Compression \
	Security.Cryptography Text.Encoding.Extensions; do
	[ ! -e "$runtime/System.$name.dll" ] || refs+=("-r:$runtime/System.$name.dll")
done
echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' >oracle.runtimeconfig.json
# The same program without optimization has other points.
for how in + -; do
	dotnet exec "$sdk/Roslyn/bincore/csc.dll" -nologo -langversion:12 -optimize$how -debug:portable -nowarn:1701,1702 \
		-out:oracle.dll "${refs[@]}" "$TOP/tests/peers/points.cs" || exit 1
	cp oracle.pdb "own$how.pdb"
done
mapfile -t pdbs < <(find . -name '*.pdb' | sort)
dotnet exec oracle.dll "${pdbs[@]}" >theirs
"$points" "${pdbs[@]}" >ours
same "${#pdbs[@]} PDBs have the same $(grep -c " " ours) points" theirs ours

DOTNET_TieredCompilation=0 dotnet exec oracle.dll --stacks | sort -u >stacks
cut -d' ' -f1 stacks | sort -u | while read -r image; do
	"$points" "$image" | sed "s|^|$image |"
done >maps
python3 "$TOP/tests/peers/points.py" stacks maps >judged
cat judged
check "IL offsets are those of the runtime" sh -c 'grep -qE "^[1-9][0-9]* frames have the IL offset of the runtime, 0 another" judged'
finish
