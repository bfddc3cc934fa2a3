#!/bin/bash
# Programs published and recorded here and now: self-contained, composite, single-file
# with and without compression.  The runtime's own jitdump says of each precompiled
# method that ran where it is, how long, and how it is spelled: pmerge says the same.
# Asked with PEERS set only, as it wants the .NET 10 SDK, perf, and NuGet or its cache.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
needs perl
cd "$TMPDIR" || exit 1

need_sdk
command -v perf >/dev/null || cannot 'no perf'
project app Microsoft.NET.Sdk 10.0 PublishReadyToRun=true InvariantGlobalization=true
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

# A second program: Kestrel, asked by itself.
project web Microsoft.NET.Sdk.Web 10.0 PublishReadyToRun=true InvariantGlobalization=true \
	ImplicitUsings=enable AssemblyName=app
cat >web/app.cs <<'END'
using System.Diagnostics;
var builder = WebApplication.CreateSlimBuilder();
builder.Logging.ClearProviders();
builder.WebHost.UseUrls("http://127.0.0.1:0");
var app = builder.Build();
app.MapGet("/list/{n:int}", (int n) => Results.Text(string.Join(",", Enumerable.Range(0, n).Select(i => i * 1.5))));
app.MapGet("/throw", () => { try { throw new Exception("x"); } catch (Exception e) { return e.StackTrace!; } });
app.MapPost("/sum", async (HttpRequest r) => (await System.Text.Json.JsonDocument.ParseAsync(r.Body)).RootElement.GetArrayLength().ToString());
await app.StartAsync();
using var client = new HttpClient { BaseAddress = new Uri(app.Urls.First()) };
for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < 1500;) {
	await client.GetStringAsync("/list/40");
	await client.GetStringAsync("/throw");
	await client.PostAsync("/sum", new StringContent("[1,2,{\"a\":[3]}]"));
}
await app.StopAsync();
END

# behind FILE - where what the ELF file itself has ends.
behind()
{
	perl -e 'open F, "<", $ARGV[0]; binmode F; read F, $_, 64;
		my ($at, $size, $n) = (unpack("x40Q", $_), unpack "x58SS", $_);
		print $at + $size * $n' "$1"
}

# in_images - the frames of standard input that are in code compiled before the run.
in_images()
{
	perl -ne 'my ($at, $in) = /^\t *([0-9a-f]+) .* \(([^()]*)\)$/ or next;
		print if $in =~ /[.]dll$/ || $in =~ m{/app$} && hex $at >= $ENV{BEHIND}'
}

# no_frame_unnamed NAME - of those in the file named.
no_frame_unnamed()
{
	in_images <named >images
	grep '\[unknown\]' images | head -5
	[ "$(wc -l <images)" -gt 200 ] && ! grep -q '\[unknown\]' images
	report $? "$1: all $(wc -l <images) frames in images have names"
}

# recorded NAME PROJECT OPTION... - published and run: perf.data, dumps/ and pid.
recorded()
{
	local name=$1 project=$2
	shift 2
	publish "$project" "$name" --self-contained "$@"
	mkdir dumps
	DOTNET_PerfMapEnabled=1 DOTNET_PerfMapStubGranularity=2 DOTNET_PerfMapJitDumpPath=$PWD/dumps \
		perf record -q -F 499 -g -k mono -o perf.data "$name/app" >said 2>&1
	pid=$(find dumps -name 'jit-*.dump' | sed 's/.*jit-//; s/[.]dump//')
	BEHIND=$(behind "$name/app")
	export BEHIND
}

# same_as_runtime NAME PROJECT OPTION...
same_as_runtime()
{
	local name=$1
	recorded "$@"
	prejit "dumps/jit-$pid.dump" >runtime
	"$BIN/pmerge" -q --no-host -m "$name" -p "$pid" perf.data >merged
	sort merged | comm -23 runtime - >missing
	# What was copied to memory is found where it was sampled.
	if [ "${name#compressed}" != "$name" ]; then
		cut -d' ' -f1 merged | sort >starts
		sort -k1,1 missing | join - starts >wrong
		comm -12 runtime <(sort merged) >runtime.found
		mv wrong missing
		mv runtime.found runtime
	fi
	head -5 missing
	[ "$(wc -l <runtime)" -gt 500 ] && [ ! -s missing ]
	report $? "$name: $(wc -l <runtime) methods are where the runtime had them, so spelled"
	"$BIN/psym" -q --no-host -m "$name" -m "dumps/perf-$pid.map" perf.data >named
	if [ "${name#compressed}" = "$name" ]; then
		no_frame_unnamed "$name"
		in_images <named | sort >by-data
		# Offsets in one file tell themselves; of small ones too few are sampled.
		perf script --header -i perf.data 2>/dev/null >text
		"$BIN/psym" -q --no-host -m "$name" text | in_images | sort >by-text
		[ "$name" = apart ] || same "$name: and alike in a text that tells no mappings" by-data by-text
	fi
	rm -rf dumps "$name"
}
same_as_runtime apart app
same_as_runtime composite app -p:PublishReadyToRunComposite=true
# By default those are composite, too, which takes the compiler a minute each.
plain=(-p:PublishSingleFile=true -p:PublishReadyToRunComposite=false)
same_as_runtime single app "${plain[@]}"
same_as_runtime single-web web "${plain[@]}"
same_as_runtime compressed app "${plain[@]}" -p:EnableCompressionInSingleFile=true
same_as_runtime compressed-web web "${plain[@]}" -p:EnableCompressionInSingleFile=true
finish
