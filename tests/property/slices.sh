#!/bin/bash
# Slices of a fold: together they are the whole, whatever the profile's format is.
. "$TOP/tests/check.sh"
needs perl
export LC_ALL=C
cd "$TMPDIR" || exit 2
web=$TOP/fixtures/web31.prof.tar.gz

# fails PATTERN OPTION... - no output, one line on standard error, status 2.
fails()
{
	local pattern=$1
	shift
	"$BIN/pfold" -q --no-host "$@" >out 2>err
	[ $? = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q -e "$pattern" err
	report $? "pfold $*: $pattern"
}

# alike FILE - standard input has the stacks and weights of FILE.
alike() { cmp <(timeless "$1") <(timeless); }

fold() { "$BIN/pfold" -q --no-host "$@"; }

# In one output the slices' names stand in front of the stacks.
unsliced() { sed -E '1s/by-second //; 1s/ slots=[0-9]+//; s/^[0-9.]+;//'; }

# parts DIR - the files of its slices, and that there are several.
parts()
{
	find "$1" -type f | sort >list
	[ "$(wc -l <list)" -ge 2 ] && [ -z "$(grep -vE '/[0-9]{6}[.]folded$' list)" ]
}

tar -xzf "$web" || exit 1
find . -name perf.data -type f -exec cp {} web31.data \;
"$BIN/psym" -q --no-host "$web" >text
for input in "$web" web31.data text "$TOP/fixtures/nettrace/calc10-v6.nettrace.xz"; do
	name=$(basename "$input")
	fold "$input" >whole
	for slice in 1s 333333us 100; do
		rm -rf sliced
		fold --every "$slice" -o sliced/ "$input" && parts sliced && xargs "$BIN/pfold" -q <list | alike whole
		report $? "files of --every $slice of $name are the whole"
		fold --every "$slice" "$input" | unsliced | fold | alike whole
		report $? "roots of --every $slice of $name are the whole"
		# Each file has the stacks below its root in the one output.
		fold --every "$slice" "$input" >one
		while read -r file; do
			number=$(basename "$file" .folded)
			sed -n "s/^$number;//p" one | cmp -s - <(sed '/^#/d' "$file") || echo "$number"
		done <list >unlike
		[ ! -s unlike ]
		report $? "--every $slice of $name has the same in files and roots"
	done
	fold --by-second "$input" | unsliced | fold | alike whole
	report $? "--by-second of $name is the whole"
done

fold "$web" --every 1s >want
fold --every 1s text | cmp want - && "$BIN/psym" -q --no-host --ns "$web" | fold --every 1s | cmp want -
report $? 'text in microseconds and in nanoseconds has the slices of its perf.data'
fold --by-second=7 "$web" >want && fold --by-second=7 text | cmp want -
report $? 'text has the table by second of its perf.data'
perl -00 -e 'srand 7; my @s = grep { !/^#/ } <>;
	for my $i (reverse 1 .. $#s) { my $j = int rand($i + 1); @s[$i, $j] = @s[$j, $i] }
	print @s' text >shuffled
! cmp -s text shuffled && fold --by-second=7 shuffled | cmp want -
report $? 'the order of samples does not matter to slices of time'

# A table by second counts samples as awk does, from their times alone.
awk '!/^[ \t#]/ && match($0, /[0-9]+\.[0-9]+:/) {
		split(substr($0, RSTART, RLENGTH - 1), t, ".")
		if (!n++ || t[1] < first) first = t[1]
		count[t[1] "." sprintf("%02d", int(substr(t[2] "000000", 1, 6) / 20000) * 2)]++
	}
	END { for (k in count) { split(k, t, "."); print t[1] - first "." t[2], count[k] } }' text | sort >want
fold --count samples --by-second text | awk -F ';' '!/^#/ { n = split($0, w, " "); s[$1] += w[n] }
	END { for (k in s) print k, s[k] }' | sort >got
same 'each slot has the samples of its time' want got

# What selects samples selects them in slices as well.
fold --time '0%-40%' "$web" >want && fold --time '0%-40%' --by-second "$web" | unsliced | fold | cmp want -
report $? '--time and slices'
fold --skip-after=start_thread "$web" >want
fold --skip-after=start_thread --every 1s "$web" | unsliced | fold | cmp want -
report $? '--skip-after and slices in one output'
rm -rf sliced
fold --skip-after=start_thread --every 1s -o sliced/ "$web" && parts sliced && xargs "$BIN/pfold" -q <list | alike want
report $? '--skip-after and slices in files'

# Each slice has its part of the time off the CPU.
off=$TOP/fixtures/offcpu10.prof.tar.gz
"$BIN/psym" -q --no-host --ns "$off" >off.text
for what in '--off-cpu=blocked off.text' '--off-cpu=all off.text' "--wall $TOP/fixtures/wall.script"; do
	# shellcheck disable=SC2086 # an option and its input
	fold $what >want
	rm -rf sliced
	# shellcheck disable=SC2086
	fold $what --every 3ms -o sliced/ && parts sliced && xargs "$BIN/pfold" -q <list | alike want
	report $? "slices of ${what##*/} are the whole"
done
# One thread is on and off the CPU for no longer than a slice.
fold --root=tid --off-cpu=blocked,preempted,runnable,running --every 300ms off.text | awk -F ';' '!/^#/ { n = split($0, w, " "); s[$1 ";" $2] += w[n] }
	END { for (k in s) { if (s[k] > 300000000) print k, s[k]; keys++ } if (keys < 100) print keys " keys" }' >long
[ ! -s long ]
report $? 'no thread has more time in a slice than the slice has'
fold --off-cpu=blocked --by-second=1000 "$TOP/fixtures/offcpu.script" >got
fold --off-cpu=blocked "$TOP/fixtures/offcpu.script" >want
[ "$(unsliced <got | fold | cmp want - 2>&1)" = '' ] &&
	[ "$(grep "^0.*do_nanosleep" got | tr -d '\n')" = '0.000;app;main;do_nanosleep_[k];__schedule_[k] 1000000' ] &&
	[ "$(grep '^0.*io_schedule' got | cut -d ' ' -f 2 | tr '\n' ' ')" = '500000 1000000 ' ]
report $? 'an interval over an edge has a part in each slice'
shop=$TOP/fixtures/nettrace/shop10-v4.nettrace.xz
runtime=Microsoft-Windows-DotNETRuntime
fold --weight-of $runtime/GCStart..$runtime/GCEnd "$shop" >want
[ -s want ] && fold --weight-of $runtime/GCStart..$runtime/GCEnd --by-second "$shop" | unsliced | fold | cmp want -
report $? 'events that marks are made of are folded as well'
for event in GC Suspension Contention; do
	fold --event $event "$shop" >want
	fold --event $event --every 1ms "$shop" | unsliced | fold | cmp want -
	report $? "slices of $event are the whole"
done
fold "$web" --every 100 >want && fold --every 100 text | cmp want -
report $? 'text has the slices of samples of its perf.data'

# Tables and other formats of each slice.
rm -rf sliced tables
fold --every 1s -o sliced/ "$web" && fold --every 1s --top=0 -o tables/ "$web" && parts sliced
while read -r file; do
	table=tables/${file#sliced/}
	[ "$(awk -F '\t' 'NR > 1 { s += $1 } END { printf "%.0f", s }' "${table%.folded}.tsv")" = \
		"$(awk '!/^#/ { s += $NF } END { printf "%.0f", s }' "$file")" ] || echo "$file"
done <list >unlike
[ -s list ] && [ ! -s unlike ]
report $? 'a table of a slice has the weight of its fold'
fold --every 1s --to speedscope -o speed/ "$web" &&
	[ "$(find speed -name '00000?.speedscope.json' | wc -l)" = "$(wc -l <list)" ]
report $? 'speedscope of each slice'
fold --every 1s -o both/ text web31.data && [ -d both/text ] && [ -d both/web31.data ]
report $? 'several inputs have slices of their own'

# pflame's strip takes the table: each of its slots has what the table says.
fold --by-second "$web" >table && "$BIN/pflame" -q table >strip.svg
check 'the table is drawn with a strip' grep -q '"perSecond":50' strip.svg

printf 'a 1/1 cycles:\n\t1 f (x)\n\na 1/1 5.0: cycles:\n\t1 f (x)\n' >half
fold half >want && "$BIN/pfold" --no-host --every 1 half 2>err | unsliced | fold | cmp want -
report $? 'slices of samples need no time'
"$BIN/pfold" --no-host --every 1s half >out 2>err &&
	grep -q '1 sample in 1 stack, 1 slice from 5.000000 on.*, 1 without a time left out' err &&
	[ "$(sed '/^# pfold frame/d' out)" = "$(printf '# pfold event=cycles samples=1 unit=samples\n000000;a;f 1')" ]
report $? 'a sample without a time is left out of slices of time, and said'
printf 'a;b 1\n' >folded
fails 'no samples with a time' --every 1s folded
fails 'no samples with a time' --every 5 folded
fails 'no samples with a time' --by-second "$TOP/fixtures/bpf/stackcount.txt"
fails '--every 0s: expected a time' --every 0s text
fails '--every 1.5s: expected a time' --every 1.5s text
fails '--every 1h: expected' --every=1h text
fails 'by-second=0: not a number from 1 to 1000' --by-second=0 text
fails 'by-second=1001: not a number' --by-second=1001 text
fails 'cannot be combined' --every 1s --by-second text
fails 'cannot be combined' --by-second --every 1s text
fails 'different clocks' --every 1s text web31.data
fails 'different clocks' --by-second text web31.data
fails 'need -o DIR/' --every 1s --top text
fails 'need -o DIR/' --every 1s --to pprof text
fails 'cannot be combined with tables' --by-second --to speedscope text
fails 'cannot be combined with tables' --by-second --compat inferno text
finish
