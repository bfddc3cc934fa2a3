#!/bin/bash
# How time and memory of pfold grow with the input: a text of perf script (MIX=FILE; else 60 MB of
# gen-script's) once, twice, four and eight times, each copy with pids, threads and addresses of its
# own.  User and system time and peak memory, medians of RUNS (5) in turn, on one processor.
set -u
export LC_ALL=C
runs=${RUNS:-5}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
if [ -n "${MIX:-}" ]; then
	ln -s "$(realpath "$MIX")" "$work/mix"
else
	"$BIN/peers/gen-script" 60 >"$work/mix" || exit 2
fi
taskset -pc 0 $$ >/dev/null 2>&1

# copies N - the text N times; copy K adds K * 100,000 to ids and K * 4 KiB to addresses.
copies()
{
	perl -e 'no warnings "portable";
		my ($file, $n) = @ARGV;
		for my $k (0 .. $n - 1) {
			open my $in, "<", $file or die "$file: $!\n";
			while (<$in>) {
				if (/^\s+[0-9a-f]+ /) {
					s/^(\s+)([0-9a-f]+)/$1 . sprintf("%x", hex($2) + $k * 4096)/e;
				} else {
					s{^(\S.*?\s)(\d+)(/\d+)?(\s)}{$1 . ($2 + $k * 100000) .
						(defined $3 ? "/" . (substr($3, 1) + $k * 100000) : "") . $4}e;
				}
				print;
			}
		}' "$work/mix" "$1"
}

commands=()
for n in 1 2 4 8; do
	copies "$n" >"$work/$n" || exit 2
	commands+=("$BIN/pfold" -q --no-host "$work/$n" --)
done
unset 'commands[-1]'
"$TOP/tests/peers/spent.py" "$runs" "${commands[@]}" |
	awk -v mb="$(stat -Lc %s "$work/mix")" '
		NR == 1 { time = $1; memory = $3 }
		{ n = 2 ^ (NR - 1)
		printf "pfold of %d x %.0f MB %8.3f s, %.2f of %d x the first %7.1f MB, %.2f x the first\n",
			n, mb / 1e6, $1, $1 / time / n, n, $3, $3 / memory }'
