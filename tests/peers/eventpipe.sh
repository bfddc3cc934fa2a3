#!/bin/bash
# Events of .NET 10 beside a program that allocates, throws, waits and collects in numbers
# that it knows, and says.
. "$TOP/tests/check.sh"
. "$TOP/tests/dotnet.sh"
need_sdk
cd "$TMPDIR" || exit 1

cat >shop.cs <<'CS'
using System;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Threading;

[EventSource(Name = "Shop-Orders")]
sealed class Shop : EventSource
{
    public static readonly Shop Log = new Shop();
    Shop() : base(EventSourceSettings.ThrowOnEventWriteErrors) { }
    [Event(1)] public void Placed(string item, int amount, double price, bool gift) { WriteEvent(1, item, amount, price, gift); }
    [Event(2)] public void PackStart(int order) { WriteEvent(2, order); }
    [Event(3)] public void PackStop(int order) { WriteEvent(3, order); }
}

class Leaf { public long A = 1, B = 2, C = 3, D = 4; }
class OrderException : Exception { }

static class Run
{
    static object kept;
    static readonly object gate = new object();
    static volatile bool taking;

    static void Strings(int n) { for (int i = 0; i < n; i++) kept = new string('x', 489); } // 1,000 bytes
    static void Arrays(int n) { for (int i = 0; i < n; i++) kept = new int[1244]; }          // 5,000 bytes
    static void Leaves(int n) { for (int i = 0; i < n; i++) kept = new Leaf(); }             // 48 bytes
    static void Throw(int n) { for (int i = 0; i < n; i++) try { throw new OrderException(); } catch (OrderException) { } }
    static void Argue(int n) { for (int i = 0; i < n; i++) try { throw new ArgumentException("no"); } catch (ArgumentException) { } }

    // The lock is held until its taker waits, and 20 ms longer.
    static void Hold(Thread taker, ManualResetEventSlim held)
    {
        lock (gate)
        {
            held.Set();
            while (!taking || (taker.ThreadState & System.Threading.ThreadState.WaitSleepJoin) == 0) Thread.Sleep(1);
            Thread.Sleep(20);
        }
    }
    static void Take() { lock (gate) kept = null; }
    static double Contend(int n)
    {
        var taken = new Stopwatch();
        var main = Thread.CurrentThread;
        for (int i = 0; i < n; i++)
        {
            var held = new ManualResetEventSlim();
            var t = new Thread(() => Hold(main, held));
            taking = false;
            t.Start();
            while (!held.IsSet) Thread.Sleep(1);
            taking = true;
            taken.Start();
            Take();
            taken.Stop();
            t.Join();
        }
        return taken.Elapsed.TotalMilliseconds * 1e6;
    }
    static void Wait(int n) { var never = new AutoResetEvent(false); for (int i = 0; i < n; i++) never.WaitOne(30); }
    static void Collect(int n) { for (int i = 0; i < n; i++) GC.Collect(); }
    static void Orders(int n)
    {
        for (int i = 0; i < n; i++)
        {
            Shop.Log.PackStart(i);
            Shop.Log.Placed("tea", i, 1.5, i % 2 == 0);
            Shop.Log.PackStop(i);
        }
    }
    // More work that waits than the pool has threads, until it has made one more.
    static void Starve()
    {
        int began = 0, n = Environment.ProcessorCount + 2;
        var go = new ManualResetEvent(false);
        ThreadPool.SetMinThreads(1, 1);
        for (int i = 0; i < n; i++) ThreadPool.QueueUserWorkItem(_ => { Interlocked.Increment(ref began); go.WaitOne(); });
        while (Volatile.Read(ref began) < n) Thread.Sleep(10);
        go.Set();
    }
    static void Main()
    {
        Strings(2000); Arrays(1000); Leaves(50000);
        Throw(37); Argue(11);
        Console.WriteLine("contended " + (long)Contend(7));
        Wait(3); Collect(5); Orders(9); Starve();
    }
}
CS
runtime=$(find "$(dirname "$(readlink -f "$(command -v dotnet)")")/shared/Microsoft.NETCore.App" \
	-maxdepth 1 -name '10.*' | sort -V | tail -n 1)
compile shop.dll "$runtime" -- shop.cs || cannot 'the program does not compile'
echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}' \
	>shop.runtimeconfig.json
# GC, JIT, contention, exceptions, threading and waits, with all details.
DOTNET_EnableEventPipe=1 DOTNET_EventPipeOutputPath=$PWD/shop.nettrace DOTNET_GCgen0size=0x8000000 \
	DOTNET_EventPipeConfig=Microsoft-Windows-DotNETRuntime:0x4000001C011:5,Shop-Orders:0:5 \
	dotnet exec --runtimeconfig shop.runtimeconfig.json shop.dll >said || cannot 'the program was not recorded'

fold() { "$BIN/pfold" -q --no-host --event "$@" shop.nettrace; }
# weight PATTERN - the sum of the stacks that match, from standard input.
weight() { awk -v p="$1" '$0 ~ p { n += $NF } END { printf "%.0f\n", n }'; }
# near NAME WANT GOT LEAST MOST - GOT - WANT is from LEAST to MOST.
near()
{
	local d=$(($3 - $2))
	[ $d -ge "$4" ] && [ $d -le "$5" ]
	report $? "$1: $3, $d more than $2"
}

# A tick comes after 100 KiB and the allocation context of 8 KiB in which they end.
tick=$((108 * 1024))
fold GCAllocationTick >ticks
check "the unit is bytes" grep -q '^# pfold event=GCAllocationTick samples=[0-9]* .*unit=bytes$' ticks
near 'bytes of strings' 2000000 "$(weight ';Run::Strings_.*;\\[System.String\\] ' <ticks)" -$tick $tick
near 'bytes of arrays' 5000000 "$(weight ';Run::Arrays_.*;\\[System.Int32\\[\\]\\] ' <ticks)" -$tick $tick
near 'bytes of objects' 2400000 "$(weight ';Run::Leaves_.*;\\[Leaf\\] ' <ticks)" -$tick $tick

fold Exception >thrown
check "the unit is events" grep -q '^# pfold event=Exception samples=48 .*unit=events$' thrown
near 'exceptions of the program' 37 "$(weight ';Run::Throw_.*;\\[OrderException\\] ' <thrown)" 0 0
near 'exceptions of the framework' 11 "$(weight ';Run::Argue_.*;\\[System.ArgumentException\\] ' <thrown)" 0 0

fold Contention >contended
check "each contention has a beginning and an end" grep -q '^# pfold event=Contention samples=7 .*unit=ns$' contended
took=$(weight ';Run::Contend_.*;Run::Take_' <contended)
near 'contention lasts as long as the lock is held' 140000000 "$took" 0 1000000000000
check "and no longer than the program has measured" [ "$took" -le "$(sed -n 's/contended //p' said)" ]
near 'waits for a handle' 90000000 "$(fold Wait | weight ';Run::Wait_')" -1000000 1000000000000

fold GC >collected
check "five collections, and who asked for them" grep -q '^dotnet;\[gen2 Induced\] [1-9][0-9]*$' collected
check "no other" grep -q '^# pfold event=GC samples=5 .*unit=ns$' collected
# Marks beside a table by second are these spans.
fold GCAllocationTick --by-second >seconds
check "a mark for each collection and suspension" [ "$(grep -c '^# pfold mark .*\[GC gen2 Induced\]$' seconds)" = 5 ]
near 'marks last as long, in us' "$(weight . <collected | sed 's/...$//')" \
	"$(sed -n 's/^# pfold mark from=\(.*\) to=\(.*\) \[GC .*/\1 \2/p' seconds | awk '{ n += $2 - $1 } END { printf "%.0f", n * 1e6 }')" -5 5

fold Suspension >suspended
check "threads stand still at least as long" [ "$(weight '.' <suspended)" -ge "$(weight '.' <collected)" ]
check "where the collections were asked for" [ "$(fold GCTriggered | weight ';Run::Collect_.*;System.GC::Collect')" = 5 ]

fold JIT >compiled
for method in Main Strings Arrays Leaves Throw Argue Contend Take Hold Wait Collect Orders Starve; do
	grep -q "\\[Run::$method\\] [1-9][0-9]*\$" compiled || echo "Run::$method"
done >lacking
check "each method of the program was compiled" [ ! -s lacking ]
check "starving threads of the pool" [ "$(fold Starvation | weight '.')" -ge 1 ]

for event in Placed PackStart Shop-Orders/PackStop; do
	near "events of the program, $event" 9 "$(fold $event | weight ';Run::Orders_.*;Shop::')" 0 0
done
near 'a field of theirs' 36 "$(fold Placed --weight amount | weight ';Run::Orders_.*;Shop::')" 0 0
"$BIN/pfold" -q --no-host --weight-of Shop-Orders/PackStart..Shop-Orders/PackStop shop.nettrace >packed
check "the time between two of them" grep -q '^# pfold event=.* samples=9 .*unit=ns$' packed
"$BIN/pfold" -q --no-host --list-events shop.nettrace >list
check "the list counts them" grep -q '^9	9	[0-9.]*	[0-9.]*	Shop-Orders/Placed	-$' list
check "and names what folds the others" grep -q '^48	48	.*/ExceptionThrown	Exception$' list
"$BIN/psym" -q --no-host --list-events shop.nettrace >got
same "psym lists the same" list got
# An EventSource that describes its events itself writes a bool in one byte, and calls it the same.
cat >flags.cs <<'CS'
using System.Diagnostics.Tracing;

[EventSource(Name = "Shop-Flags")]
sealed class Flags : EventSource
{
    public static readonly Flags Log = new Flags();
    Flags() : base(EventSourceSettings.EtwSelfDescribingEventFormat) { }
    [Event(1)] public void Wrapped(bool gift, int amount) { WriteEvent(1, gift, amount); }
    static void Main() { for (int i = 0; i < 9; i++) Log.Wrapped(i % 3 == 0, 1000 + i); }
}
CS
compile flags.dll "$runtime" -- flags.cs || cannot 'the program does not compile'
DOTNET_EnableEventPipe=1 DOTNET_EventPipeOutputPath=$PWD/shop.nettrace \
	DOTNET_EventPipeConfig=Shop-Flags:0:5 \
	dotnet exec --runtimeconfig shop.runtimeconfig.json flags.dll || cannot 'the program was not recorded'
check "a bool of one byte" [ "$(fold Wrapped --weight gift | weight .)" = 3 ]
check "the field behind it" [ "$(fold Wrapped --weight amount | weight .)" = 9036 ]
finish
