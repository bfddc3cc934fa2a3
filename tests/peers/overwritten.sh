#!/bin/bash
# .NET 10 writes lines of its perf map from memory that it gave back, where a type's name is
# not ASCII.  Whole lines that begin inside of such lines are read: what the map then says, a
# nettrace of the same run says, too.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
needs perf perl
need_sdk
cd "$TMPDIR" || exit 1

cat >app.cs <<'END_CS'
using System;
using System.Diagnostics;
using System.Linq;
using System.Runtime.CompilerServices;

namespace Größe
{
    public class Übung<T>
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public long Läuft(T x, int n) { long s = 0; for (int i = 0; i < n; i++) s = s * 31 + i ^ x.GetHashCode(); return s; }
        [MethodImpl(MethodImplOptions.NoInlining)]
        public long Zählt(int n) { long s = 1; for (int i = 0; i < n; i++) s = s * 17 + i; return s; }
    }
}

static class Plain
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    static long A(int n) { long s = 1; for (int i = 0; i < n; i++) s = s * 7 + i; return s; }

    static void Main()
    {
        long sum = 0;
        var clock = Stopwatch.StartNew();
        var first = new Größe.Übung<string>();
        var second = new Größe.Übung<int>();
        while (clock.ElapsedMilliseconds < 2000)
        {
            sum += first.Läuft("x", 2000) + second.Läuft(3, 2000) + A(2000);
            sum += first.Zählt(2000) + second.Zählt(2000) + A(2000);
            sum += Enumerable.Range(0, 50).Select(i => i * 3).Where(i => i % 2 == 0).Sum();
        }
        Console.WriteLine(sum);
    }
}
END_CS
runtime=$(dirname "$(readlink -f "$(command -v dotnet)")")/shared/Microsoft.NETCore.App
runtime=$(find "$runtime" -maxdepth 1 -name '10.*' | sort -V | tail -n 1)
compile app.dll "$runtime" -- app.cs || cannot 'the program does not compile'
echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' \
	>app.runtimeconfig.json
DOTNET_PerfMapEnabled=3 DOTNET_PerfMapJitDumpPath=$PWD DOTNET_EnableEventPipe=1 \
	DOTNET_EventPipeOutputPath=$PWD/run.nettrace \
	DOTNET_EventPipeConfig=Microsoft-Windows-DotNETRuntime:0x10:5 \
	perf record -q -F 999 -g -k mono -o perf.data \
	dotnet exec --runtimeconfig app.runtimeconfig.json app.dll >record.log 2>&1
map=$(find . -maxdepth 1 -name 'perf-*.map')
check "the runtime wrote its perf map" [ -s "$map" ]
if ! perl -ne '$bad = 1 unless /^(0x)?[0-9a-f]+ [0-9a-f]+ ./i; END { exit !$bad }' "$map"; then
	cannot 'this runtime overwrites nothing'
fi

"$BIN/psym" --no-host --coverage -m "$map" perf.data 2>said >named
check "the damage is said" grep -qE 'perf-[0-9]+.map:[0-9]+: [0-9]+ lines? (is|are) damaged, but [0-9]+ whole' said
check "and is the reason given" grep -q 'unnamed: no undamaged line of its map contains these addresses' said

# Only whole lines, as another reader of lines has them; a stub inside of a block of stubs
# is no second name.
perl -ne 'print "$1 $2\n" if /^0x([0-9a-f]+) [0-9a-f]+ (?!stub )([ -~]+)$/' "$map" | sort -u >whole
perl -ne 'print "$1 $2\n" if !/^0x[0-9a-f]+ [0-9a-f]+ / && /0x([0-9a-f]{12}) [0-9a-f]+ (?!stub )([ -~]+)$/' "$map" |
	sort -u >inside
check "whole lines are inside of damaged ones: $(wc -l <inside)" [ -s inside ]
"$BIN/pmerge" -q --no-host -m "$map" perf.data |
	sed -E 's/^0*([0-9a-f]+) [0-9a-f]+ /\1 /' | sort -u >merged
check "all are read" [ -z "$(sort -u whole inside | comm -23 - merged | head -n 3 | tee lost)" ]
cat lost

# Names without parameters and tiers, by address, as the nettrace has them.
plain() { perl -ne 'print "$1 $2\n" if /^0*([0-9a-f]+) .*?([A-Za-z.+`0-9]+(?:\[[^]]*\])?::[.A-Za-z_<>0-9]+)[(\[]/' | sort -u; }
"$BIN/pmerge" -q --no-host -m run.nettrace perf.data | sed -E 's/^([0-9a-f]+) [0-9a-f]+ /\1 /' | plain >trace
plain <inside >methods
check "methods among them: $(wc -l <methods)" [ -s methods ]
join methods trace | awk '$2 != $3 { print; bad = 1 } { n++ } END { exit bad || !n }'
report $? "each is what the nettrace says: $(join methods trace | wc -l)"
finish
