#!/bin/bash
# The runtime uses the addresses of collected dynamic methods again.  A nettrace tells when
# each was loaded: its own samples, and those of a perf.data with the same clock, have the
# name of then.  Sixty methods, one after the other, each of which says when it ran.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
needs perf perl
need_sdk
cd "$TMPDIR" || exit 1

cat >churn.cs <<'END'
using System;
using System.Diagnostics;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

static class Churn
{
    // While one method lives, its heap stays, and what others had there is used again.
    static Action keeper;

    static void KeepHeap()
    {
        var method = new DynamicMethod("Keeper", null, null, typeof(Churn).Module);
        method.GetILGenerator().Emit(OpCodes.Ret);
        keeper = (Action)method.CreateDelegate(typeof(Action));
        keeper();
    }

    // A method of its own for each phase: it spins until its time is over.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void RunPhase(int n)
    {
        var method = new DynamicMethod("Phase" + n.ToString("00"), typeof(long),
            new[] { typeof(long) }, typeof(Churn).Module);
        var il = method.GetILGenerator();
        var top = il.DefineLabel();
        var sum = il.DeclareLocal(typeof(long));
        il.MarkLabel(top);
        for (int i = 0; i < 200; i++)
        {
            il.Emit(OpCodes.Ldloc, sum);
            il.Emit(OpCodes.Ldc_I4, 7 + i);
            il.Emit(OpCodes.Conv_I8);
            il.Emit(OpCodes.Mul);
            il.Emit(OpCodes.Ldc_I4_1);
            il.Emit(OpCodes.Conv_I8);
            il.Emit(OpCodes.Add);
            il.Emit(OpCodes.Stloc, sum);
        }
        il.Emit(OpCodes.Call, typeof(Stopwatch).GetMethod("GetTimestamp"));
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Blt, top);
        il.Emit(OpCodes.Ldloc, sum);
        il.Emit(OpCodes.Ret);
        var run = (Func<long, long>)method.CreateDelegate(typeof(Func<long, long>));
        long end = Stopwatch.GetTimestamp() + Stopwatch.Frequency / 20;
        run(Stopwatch.GetTimestamp());
        long begin = Stopwatch.GetTimestamp();
        run(end);
        Console.WriteLine("Phase{0:00} {1} {2}", n, begin, Stopwatch.GetTimestamp());
    }

    static void Main()
    {
        KeepHeap();
        for (int n = 0; n < 60; n++)
        {
            RunPhase(n);
            for (int i = 0; i < 3; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
        keeper();
    }
}
END
runtime=$(dirname "$(readlink -f "$(command -v dotnet)")")/shared/Microsoft.NETCore.App
runtime=$(find "$runtime" -maxdepth 1 -name '10.*' | sort -V | tail -n 1)
compile churn.dll "$runtime" -- churn.cs || cannot 'the program does not compile'
echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' \
	>churn.runtimeconfig.json

# record CLOCK - a run with a nettrace and a perf.data.
record()
{
	DOTNET_PerfMapEnabled=3 DOTNET_PerfMapJitDumpPath=$PWD DOTNET_EnableEventPipe=1 DOTNET_EventPipeOutputPath=$PWD/run.nettrace \
		DOTNET_EventPipeConfig=Microsoft-DotNETCore-SampleProfiler:0:5,Microsoft-Windows-DotNETRuntime:0x10:5 \
		perf record -q -F 999 -g "$@" -o perf.data \
		dotnet exec --runtimeconfig churn.runtimeconfig.json churn.dll >phases 2>record.log
	[ -s run.nettrace ] && [ -s perf.data ] && [ "$(grep -c '^Phase' phases)" = 60 ]
}
record -k mono
report $? "60 phases were recorded"

# right TEXT - samples in the middle of a phase: how many have its name, another, or none.
right()
{
	perl -e '
		open P, "<", "phases";
		while (<P>) { my ($name, $from, $to) = split; push @phase, [ $name, $from, $to ]; }
		open T, "<", $ARGV[0];
		while (<T>) { $places{$1} = 1 if /^\s*(\S+)\S{3} .*Phase\d\d/ }
		local $/ = "";
		open T, "<", $ARGV[0];
		while (<T>) {
			my ($head, @frames) = split /\n/;
			next unless $head =~ / (\d+)\.(\d+): /;
			my $time = $1 * 1e9 + substr($2 . "000000000", 0, 9);
			my ($phase) = grep { $time > $$_[1] + 2e6 && $time < $$_[2] - 2e6 } @phase;
			next unless $phase;
			my ($found) = map { /(Phase\d\d)/ ? $1 : () } @frames;
			# A leaf that has not set up its frame yet hides its caller.
			my ($below) = grep { $frames[$_] =~ /RunPhase/ } 0 .. $#frames;
			# Stubs, which no event tells of, lie in other pages than methods.
			next unless $found || ($below && $frames[$below - 1] =~ /^\s*(\S+)\S{3} \[unknown\]/ && $places{$1});
			$n{ !$found ? "unnamed" : $found eq $$phase[0] ? "right" : "wrong" }++;
		}
		printf "%d right, %d wrong, %d unnamed\n", $n{right} // 0, $n{wrong} // 0, $n{unnamed} // 0;
		exit !($n{right} > 100 && !$n{wrong} && !$n{unnamed})' "$1" >counted
}
"$BIN/psym" -q --no-host --ns run.nettrace >trace.text
right trace.text
places=$(grep 'Phase[0-9][0-9]' trace.text | awk '{ print substr($1, 1, length($1) - 3) }' | sort -u | wc -l)
check "addresses are used again: $places places for 60 methods" [ "$places" -lt 30 ]
right trace.text
report $? "samples of the trace: $(cat counted)"
"$BIN/psym" --no-host --ns -m run.nettrace perf.data >perf.text 2>said
right perf.text
report $? "samples of perf.data, CLOCK_MONOTONIC: $(cat counted)"

# The perf map has all the names and no times.
map=$(find . -maxdepth 1 -name 'perf-*.map')
check "the runtime wrote its perf map" [ -s "$map" ]
"$BIN/psym" --no-host --coverage -m "$map" perf.data 2>said >map.text
check "a perf map alone: the share of samples of which it cannot tell" \
	grep -qE 'perf-[0-9]+.map: [0-9]+ of [0-9]+ samples .* several names' said
named=$(grep -o 'Phase[0-9][0-9]' map.text | sort -u | wc -l)
check "it has the last names alone: $named of 60" [ "$named" -gt 0 -a "$named" -lt 60 ]
"$BIN/psym" -q --no-host --ns -F +guess -m "$map" perf.data >marked.text
right marked.text
check "its names are wrong: $(cat counted)" grep -q '[1-9][0-9]* wrong' counted
grep -v ' \[guess\]$' marked.text >sure.text
right sure.text
check "-F +guess marks all of them" grep -q ' 0 wrong' counted
"$BIN/psym" --no-host --ns --strict -m "$map" perf.data >strict.text 2>said
perl -pe 's/^(\s+\w+ ).* (\(\/memfd:doublemapper \(deleted\)\)) \[guess\]$/$1\[unknown\] $2/' marked.text >want.text
same "--strict prints [unknown] instead of each" want.text strict.text
check "the summary counts the guesses" grep -qE ', [0-9]+ guesses left unnamed' said
"$BIN/psym" --no-host --ns -m "$map" -m run.nettrace perf.data >both.text 2>said
right both.text
report $? "perf map and nettrace: $(cat counted)"
! grep -q 'several names' said
report $? "nothing is left to guess"
rm "$map"

# Another clock: which one it was are ambiguous, and that is said.
record
"$BIN/psym" --no-host -m run.nettrace perf.data 2>said >/dev/null
check "another clock is said" grep -q 'held several methods over time.*another clock than .*nettrace' said
finish
