#!/bin/bash
# pdiff on groups of profiles that differ in a known way: verdicts, moved cost, conditions of a gate
# and the exit status.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1

# group DIR N SEED CODE - N folds in DIR of 60 functions with noise of 1 %, of processes that did
# different amounts of work; CODE changes the weights %w of a profile.
group()
{
	mkdir "$1"
	perl -e '
		my ($dir, $n, $seed, $code) = @ARGV;
		srand $seed;
		sub normal { my $s = 0; $s += rand for 1 .. 12; return $s - 6 }
		for my $k (1 .. $n) {
			my %w = map { ("app;main;mod" . $_ % 5 . ";f$_" => 1000 + 50 * $_) } 0 .. 59;
			$w{"app;main;mod0;f10"} = 40000;
			eval $code;
			die $@ if $@;
			my $work = 1 + 0.2 * rand;
			open my $f, ">", "$dir/$k.folded" or die;
			printf $f "%s %d\n", $_, $w{$_} * $work * (1 + 0.01 * normal()) for sort keys %w;
		}' "$1" "$2" "$3" "${4:-}"
}
verdicts() { "$BIN/pdiff" -q --to tsv "$@" | awk -F '\t' 'NR > 1 && $11 ~ /grew|shrank/ { print $1, $11 }'; }

group old 10 1
group same 10 2
group slow 10 3 '$w{"app;main;mod0;f10"} *= 1.1'
check "without a change there is no verdict" [ -z "$(verdicts old --with same)" ]
check "one function of 30 % that is 10 % slower: one verdict" [ "$(verdicts old --with slow)" = 'f10 grew' ]
check "in shares many functions seem to shrink" [ "$(verdicts --unit share old --with slow | grep -c shrank)" -gt 30 ]
check "the other way round it shrank" [ "$(verdicts slow --with old)" = 'f10 shrank' ]
"$BIN/pdiff" old --with slow >table 2>err
"$BIN/pdiff" old/*.folded --with slow/*.folded >files 2>err
same "a directory is its profiles" table files
"$BIN/pdiff" --with=slow old >joined 2>err
status "operands before --with are needed" 2 "$BIN/pdiff" --with=slow old
status "and after it" 2 "$BIN/pdiff" old
"$BIN/pdiff" -q old --with slow -o out
same "-o writes the same" table out

status "-o DIR/ is refused" 2 "$BIN/pdiff" -o dir/ old --with slow 2>err
check "with the reason" grep -qx 'pdiff: -o dir/: a comparison has one output; name a file' err

# Conditions.
rm -f out
status "a limit is passed" 3 "$BIN/pdiff" --fail-if 'self(/^f10$/) > +5%' -o out old --with slow 2>err
check "it is named" grep -q "^pdiff: --fail-if 'self(/^f10\$/) > +5%': it is +" err
check "the table is written all the same" grep -q f10 out
status "a higher limit is not" 0 "$BIN/pdiff" -q --fail-if 'self(f10) > +15%' -o out old --with slow
status "without a change none is" 0 "$BIN/pdiff" -q --fail-if 'self(f10) > +5%' --fail-if 'overall > +20%' \
	-o out old --with same
status "a fall" 3 "$BIN/pdiff" -q --fail-if 'self(f10) < -5%' -o out slow --with old
status "totals of functions" 3 "$BIN/pdiff" -q --fail-if 'total(mod0) > +4%' -o out old --with slow
mkdir three four
cp old/[123].folded three
cp slow/[123].folded four
status "three against three are too few" 2 "$BIN/pdiff" --fail-if 'self(f10) > +5%' -o out three --with four 2>err
check "the needed number is printed" grep -q 'too few profiles: 4 on each side needed$' err
check "and that of a verdict" grep -q 'too few profiles: 7 on each side needed for a verdict on 60 functions' err
check "the table has no verdict" [ -z "$(verdicts three --with four)" ]
status "with the noise they are enough" 3 "$BIN/pdiff" -q --noise 1.5% --fail-if 'self(f10) > +5%' -o out three --with four
check "and for one verdict" [ "$(verdicts --noise 1.5% three --with four)" = 'f10 grew' ]
status "a condition without sense" 2 "$BIN/pdiff" --fail-if 'self(f10) > 5%' -o out old --with slow 2>err

# Several conditions: each is reported, and status 2 wins over 3 wherever they are.
status "the second of three" 3 "$BIN/pdiff" --fail-if 'self(f10) > +20%' --fail-if 'total(mod0) > +4%' \
	--fail-if 'overall > +30%' -o out old --with slow 2>err
check "one line names it" [ "$(grep -c -- "^pdiff: --fail-if" err)" = 1 ]
status "two are passed" 3 "$BIN/pdiff" --fail-if 'self(f10) > +5%' --fail-if 'self(/f1./) > +4%' -o out old --with slow 2>err
check "two lines" [ "$(grep -c -- "^pdiff: --fail-if '.*': it is " err)" = 2 ]
status "a name that no profile has" 0 "$BIN/pdiff" -q --fail-if 'self(absent) > +0%' -o out old --with slow

# f10 has 40,000 in the unit of the weights and grows by 4,000, with noise of less than 1,000.
status "an absolute limit" 3 "$BIN/pdiff" -q --fail-if 'self(f10) > +3000' -o out old --with slow
status "a higher one" 0 "$BIN/pdiff" -q --fail-if 'self(f10) > +6000' -o out old --with slow
status "one of a fall" 3 "$BIN/pdiff" -q --fail-if 'self(f10) < -3000' -o out slow --with old
status "shares have no absolute limit" 2 "$BIN/pdiff" --unit share --fail-if 'self(f10) > +3000' -o out old --with slow 2>err
check "with the reason" grep -q 'weights are share; state the limit in percent$' err
status "a time is no limit of weights without a unit" 2 "$BIN/pdiff" -q --fail-if 'self(f10) > +3ms' -o out old --with slow
status "2 wins over 3" 2 "$BIN/pdiff" -q --fail-if 'self(f10) > +5%' --fail-if 'self(f10) > +3ms' -o out old --with slow
status "in both orders" 2 "$BIN/pdiff" -q --fail-if 'self(f10) > +3ms' --fail-if 'self(f10) > +5%' -o out old --with slow
mkdir ns_old ns_slow
for side in old slow; do
	for k in {1..10}; do
		# A weight is 1 us now: f10 grows by 4 ms.
		awk -v n=$k 'NR == 1 { print "# pfold event=cpu-clock samples=1 duration=" n ".500000 unit=ns" }
			{ $NF *= 1000; print }' $side/$k.folded >ns_$side/$k.folded
	done
done
limit() { "$BIN/pdiff" -q --fail-if "self(f10) > +$1" -o out ns_old --with ns_slow; }
for past in 3ms 3000us 3000000ns 0.003s 3000000; do
	status "+$past is passed" 3 limit $past
	status "+${past/3/6} is not" 0 limit ${past/3/6}
done
status "per second each profile counts as its duration" 3 "$BIN/pdiff" -q --unit per-second \
	--fail-if 'overall < -10%' -o out ns_old/{1,2,3,4}.folded --with ns_old/{7,8,9,10}.folded
group everywhere 10 4 '$_ *= 1.4 for values %w'
status "everything is slower" 3 "$BIN/pdiff" -q --fail-if 'overall > +20%' -o out old --with everywhere
check "no single function is" [ -z "$(verdicts old --with everywhere)" ]
echo junk >four/junk.folded
printf '\0\1\2' >bad.gz
status "a profile that cannot be read" 1 "$BIN/pdiff" -q -o out old bad.gz --with slow 2>err
status "2 wins" 2 "$BIN/pdiff" -q --fail-if 'self(f10) > +5%' -o out three/1.folded bad.gz --with four/1.folded 2>err
status "3 wins over 1" 3 "$BIN/pdiff" -q --fail-if 'self(f10) > +5%' -o out old bad.gz --with slow 2>err

# Moved cost: the gate stays silent.
moves()
{
	"$BIN/pdiff" old --with "$1" 2>err | grep '^moved'
}
group split 10 5 '$w{"app;main;mod0;f10;f10_part"} = 25000; $w{"app;main;mod0;f10"} = 15000'
group renamed 10 6 '$w{"app;main;mod0;g10"} = delete $w{"app;main;mod0;f10"}'
group inlined 10 7 '$w{"app;main;mod0"} = delete $w{"app;main;mod0;f10"}'
group two 10 8 'delete $w{"app;main;mod0;f10"}; $w{"app;main;mod0;a"} = 22000; $w{"app;main;mod0;b"} = 18000'
check "a function is split" [ "$(moves split | cut -d: -f1)" = 'moved from f10 to f10_part below mod0' ]
check "renamed" [ "$(moves renamed | cut -d: -f1)" = 'moved from f10 to g10 below mod0' ]
check "inlined" [ "$(moves inlined | cut -d: -f1)" = 'moved from f10 to mod0 below main' ]
check "divided into two" [ "$(moves two | cut -d: -f1)" = 'moved from f10 to a, b below mod0' ]
check "a growth has not moved" [ -z "$(moves slow)" ]
for which in split:f10_part renamed:g10 inlined:mod0 two:a; do
	status "no gate fails: $which" 0 "$BIN/pdiff" -q --fail-if "self(${which#*:}) > +5%" -o out old --with "${which%:*}"
done

# Names of two builds.
group hashed 10 9 '$w{"app;main;mod0;f10::h0123456789abcdef"} = delete $w{"app;main;mod0;f10"}'
check "hashes in names do not matter" [ -z "$(verdicts old --with hashed)" ]

# Forms.
"$BIN/pdiff" -q --to json old --with slow >json
check "JSON" perl -MJSON::PP -0777 -ne '$r = decode_json $_;
	$r->{profiles}{old} == 10 && @{$r->{functions}} == 60 && $r->{functions}[0]{verdict} eq "grew"
		&& $r->{functions}[0]{function} eq "f10" && $r->{functions}[0]{measure} eq "self" or die' json
check "CSV" [ "$("$BIN/pdiff" -q --to csv old --with slow | head -n 2 | tail -n 1 | cut -d, -f1,3)" = 'f10,self' ]
mkdir quoted
for i in {1..10}; do
	sed 's/;f10 /;f10, "quoted" /' slow/$i.folded >quoted/$i.folded
done
check "CSV quotes a name with a comma" grep -q '^"f10, ""quoted""",,self,' <("$BIN/pdiff" -q --to csv old --with quoted)
"$BIN/pdiff" -q --to folded old --with slow >folded
check "folded stacks have two weights" [ "$(grep -cE '^app;main;mod[0-4];f[0-9]+ [0-9]+ [0-9]+$' folded)" = 60 ]
check "and a verdict for each name" [ "$(grep -cP '^# pdiff verdict\t[^\t]+\t[^\t]+\tend$' folded)" = 60 ]
status "verdicts of stacks have no such form" 2 "$BIN/pdiff" -q --stacks --to folded -o out old --with slow 2>err
color() # of the box of a function in the picture
{
	perl -ne '$fill = $1 if /^<g fill="(#\w+)">/; print "$fill\n" if /<title>'"$1"' \(/' out.svg
}
for diff in '' --diff; do
	status "pflame $diff draws them" 0 "$BIN/pflame" -q $diff -o out.svg folded
	check "a function with a verdict has a colour" [ "$(color f10 | grep -c '^#e[0-9a-d]')" = 1 ]
	check "its tooltip has the verdict" grep -q '<title>f10 (.*, grew)' out.svg
	check "the other 59 and their callers are grey" [ "$({
		for i in {0..9} {11..59}; do color f$i; done
		for i in {0..4}; do color mod$i; done
		color main
	} | sort | uniq -c)" = '     65 #e6e7eb' ]
	check "the legend has the grey" grep -q '> no verdict<' out.svg
done
grep -v '^# pdiff' folded | "$BIN/pflame" -q -o out.svg --threshold 0
check "without verdicts each change has a colour" [ "$(color f11)" != '#e6e7eb' ]
check "stacks in place of functions" [ "$(verdicts --stacks old --with slow)" = 'app;main;mod0;f10 grew' ]
check "totals" grep -q '^mod0 grew' <(verdicts --total old --with slow)
status "these folds state no duration" 2 "$BIN/pdiff" -q --unit per-second -o out old --with slow 2>err

# --fdr limits q.
rows() { "$BIN/pdiff" -q --to tsv "$@" | awk 'NR > 1' | wc -l; }
check "a stricter rate gives fewer verdicts" [ "$(verdicts --unit share --fdr 0.0001 old --with slow | wc -l)" -lt \
	"$(verdicts --unit share --fdr 0.2 old --with slow | wc -l)" ]
check "verdicts are those with a q of at most the rate" [ "$("$BIN/pdiff" -q --to tsv --unit share --fdr 0.2 old --with slow |
	awk -F '\t' 'NR > 1 && ($11 ~ /grew|shrank/) != ($10 <= 0.2) { n++ } END { print n + 0 }')" = 0 ]
status "a rate without sense" 2 "$BIN/pdiff" -q --fdr 0 old --with slow 2>err

# --min-share: f10 has 26 % of all weights, f59 has 2.6 %.
check "all functions are above the default" [ "$(rows old --with slow)" = 60 ]
check "one has more than 20 %" [ "$(rows --min-share 20% old --with slow)" = 1 ]
check "it is divided by the size factors of all functions" [ "$("$BIN/pdiff" -q --to tsv --min-share 20% old --with slow |
	cut -f 1-9 | tail -n 1)" = "$("$BIN/pdiff" -q --to tsv old --with slow | cut -f 1-9 | grep ^f10)" ]
check "no function has 90 %" [ "$(rows --min-share 90% old --with slow)" = 0 ]
check "one function needs fewer profiles" grep -q 'too few profiles: 4 on each side needed for a verdict on 1 function$' \
	<("$BIN/pdiff" --min-share 20% -o out three --with four/?.folded 2>&1)

# The rules of pfold.
check "a hidden function is its caller" [ "$(verdicts --hide '^f10$' old --with slow)" = 'mod0 grew' ]
check "only stacks with a frame" [ "$(rows --keep '^mod0$' old --with slow)" = 12 ]
check "or without it" [ "$(rows --drop '^mod0$' old --with slow)" = 48 ]
check "functions are renamed" [ "$(verdicts --rename '^f10$ => hot' old --with slow)" = 'hot grew' ]
list='System.Collections.Generic.List`1[System.Int32]::Add'
group generic 10 11 '$w{"app;main;mod0;'"$list"'"} = delete $w{"app;main;mod0;f10"}'
for tidy in full short none; do
	check "names are those of pfold: $tidy" [ "$("$BIN/pdiff" -q --tidy $tidy --to tsv generic --with generic | cut -f 1 | grep ::Add)" = \
		"$("$BIN/pfold" -q --tidy $tidy generic/1.folded | sed -n 's/.*;\(.*::Add\) [0-9]*$/\1/p')" ]
done

# A recording, which is the same on both sides.
fixture=$TOP/fixtures/web31.prof.tar.gz
"$BIN/pdiff" -q --no-host --to tsv --noise 1% "$fixture" --with "$fixture" >tsv 2>err
check "a recording and itself" [ "$(awk -F '\t' 'NR > 1 { n++; if ($4 != $5 || $11 != "no change seen") bad = 1 }
	END { print (n > 20 && !bad) }' tsv)" = 1 ]
"$BIN/pdiff" -q --no-host --unit per-second -o out "$fixture" --with "$fixture"
check "a recording has a duration" grep -q '/s ' out

# One recording on each side: its slices show the deviation within it, without a verdict.
"$BIN/pdiff" -q --no-host --to tsv "$fixture" --with "$fixture" >tsv 2>err
check "the intervals are labelled in each row" [ "$(awk -F '\t' 'NR > 1 && ($3 != "self, within this run only" ||
	$11 != "too little data" || $6 != 0 || $7 > 0 || $8 < 0 || $9 != 1) { n++ } END { print (NR > 20 ? n + 0 : "few") }' tsv)" = 0 ]
check "a function with 70 % of the time is known to 20 %" [ "$(awk -F '\t' '$1 ~ /::Spin$/ {
	print ($7 < -1 && $7 > -20 && $8 > 1 && $8 < 20) }' tsv)" = 1 ]
check "and in the table" grep -qx 'intervals are of 20 slices of each recording: within this run only' \
	<("$BIN/pdiff" -q --no-host "$fixture" --with "$fixture")
check "other measures, too" grep -qP '\ttotal, within this run only\t' \
	<("$BIN/pdiff" -q --no-host --total --to tsv "$fixture" --with "$fixture")
status "no gate is decided by them" 2 "$BIN/pdiff" -q --no-host --fail-if 'self(/Spin/) > +0%' -o out "$fixture" --with "$fixture"
check "folds have no slices" [ -z "$("$BIN/pdiff" -q --to tsv old/1.folded --with slow/1.folded | grep within)" ]
check "a stated noise replaces them" [ -z "$("$BIN/pdiff" -q --no-host --noise 1% --to tsv "$fixture" --with "$fixture" | grep within)" ]
finish
