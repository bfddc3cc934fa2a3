#!/bin/bash
# Programs published and recorded here and now: self-contained, composite, single-file
# with and without compression.  The runtime's own jitdump says of each precompiled
# method that ran where it is, how long, and how it is spelled: pmerge says the same.
# Asked with PEERS set only, as it wants the .NET 10 SDK, perf, and NuGet or its cache.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
unset PEERS

cannot() { echo "$1"; exit 77; }
command -v dotnet >/dev/null || cannot 'no dotnet'
command -v perf >/dev/null || cannot 'no perf'
case $(dotnet --version) in
10.*) ;;
*) cannot 'no SDK of .NET 10' ;;
esac
mkdir app
cat >app/app.csproj <<'END'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <PublishReadyToRun>true</PublishReadyToRun>
    <InvariantGlobalization>true</InvariantGlobalization>
  </PropertyGroup>
</Project>
END
cat >app/app.cs <<'END'
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
class Program
{
	static int Once() =>
		JsonSerializer.Serialize(Enumerable.Range(0, 40).ToDictionary(i => "n" + i, i => i * 1.5)).Length +
		Regex.Matches("the quick brown fox 123 jumps 456 over", @"\b(\w+)\s(\d+)").Count +
		XDocument.Parse("<a><b c='1'>t</b><b c='2'/></a>").Descendants("b").Sum(e => (int)e.Attribute("c")!) +
		Enumerable.Range(0, 300).GroupBy(i => i % 7).OrderByDescending(g => g.Sum()).SelectMany(g => g).Count();
	static void Main()
	{
		long sum = 0;
		for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < 1500;)
			sum += Once();
		Console.WriteLine(sum);
	}
}
END

# prejit DUMP - "START SIZE NAME" of what was compiled before the run, sorted.
prejit()
{
	perl -0777 -ne '
		for (my $at = 40; $at + 56 < length;) {
			my ($id, $size) = unpack "LL", substr $_, $at;
			last if $size < 16 || $at + $size > length;
			if ($id == 0) {
				my ($start, $n) = unpack "QQ", substr $_, $at + 32, 16;
				my $name = unpack "Z*", substr $_, $at + 56, $size - 56;
				printf "%x %x %s\n", $start, $n, $name if $name =~ s/\[PreJIT\]$//;
			}
			$at += $size;
		}' "$1" | sort -u
}

# same_as_runtime NAME OPTION...
same_as_runtime()
{
	local name=$1 pid
	shift
	dotnet publish app -r linux-x64 --self-contained -o "$name" "$@" >said 2>&1 ||
		cannot "dotnet publish: $(grep -m 1 error said)"
	mkdir dumps
	DOTNET_PerfMapEnabled=1 DOTNET_PerfMapStubGranularity=2 DOTNET_PerfMapJitDumpPath=$PWD/dumps \
		perf record -q -F 499 -g -k mono -o perf.data "$name/app" >said 2>&1
	pid=$(find dumps -name 'jit-*.dump' | sed 's/.*jit-//; s/[.]dump//')
	prejit "dumps/jit-$pid.dump" >runtime
	"$BIN/pmerge" -q --no-host -m "$name" -p "$pid" perf.data >merged
	sort merged | comm -23 runtime - >missing
	# What was copied to memory is found where it was sampled.
	if [ "$name" = compressed ]; then
		cut -d' ' -f1 merged | sort >starts
		sort -k1,1 missing | join - starts >wrong
		comm -12 runtime <(sort merged) >runtime.found
		mv wrong missing
		mv runtime.found runtime
	fi
	head -5 missing
	[ "$(wc -l <runtime)" -gt 500 ] && [ ! -s missing ]
	report $? "$name: $(wc -l <runtime) methods are where the runtime had them, so spelled"
	"$BIN/psym" --no-host -m "$name" -m "dumps/perf-$pid.map" perf.data >named 2>said
	grep "^	.*\([.]dll\|/perf-${pid}[.]map\))\$" named >images
	! grep -q '\[unknown\]' images
	report $? "$name: no frame in an image without a name"
	rm -rf dumps "$name"
}
same_as_runtime apart
same_as_runtime composite -p:PublishReadyToRunComposite=true
# By default those are composite, too, which takes the compiler a minute each.
plain=(-p:PublishSingleFile=true -p:PublishReadyToRunComposite=false)
same_as_runtime single "${plain[@]}"
same_as_runtime compressed "${plain[@]}" -p:EnableCompressionInSingleFile=true
finish
