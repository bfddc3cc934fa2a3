#!/bin/bash
# Fresh runs of .NET 10, each against its own rundown: what the perf map of the run and the
# images of the framework name is what the runtime itself says lay there (run.nettrace).
# RUNDOWN_SECONDS=N makes each of the two runs longer than 2 seconds.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
needs perf perl
need_sdk
cd "$TMPDIR" || exit 1
perf record -q -o try.data true 2>/dev/null || cannot 'perf may not record'

cat >run.cs <<'END'
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection.Emit;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

interface IShape { double Area(); }
struct Square : IShape { public double Side; public double Area() { return Side * Side; } }
class Circle : IShape { public double Radius; public double Area() { return Math.PI * Radius * Radius; } }
class Größe<T> where T : IComparable<T>
{
    readonly List<T> all = new List<T>();
    public void Füge(T item) { all.Add(item); all.Sort(); if (all.Count > 50) all.RemoveAt(0); }
}

static class Run
{
    static double Sum(IEnumerable<IShape> shapes) { return shapes.Select(s => s.Area()).Where(a => a > 1).Sum(); }
    static string Json(int n)
    {
        return JsonSerializer.Serialize(Enumerable.Range(0, n).Select(i => new { Id = i, Name = "n" + i }).ToArray());
    }
    static int Parse(string json)
    {
        using (var d = JsonDocument.Parse(json)) return d.RootElement.GetArrayLength();
    }
    static readonly Regex words = new Regex("(a|b)+c|[a-z]{3,}\\d", RegexOptions.Compiled);
    static async Task<int> Later(int n) { await Task.Yield(); return n > 0 ? await Later(n - 1) + 1 : Spin(300); }
    static int Spin(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 31 + i; return s; }
    static IEnumerable<int> Steps(int n) { for (int i = 0; i < n; i++) yield return Spin(i); }
    static Func<int, int> Dynamic(int n)
    {
        var m = new DynamicMethod("Made" + n, typeof(int), new[] { typeof(int) }, typeof(Run).Module);
        var il = m.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        for (int i = 0; i < 400; i++) { il.Emit(OpCodes.Ldc_I4, i + n); il.Emit(OpCodes.Mul); il.Emit(OpCodes.Ldc_I4_1); il.Emit(OpCodes.Add); }
        il.Emit(OpCodes.Ret);
        return (Func<int, int>)m.CreateDelegate(typeof(Func<int, int>));
    }
    static void Main(string[] args)
    {
        var end = DateTime.UtcNow.AddSeconds(double.Parse(args[0]));
        var shapes = Enumerable.Range(1, 200).Select(i => i % 2 == 0 ? (IShape)new Square { Side = i } : new Circle { Radius = i }).ToList();
        var sizes = new Größe<string>();
        var made = Enumerable.Range(0, 30).Select(Dynamic).ToList();
        for (int k = 0; DateTime.UtcNow < end; k++)
        {
            Sum(shapes);
            Parse(Json(60));
            words.Matches(new string('a', 80) + "babac xyz12").Count.ToString();
            Later(12).Wait();
            Parallel.For(0, 4, i => Spin(2000));
            foreach (int n in Steps(60)) sizes.Füge(n.ToString("x"));
            made[k % 30](k);
            try { if (k % 50 == 0) throw new InvalidOperationException("k"); } catch (InvalidOperationException) { }
            Encoding.UTF8.GetBytes(string.Join(",", Enumerable.Range(0, 100).OrderBy(x => -x)));
        }
    }
}
END
runtime=$(find "$(dirname "$(readlink -f "$(command -v dotnet)")")/shared/Microsoft.NETCore.App" \
	-maxdepth 1 -name '10.*' | sort -V | tail -n 1)
compile run.dll "$runtime" -- run.cs || cannot 'the program does not compile'
echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' \
	>run.runtimeconfig.json

# record DIR - perf.data, perf-PID.map and run.nettrace of a run.
record()
{
	mkdir "$1"
	DOTNET_PerfMapEnabled=3 DOTNET_PerfMapJitDumpPath=$PWD/$1 DOTNET_EnableEventPipe=1 \
		DOTNET_EventPipeOutputPath=$PWD/$1/run.nettrace \
		DOTNET_EventPipeConfig=Microsoft-Windows-DotNETRuntime:0x10:5 \
		perf record -q -F 1999 -g -k mono -o "$1/perf.data" \
		dotnet exec --runtimeconfig run.runtimeconfig.json run.dll "${RUNDOWN_SECONDS:-2}" >"$1/log" 2>&1
	[ -s "$1/run.nettrace" ] && [ -n "$(find "$1" -name 'perf-*.map')" ]
}

# Types and methods, without return types, parameters and tiers, which maps and events spell
# in their own ways.
cat >compare.pl <<'END'
sub frames
{
	open my $in, '<', $_[0] or die;
	return map { /^\t *[0-9a-f]+ (.*)\+0x[0-9a-f]+ \((.*)\)$/ ? [ $1, $2 ] : /^\t/ ? [] : () } <$in>;
}
sub key { $_[0] =~ /(\[[^\]]+\] \S+::.*?)\(/ ? $1 : $_[0] }
my ($want, $got) = map { [ frames($_) ] } @ARGV;
my ($same, $wrong, $lacking) = (0, 0, 0);
die "not as many frames" if @$want != @$got;
for my $i (0 .. $#$want) {
	my ($w, $g) = ($$want[$i][0], $$got[$i][0]);
	next unless $w =~ /::/ && $$want[$i][1] =~ /dll$|memfd|perf-/;
	if (!$g) { $lacking++ }
	elsif (key($w) eq key($g)) { $same++ }
	else { $wrong++ < 3 and print "$w | $g\n" }
}
print "$same right, $wrong wrong, $lacking unnamed\n";
exit !($same > 1000 && !$wrong);
END
names() { "$BIN/psym" -q --no-host --no-inline "$@"; }
compare()
{
	names -m "$1/run.nettrace" "$1/perf.data" >want
	names -m "$runtime" "${@:2}" "$1/perf.data" >got
	perl compare.pl want got >compared
}

for run in first second; do
	record $run || cannot 'the run was not recorded'
	compare $run -m "$(find $run -name 'perf-*.map')"
	report $? "$run run: $(tail -n 1 compared)"
	grep ' | ' compared
done
map=$(find first -name 'perf-*.map')
awk '{ at = $1 " " $2; sub(/^[^ ]+ [^ ]+ /, ""); if (NR > 1) print was, $0; was = at }' "$map" >moved
mv moved "$map"
compare first -m "$map"
wrong=$(sed -n 's/.* \([0-9]*\) wrong.*/\1/p' compared)
check "a map with each name at its neighbour shows: $(tail -n 1 compared)" [ "$wrong" -gt 100 ]
finish
