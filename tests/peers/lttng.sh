#!/bin/bash
# LTTng's events as babeltrace2 prints them: of each thread as many of each name, the fields of
# some, and the order of time.  FULL=FILE is a larger archive of such a trace.
. "$TOP/tests/check.sh"
needs babeltrace2 xz perl
cd "$TMPDIR" || exit 1

# theirs DIRECTORY - "NAME TID" of each event, names as a nettrace has them.
theirs()
{
	babeltrace2 "$1" | perl -ne '
		my ($name, $tid) = /^\[[^]]*\] \([^)]*\) \S+ ([^ :]+:\S+): .*\bvtid = (\d+) \}/
			or die "not read: $_";
		if ($name eq "DotNETRuntime:EventSource") {
			my ($event) = /, EventName = "([^"]*)"/ or die;
			my ($source) = /, EventSourceName = "([^"]*)"/ or die;
			$name = "$source:$event";
		}
		$name =~ s/_V\d+$// if $name =~ s/^DotNETRuntime/Microsoft-Windows-DotNETRuntime/;
		$name =~ s/:/\//;
		print "$name $tid\n"'
}

# ours INPUT - the same by psym.
ours()
{
	"$BIN/psym" -q --no-host --no-cache "$1" |
		perl -ne 'print "$2 $1\n" if /^ *\S.*? (\d+) \[\d+\] +[\d.]+: +1 (\S+):/'
}

# one INPUT DIRECTORY NAME
one()
{
	theirs "$2" >list
	sort list | uniq -c >want
	ours "$1" >list.ours
	sort list.ours | uniq -c >got
	same "$3: events by name and thread ($(wc -l <list))" want got
	same "$3: in the same order" list list.ours
}

mkdir small && tar -xf "$TOP/fixtures/lttng10.tar.xz" -C small
one "$TOP/fixtures/lttng10.tar.xz" small "the fixture"
if [ -n "${FULL:-}" ]; then
	mkdir full && tar -xf "$FULL" -C full
	one "$FULL" full "$FULL"
fi

# Fields: sums by thread of a number, and of one in a payload that the runtime writes whole.
field()
{
	babeltrace2 small | perl -ne 'next unless / DotNETRuntime:\Q'"$1"'\E(_V\d+)?: /;
		my ($tid) = /\bvtid = (\d+) \}/; my ($n) = /\b'"$2"' = (-?\d+)/ or die; $sum{$tid} += $n;
		END { print "dotnet-11312/$_ $sum{$_}\n" for sort keys %sum }' >want
	"$BIN/pfold" -q --no-host --root=tid --event "$1" --weight "$2" small | sed '/^#/d' >got
	same "$1: sums of $2" want got
}
field AllocationSampled ObjectSize
field MethodJittingStarted MethodILSize
field MethodJitMemoryAllocatedForCode AllocatedSizeForJitCode
# MethodSize: a u32 behind three u64.
babeltrace2 small | perl -ne 'next unless / DotNETRuntime:MethodLoadVerbose_V\d+: /;
	my ($tid) = /\bvtid = (\d+) \}/; my @b; $b[$1] = $2 & 255 while /\[(\d+)\] = (-?\d+)/g;
	$sum{$tid} += $b[24] | $b[25] << 8 | $b[26] << 16 | $b[27] << 24;
	END { print "dotnet-11312/$_ $sum{$_}\n" for sort keys %sum }' >want
"$BIN/pfold" -q --no-host --root=tid --event MethodLoadVerbose --weight MethodSize small | sed '/^#/d' >got
same "MethodLoadVerbose: sums of MethodSize" want got
# The span of a collection is the time between its two events.
babeltrace2 --no-delta --clock-seconds small | perl -ne 'next unless /^\[(\d+)\.(\d+)\].* DotNETRuntime:GC(Start|End)_V\d: .*\{ Count = (\d+)/;
	my $t = $1 * 1_000_000_000 + $2; if ($3 eq "Start") { $at{$4} = $t } elsif ($at{$4}) { print $t - $at{$4}, "\n" }' |
	sort -n >want
"$BIN/pfold" -q --no-host --event GC small | sed '/^#/d' | awk '{ print $NF }' | sort -n >got
same "GC: as long as between GCStart and GCEnd" want got
finish
