#!/bin/bash
# Several maps of one process: a weaker one names the addresses that a stronger one lacks, and
# a map that is not used is reported with a reason that is true.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
mkdir calc both own
tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" -C calc

# covered MAP... - how many frames of run-time code are in a line of these maps, by another reader.
"$BIN/psym" -q --no-host -F ip,sym,dso --perf-version 6.6 calc/perf.data >addresses
covered()
{
	cat "$@" | perl -e '
		my (@line, @start, @end);
		while (<STDIN>) {
			push @line, [hex $1, hex($1) + hex $2] if /^(?:0x)?([0-9a-f]+) (?:0x)?([0-9a-f]+) /i;
		}
		for (sort { $a->[0] <=> $b->[0] } @line) {
			if (@end && $_->[0] <= $end[-1]) {
				$end[-1] = $_->[1] if $_->[1] > $end[-1];
			} else {
				push @start, $_->[0];
				push @end, $_->[1];
			}
		}
		open my $in, "<", "addresses";
		my ($n, $leaf) = (0, 1);
		while (<$in>) {
			if (!/^\t/) { $leaf = 1; next }
			my ($ip, $jit) = /^\s+([0-9a-f]+) (.*doublemapper)?/;
			if ($jit) {
				my $at = hex($ip) - !$leaf;
				my ($low, $high) = (0, scalar @start);
				while ($low < $high) {
					my $mid = int(($low + $high) / 2);
					if ($start[$mid] <= $at) { $low = $mid + 1 } else { $high = $mid }
				}
				$n++ if $low && $at < $end[$low - 1];
			}
			$leaf = $ip =~ /^f{8}/; # the kernel interrupted the next frame
		}
		print "$n\n"'
}
# named ARGUMENTS - how many frames of run-time code psym names.
named() { "$BIN/psym" --no-host "$@" calc/perf.data 2>said | grep doublemapper | grep -vc '\[unknown\]'; }

awk 'NR % 3' calc/perf-8292.map >own/perf-8292.map
awk 'NR % 3 != 1' calc/perf-8292.map >both/perf-1.map
cp own/perf-8292.map both
half=$(named -m own)
check "a map without every third line: $half" [ "$half" = "$(covered own/perf-8292.map)" ]
union=$(named -m both)
check "with another of other lines: $union" [ "$union" -gt "$half" ]
check "as many as lines of both cover" [ "$union" = "$(covered both/perf-8292.map both/perf-1.map)" ]
check "and that is reported" grep -qE 'process 8292: perf-1.map names [0-9]+ of 645 distinct JIT addresses, [0-9]+ of them alone$' said
check "no map is unused" [ "$(grep -c 'not used\|of these processes' said)" = 0 ]

# A jitdump that was written in a container and is cut off.
rm both/perf-1.map
head -c 2500000 calc/jit-8292.dump >both/jit-1.dump
perl -e 'open F, "+<", "both/jit-1.dump"; seek F, 20, 0; print F pack "L", 1'
mkdir dump && cp both/jit-1.dump dump
all=$(named -m both)
check "a dump of a container names $((all - half)) more" [ "$all" -gt "$half" ]
check "pmerge has them all" [ "$("$BIN/pmerge" -q --no-host -m both calc/perf.data >merged; covered merged)" = "$all" ]

# The same with an own map that names nine tenths: dumps of others are still asked for the rest.
awk 'NR % 15' calc/perf-8292.map >both/perf-8292.map
most=$(covered both/perf-8292.map)
check "an own map of nine tenths has its gaps filled" [ "$(named -m both)" -gt "$most" ]

# Reasons: the same lines, other functions, too few.
rm both/jit-1.dump
cp calc/perf-8292.map both
cp own/perf-8292.map part.map
named -m both -m part.map >/dev/null
check "a map of which others name all" grep -qE 'part.map: not used: other sources also name the [0-9]+ of 645 JIT addresses of process 8292 that it names$' said
cp own/perf-8292.map both
perl -pe 's/^(0x)?([0-9a-f]+)(?= )/sprintf "%s%x", $1 \/\/ "", hex($2) + 1/ie' calc/perf-8292.map >moved.map
[ "$(named -m both -m moved.map)" = "$half" ]
report $? "a map with other functions there fills no gap"
check "and that is the reason" grep -qE 'moved.map: not used: other sources have different functions at ([0-9]+) of \1 JIT addresses of process 8292$' said
head -n 400 calc/perf-8292.map >few.map
named -m few.map -m own >/dev/null
if [ "$(covered few.map)" -gt 0 ]; then
	check "a map of few addresses" grep -qE 'few.map: not used: (it names only|other sources also name the) [0-9]+ of 645' said
fi
mkdir stale
for i in $(seq 20); do cp calc/perf-8292.map stale/perf-$((i + 100000)).map; done
named -m calc -m stale >/dev/null
check "a folder of maps of other processes is not read in vain" \
	grep -q '20 perf maps not read, because their names are of processes without JIT code here: perf-1000' said
finish
