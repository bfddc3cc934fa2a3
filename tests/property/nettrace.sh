#!/bin/bash
# A nettrace as a profile and as a source of names.
. "$TOP/tests/check.sh"
needs xz perl
cd "$TMPDIR" || exit 1

fold() { "$BIN/pfold" --no-host "$@"; }

for v in 4 6; do
	xz -dc "$TOP/fixtures/nettrace/calc10-v$v.nettrace.xz" >v$v.nettrace
done

# Version 4: managed stacks, all of which the rundown names.
fold --event all v4.nettrace >v4.folded 2>said
check "v4: every sample" grep -q '1294 samples in' said
check "v4: every frame has a name" grep -q ' 0.0 % of 5731 frames unnamed' said
check "v4: frames from main" grep -q '^dotnet;Calc.Program::Main_\[j];Calc.Program::Multiply_\[j][; ]' v4.folded
fold v4.nettrace >managed.folded 2>said
check "v4: waiting threads are another event" grep -q 'left out (--event): external (' said
sum() { awk '{ n += $NF } END { print n }' "$1"; }
fold -q --event external v4.nettrace >external.folded
check "v4: managed and external are all" \
	[ $(($(sum managed.folded) + $(sum external.folded))) = "$(sum v4.folded)" ]
"$BIN/psym" -q --no-host v4.nettrace | fold -q --event all >got
same "v4: psym NETTRACE | pfold = pfold NETTRACE" v4.folded got
fold -q --event all <v4.nettrace >got
same "v4: standard input" v4.folded got
cat v4.nettrace | fold -q --event all >got
same "v4: a pipe" v4.folded got
fold -q --event all "$TOP/fixtures/nettrace/calc10-v4.nettrace.xz" >got
same "v4: packed" v4.folded got
"$BIN/pmerge" -q v4.nettrace >v4.map
check "v4: pmerge writes its methods" \
	grep -q '^[0-9a-f]* [0-9a-f]* .*\[calc10\] Calc[.]Program::Multiply(.*)\[' v4.map
check "v4: ReadyToRun code is among them" grep -q '\[PreJIT\]$' v4.map
check "v4: sorted, no overlap" perl -ne '($s, $n) = map hex, split;
	die "line $.\n" if $s < $end; $end = $s + $n' v4.map
# The map alone names what the trace names: its text without names is named again.
"$BIN/psym" -q --no-host v4.nettrace | sed -E 's/^(\t *[0-9a-f]+) .*(\([^()]*\))$/\1 [unknown] \2/' >bare.txt
pid=$(awk 'NR == 1 { print $2 }' bare.txt)
"$BIN/psym" -q --no-host -p "$pid=v4.map" bare.txt | fold -q --event all >got
same "v4: the merged map names the same" v4.folded got
"$BIN/psym" -q --no-host -m v4.nettrace -p "$pid" bare.txt | fold -q --event all >got
same "v4: a nettrace is a source" v4.folded got

# Version 6: the whole process, with mappings and build-ids.
fold v6.nettrace >v6.folded 2>said
check "v6: its samples" grep -q '^pfold: 242 samples' said
check "v6: JIT code has names" grep -q ';Calc.Program::Deep' v6.folded
check "v6: exported functions, too" grep -q 'coreclr_execute_assembly' v6.folded
"$BIN/psym" -q --no-host v6.nettrace | fold -q >got
same "v6: psym NETTRACE | pfold = pfold NETTRACE" v6.folded got

# Cut anywhere, and with a byte that is not what it was: samples, one line, no more.
total=$(stat -c %s v4.nettrace)
for i in 1 2 3 4 5 6 7 8 9; do
	head -c $((total * i / 10)) v4.nettrace >cut.nettrace
	fold --event all cut.nettrace >got 2>said
	report $(($? != 1)) "v4: cut at $i/10 is said"
	check "v4: cut at $i/10, one line" [ "$(grep -c 'cut.nettrace:[0-9]' said)" = 1 ]
	check "v4: cut at $i/10, samples" [ -s got ]
done
printf 'Nettrace\0\0\0\0\7\0\0\0\0\0\0\0' >new.nettrace
status "a version to come" 2 sh -c '"$0" new.nettrace 2>said' "$BIN/pfold"
check "is named" grep -q 'version after 6' said
finish
