#!/bin/bash
# The instructions of ReadyToRun images: the same bounds and mnemonics as objdump prints for their
# bytes, and as the JIT lists when crossgen2 compiles them.  Methods of a recorded program, and of
# a library of .NET, each of whose methods has one sample in a profile made here.  crossgen2 is a
# package of NuGet.  With DISASM=all, also compares all methods of System.Private.CoreLib, twice.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
needs objdump python3
cd "$TMPDIR" || exit 1

need_sdk
read -r _ version folder < <(dotnet --list-runtimes | grep '^Microsoft.NETCore.App 10[.]' | tail -n 1)
framework=${folder//[][]/}/$version
mkdir package
cat >package/package.csproj <<END
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup><PackageDownload Include="microsoft.netcore.app.crossgen2.linux-x64" Version="[$version]" /></ItemGroup>
</Project>
END
dotnet restore package >said 2>&1 || cannot "dotnet restore: $(grep -m 1 error said)"
crossgen2=~/.nuget/packages/microsoft.netcore.app.crossgen2.linux-x64/$version/tools/crossgen2
[ -x "$crossgen2" ] || cannot "there is no $crossgen2"

# compiled DIR IL OPTION... - writes DIR/IL, its map, and the listing of the JIT to DIR/jit.txt.
compiled()
{
	local dir=$1 il=$2
	shift 2
	mkdir -p "$dir"
	# Threads would mix their listings.
	"$crossgen2" -O --targetos linux --parallelism 1 -r "$framework/*.dll" --perfmap --perfmap-format-version 1 \
		--codegenopt:JitStdOutFile="$PWD/$dir/jit.txt" --codegenopt:JitDisasm='*' \
		--codegenopt:JitDisasmWithCodeBytes=1 -o "$dir/${il##*/}" "$@" "$il" >said 2>&1 || cat said
}

# judged NAME LEAST PROFILE DIR IL - compares the sampled functions of DIR/IL.
judged()
{
	local image=$4/${5##*/}
	"$BIN/pannotate" -q --no-host --all -m "$image" -o "$4/lines/" "$3" 2>said
	python3 "$TOP/tests/peers/listings.py" "$4/lines" "$2" "$image" "$4/jit.txt" >said 2>&1
	report $? "$1"
	tail -n 40 said
}

# each_method NAME LEAST STEP IL OPTION... - compares every STEPth method.
each_method()
{
	local name=$1 least=$2 step=$3 il=$4
	shift 4
	compiled "$name" "$il" "$@"
	python3 "$TOP/tests/peers/sampled_once.py" "$name/${il##*/}" "$name/$(basename "$il" .dll).ni.r2rmap" "$step" \
		>"$name.data"
	judged "methods of ${il##*/}${*:+, $*}" "$least" "$name.data" "$name" "$il"
}

compile methods.dll "$framework" -- -unsafe -nowarn:649 "$TOP/tests/peers/methods.cs" || exit 1
compiled run methods.dll
echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' >run/methods.runtimeconfig.json
if command -v perf >/dev/null && DOTNET_TieredCompilation=0 perf record -q -F 999 -g -o run.data \
	dotnet exec run/methods.dll >log 2>&1; then
	judged "methods of a recorded program" 20 run.data run methods.dll
else
	echo "ok methods of a recorded program # SKIP perf cannot record here"
fi
each_method json 500 "$([ "${DISASM:-}" = all ] && echo 1 || echo 4)" "$framework/System.Text.Json.dll"
if [ "${DISASM:-}" = all ]; then
	each_method corelib 30000 1 "$framework/System.Private.CoreLib.dll"
	each_method corelib4 30000 1 "$framework/System.Private.CoreLib.dll" --instruction-set x86-64-v4
else
	each_method numerics 300 1 "$framework/System.Runtime.Numerics.dll" --instruction-set x86-64-v4
fi
finish
