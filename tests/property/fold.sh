#!/bin/bash
# What folding must not depend on, and sums that another program arrives at as well.
. "$TOP/tests/check.sh"
archive=$TOP/fixtures/web31.prof.tar.gz
cd "$TMPDIR" || exit 2

# fails STATUS PATTERN COMMAND... - no output, one line on standard error, that status.
fails()
{
	local status=$1 pattern=$2
	shift 2
	"$@" >out 2>err
	[ $? = "$status" ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q "$pattern" err
}

total()
{
	awk '{ s += $NF } END { printf "%.0f\n", s }' "$@"
}

"$BIN/psym" -q --no-host "$archive" >text || exit 1
"$BIN/pfold" -q --no-host text >folded
report $? 'folding the text of a real service'
[ "$(wc -l <folded)" -gt 100 ] && sort -c folded
report $? 'lines are sorted by their bytes'

"$BIN/pfold" -q --no-host "$archive" | cmp folded -
report $? 'archive and its text give the same stacks'

perl -00 -e 'srand 7; my @s = grep { !/^#/ } <>;
	for my $i (reverse 1 .. $#s) { my $j = int rand($i + 1); @s[$i, $j] = @s[$j, $i] }
	print @s' text >shuffled
! cmp -s text shuffled && "$BIN/pfold" -q --no-host shuffled | cmp folded -
report $? 'the order of samples does not matter'

# Header lines as perf prints them, "comm pid [cpu] time: PERIOD EVENT:".
periods=$(awk '!/^[ \t#]/ && match($0, /[0-9]+\.[0-9]+: +[0-9]+ +[^ ]+:/) &&
	!/PERF_RECORD/ { split(substr($0, RSTART), q, " "); s += q[2]; n++ }
	END { printf "%.0f %d\n", s, n }' text)
[ "${periods% *}" = "$(total folded)" ]
report $? "the weights add up to the periods, ${periods% *}"
"$BIN/pfold" -q --no-host --count samples text >counted
[ "${periods#* }" = "$(total counted)" ]
report $? "--count samples counts the samples, ${periods#* }"

"$BIN/pfold" -q folded | cmp folded -
report $? 'folding again changes nothing'
"$BIN/pfold" -q folded folded text >thrice
[ "$(total thrice)" = "$(awk "BEGIN { printf \"%.0f\", 3 * $(total folded) }")" ] &&
	[ "$(wc -l <thrice)" = "$(wc -l <folded)" ]
report $? 'several inputs are added up'
printf 'a;b 0.4\na;b 0.7\nb 0\n' | "$BIN/pfold" -q >sum && [ "$(cat sum)" = 'a;b 1.1' ]
report $? 'fractions are added up'

"$BIN/pfold" -q --no-host --all text | sed -E 's/_\[[ijk]\](;| [0-9]+$)/\1/g' | sort >plain
sort folded | cmp - plain
report $? '--all only appends'

mkdir in && cp folded in/one && cp text in/two && "$BIN/pfold" -q --no-host -o out.d/ in/one in/two &&
	cmp folded out.d/in/one.folded && cmp folded out.d/in/two.folded
report $? '-o DIR/ gives one output for each input'

fails 2 'no samples of event none; there are: cpu-clock' \
	"$BIN/pfold" -q --no-host --event none text
report $? 'an event that is not there'
fails 2 missing "$BIN/pfold" -q missing
report $? 'a file that is not there'
fails 2 'neither samples nor period' "$BIN/pfold" --count nothing folded
report $? 'a weight that does not exist'
printf 'a;b 0\n' >zero
fails 2 'no samples that weigh anything' "$BIN/pfold" -q zero
report $? 'nothing but weights of 0'
"$BIN/pfold" -q folded missing >part 2>err
[ $? = 1 ] && cmp folded part
report $? 'what could be read is written, with status 1'
fails 2 'No space left' "$BIN/pfold" -q -o /dev/full folded
report $? 'a full disk'
finish
