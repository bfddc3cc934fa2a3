#!/bin/bash
# Images compiled here and now by the crossgen2 of the SDK, which NuGet has: of each
# pmerge --relative writes the map that the compiler wrote.  Asked with PEERS set only,
# as it wants the .NET 10 SDK, the registry or its cache, and a minute.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
needs perl
cd "$TMPDIR" || exit 1

need_sdk
project app Microsoft.NET.Sdk 10.0 PublishReadyToRun=true PublishReadyToRunEmitSymbols=true
cat >app/app.csproj <<'END'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <PublishReadyToRun>true</PublishReadyToRun>
    <PublishReadyToRunEmitSymbols>true</PublishReadyToRunEmitSymbols>
  </PropertyGroup>
</Project>
END
cat >app/app.cs <<'END'
using System;
using System.Collections.Generic;
using System.Linq;
class Program
{
	record struct Pair(int A, string B);
	static IEnumerable<(T, int)> Numbered<T>(IEnumerable<T> all) => all.Select((x, i) => (x, i));
	static void Main() => Console.WriteLine(Numbered(new List<Pair> { new(1, "x") }).Count());
}
END
publish app out --self-contained

# the newest of the packages that came with it
package() { find ~/.nuget/packages/microsoft.netcore.app."$1".linux-x64 -mindepth 1 -maxdepth 1 | sort -V | tail -1; }
crossgen2=$(package crossgen2)/tools/crossgen2
framework=$(find "$(package runtime)/runtimes/linux-x64/lib" -mindepth 1 -maxdepth 1)
il=$TOP/fixtures/r2r/il

# written NAME IMAGE OPTION... - pmerge's map is that beside the image.
written()
{
	local name=$1 image=$2 map=${2%.dll}.ni.r2rmap
	shift 2
	"$BIN/pmerge" --relative "$@" "$image" >made 2>said
	[ $? = 0 ] && [ ! -s said ] || cat said
	[ "$(wc -l <"$map")" -gt 20 ] && cmp "$map" made
	report $? "$name: $(grep -c . "$map") lines of the compiler"
}

# Of arm64 the compiler counts constants behind the code; no method is missing.
written_arm64()
{
	local name=$1 image=$2 map=${2%.dll}.ni.r2rmap
	shift 2
	"$BIN/pmerge" --relative "$@" "$image" >made
	cut -d' ' -f1,3- "$map" >theirs
	cut -d' ' -f1,3- made >ours
	paste -d' ' <(cut -d' ' -f2 made) <(cut -d' ' -f2 "$map") |
		perl -lane 'print if hex $F[0] > hex $F[1]' >longer
	[ ! -s longer ] && [ "$(wc -l <"$map")" -gt 20 ] && cmp theirs ours
	report $? "$name: $(grep -c . "$map") lines, no length above the compiler's"
}

# compiled DIR OUTPUT OPTION... INPUT...
compiled()
{
	local dir=$1 to=$2
	shift 2
	mkdir -p "$dir"
	"$crossgen2" -O --perfmap --perfmap-format-version 1 -r "$framework/*.dll" \
		-o "$dir/$to" "$@" >said 2>&1 || cat said
}

written "published program" out/app.dll
for os in linux windows osx; do
	compiled $os-x64 System.Linq.dll --targetos $os "$framework/System.Linq.dll"
	written "$os, x64" $os-x64/System.Linq.dll -m "$framework"
	compiled $os-arm64 System.Linq.dll --targetos $os --targetarch arm64 \
		"$framework/System.Linq.dll"
	written_arm64 "$os, arm64" $os-arm64/System.Linq.dll -m "$framework"
done
compiled x86 System.Linq.dll --targetos windows --targetarch x86 "$framework/System.Linq.dll"
written "windows, x86" x86/System.Linq.dll
compiled arm System.Linq.dll --targetarch arm "$framework/System.Linq.dll"
written "linux, arm" arm/System.Linq.dll
corelib=$framework/System.Private.CoreLib.dll
[ -e "$corelib" ] || corelib=out/System.Private.CoreLib.dll
compiled split System.Private.CoreLib.dll --hot-cold-splitting "$corelib"
written "hot-cold, CoreLib" split/System.Private.CoreLib.dll
compiled bubble oddext.dll --inputbubble --inputbubbleref "$il/oddnames.dll" \
	-r "$il" "$il/oddext.dll"
written "version bubble" bubble/oddext.dll -m "$il"
compiled across System.Text.Json.dll '--opt-cross-module:*' '--non-local-generics-module:*' \
	"$framework/System.Text.Json.dll"
written "cross-module" across/System.Text.Json.dll -m "$framework" -m "$corelib"
compiled composite fw.r2r.dll --composite --inputbubble \
	"$framework/System.Linq.dll" "$framework/System.Collections.dll"
written "composite" composite/fw.r2r.dll -m "$framework" -m "$corelib"
finish
