#!/bin/bash
# What `go tool pprof` reads in a profile of pfold's: values, depth and names are those of
# the fold.  Debian's google-pprof is another program, and does not read the format.
. "$TOP/tests/check.sh"
needs perl python3
pprof=$(compgen -G '/usr/lib/go-1.*/pkg/tool/*/pprof' | head -n 1)
[ -n "$pprof" ] || { echo 'golang-1.19-go is not installed'; exit 77; }
cd "$TMPDIR" || exit 2
export HOME=$TMPDIR

# The format has no marks of frames, so stacks that differ by marks alone are one.
by_stack()
{
	perl -ne '/^(.*) (\d+)$/ and $n{$1} += $2; END { print "$_ $n{$_}\n" for sort keys %n }'
}

# as_folded NAME OPTION... - the stacks of both ways, in NAME.fold and NAME.pprof.
as_folded()
{
	local name=$1
	shift
	"$BIN/pfold" -q --no-host "$@" >"$name.lines" &&
		"$BIN/pfold" -q --no-host --to pprof -o "$name.pb.gz" "$@" &&
		"$pprof" -raw "$name.pb.gz" >"$name.raw" 2>"$name.err" &&
		python3 "$TOP/tests/peers/pprof.py" "$name.raw" >"$name.pprof" 2>"$name.counts"
	by_stack <"$name.pprof" >"$name.sums"
	mv "$name.sums" "$name.pprof"
	grep -v '^# pfold' "$name.lines" | sed -E 's/_\[[kijrw]\]//g' | by_stack >"$name.fold"
}

compare()
{
	as_folded "$@"
	same "$1: pprof has the stacks of the fold" "$1.fold" "$1.pprof"
}

# says NAME WHAT - its counts say that there is some of it.
says()
{
	grep -q " $2=[1-9]" "$1.counts" || grep -q "^$2=[1-9]" "$1.counts"
	report $? "$1: pprof is told $2"
}

for name in web31 web10 calc10 calc31 sarif8 java node stacks; do
	compare "$name" "$TOP/fixtures/$name.prof.tar.gz"
	says "$name" threads
	says "$name" processes
done
says web31 build-ids
compare native --member dwarf.perf.data "$TOP/fixtures/native.prof.tar.gz"
for what in lines inlined; do
	says native "$what"
done
compare nettrace "$TOP/fixtures/nettrace/calc10-v6.nettrace.xz"
compare plain --no-marks "$TOP/fixtures/web31.prof.tar.gz"
compare samples --count samples "$TOP/fixtures/web31.prof.tar.gz"
compare threads --root=tid "$TOP/fixtures/web10.prof.tar.gz"
compare folded plain.lines
compare bpf "$TOP/fixtures/bpf/offcputime.txt"
for text in "$TOP"/fixtures/traps/*.txt; do
	name=$(basename "$text" .txt)
	# What is not UTF-8 cannot stand in the format.
	iconv -f UTF-8 -t UTF-8 "$text" >/dev/null 2>&1 || continue
	"$BIN/pfold" -q --no-host "$text" >/dev/null 2>&1 || continue
	as_folded "$name" "$text" && cmp "$name.fold" "$name.pprof" || echo "$name" >>differ
done
[ ! -e differ ]
report $? 'every text gives the same stacks'

"$pprof" -top -nodecount=1 web31.pb.gz >top 2>err
grep -q '^Type: cpu$' top && grep -q '9.30s 71.46% .*WebApi.Forecaster::Spin' top
report $? 'pprof -top shows time'
"$pprof" -top -nodecount=1 native.pb.gz 2>err | grep -q '^File: grind$'
report $? 'pprof names the program'
printf 'a;b \377 1.4\na;c 0.4\na;d 0.4\nbig 18446744073709551615\n' >odd
"$BIN/pfold" -q --to pprof odd -o odd.pb.gz && "$pprof" -raw odd.pb.gz >odd.raw 2>err &&
	python3 "$TOP/tests/peers/pprof.py" odd.raw >odd.pprof 2>err
[ "$(awk '{ s += $NF } END { printf "%.0f", s }' odd.pprof)" = 9223372036854775808 ] && grep -q 'b \\xff' odd.pprof
report $? 'odd names and greatest values are read'
status 'a table is no format' 2 "$BIN/pfold" --to pprof --top odd 2>err
status 'an unknown format' 2 "$BIN/pfold" --to pdf odd 2>err
finish
