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
status "a limit is passed" 3 "$BIN/pdiff" --fail-if 'self(/^f10$/) > +5%' -o out old --with slow 2>err
check "it is named" grep -q "^pdiff: --fail-if 'self(/^f10\$/) > +5%': it is +" err
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
check "CSV" [ "$("$BIN/pdiff" -q --to csv old --with slow | head -n 2 | tail -n 1 | cut -d, -f1,3)" = '"f10","self"' ]
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

# A recording, which is the same on both sides.
fixture=$TOP/fixtures/web31.prof.tar.gz
"$BIN/pdiff" -q --no-host --to tsv --noise 1% "$fixture" --with "$fixture" >tsv 2>err
check "a recording and itself" [ "$(awk -F '\t' 'NR > 1 { n++; if ($4 != $5 || $11 != "no change seen") bad = 1 }
	END { print (n > 20 && !bad) }' tsv)" = 1 ]
"$BIN/pdiff" -q --no-host --unit per-second -o out "$fixture" --with "$fixture"
check "a recording has a duration" grep -q '/s ' out
finish
