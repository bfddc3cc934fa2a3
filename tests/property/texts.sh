#!/bin/bash
# Texts without the perf.data they were made of: what their addresses mean is found out,
# images name them without a mapping, and what holds no sample says why.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1

psym() { "$BIN/psym" -v --no-host "$@"; }
fold() { "$BIN/pfold" -q --no-host --count samples "$@"; }
silent() { psym "$@" >/dev/null; }
says() { grep -q "$1" err; }

mkdir native
tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C native
psym -q native/lld.perf.data >text
grep -v '\[unknown\]' text | grep -q '^	' && report 1 'the text has no names'

# perf 5.16 to 6.3: offsets in files.
fold -m native/srv native/lld.perf.data >want
fold -m native/srv text >got 2>err
same 'offsets need no mapping' want got
psym -m native/srv text >named 2>err
check 'it is said under -v what addresses are' says 'are file offsets: [0-9]* can only'
"$BIN/psym" --no-host -m native/srv text 2>err >/dev/null
! says 'addresses of user frames' && says 'samples'
report $? 'and not without'
silent -q -m native/srv text 2>err
check 'nor under -q' [ ! -s err ]
psym -q -m native/srv text | fold >got
same 'psym text | pfold = pfold text' want got
cat text | fold -m native/srv >got
same 'through a pipe' want got

# A file of that name whose calls lie elsewhere.
mkdir -p wrong/srv/app/native
cp native/srv/app/native/libworkfp.so wrong/srv/app/native/tally
psym -m wrong text >got 2>err
cmp -s text got
report $? 'another file names nothing'
check 'and it is said' says 'not used: its load address was not recorded'

# Other versions: the addresses that the frames ran at.
module=/srv/app/native/tally
awk -v m="($module)" '/^\t/ && index($0, m) {
	printf "\t%16s [unknown] %s\n", "5555" substr("00000000" $1, length($1) + 1), m
	next } { print }' text >absolute
psym -m native/srv absolute >got 2>err
cmp -s absolute got
report $? 'addresses without mapping name nothing'
check 'and are known for what they are' says 'are run-time addresses'
(echo '# perf version : 6.1.187'; cat absolute) >lies
psym -m native/srv lies >/dev/null 2>err
check 'frames count for more than the version' \
	says 'are run-time addresses.*according to perf.s version they are file offsets'

awk 'NR == FNR { line[NR] = $0; next } FNR % 5 == 0 { print line[FNR]; next } { print }' \
	absolute text >both
psym -m native/srv both >got 2>err
cmp -s both got
report $? 'frames of either form name nothing'
"$BIN/psym" --no-host -m native/srv both 2>err >/dev/null
check 'and what would help is said to everyone' says 'contain both offsets.*add -m perf.data'

# Frames with names show what the others are; in this file va and offset differ.
named=native/lld.named.out
perl -pe 's/^(\t[ ]*)([0-9a-f]+)([ ].*\(\/srv\/app\/native\/tally\))$/
	sprintf("\t%16x%s", hex($2) + 0x555555555000, $3)/ex; s/^# perf version .*//' $named >ran
for form in $named ran; do
	# Two thirds lose their names.
	perl -pe 's/^(\t *\S+) .*( \(\/srv\/app\/native\/tally\))$/$1 [unknown]$2/ if $. % 3' $form >part
	check "names are missing" [ "$(grep -c 'unknown. .*native/tally' part)" -gt 100000 ]
	psym --perf-compat -m native/srv part >got 2>err
	same "$(basename $form): names tell where the rest is" $form got
	check 'and that is said' says 'tally: .*[0-9][0-9] named frames'
	check 'with the number of them' says '([1-9][0-9]* of both by their names)'
done
check 'where it lay is said' says 'loaded at 555555555000'
# A file in which these names are elsewhere.
perl -pe 's/^(\t[ ]*)([0-9a-f]+)([ ].*\(\/srv\/app\/native\/tally\))$/
	sprintf("\t%16x%s", hex($2) + 16, $3)/ex' part >moved
psym -m native/srv moved >got 2>err
cmp -s moved got
report $? 'names that are elsewhere in the file: it names nothing'
check 'and it is said' says 'tally: its file is not used: it disagrees with 64 of 64 named frames'
perl -pe 's/^(\t[ ]*)([0-9a-f]+)([ ].*\(\/srv\/app\/native\/tally\))$/
	sprintf("\t%16x%s", hex($2) - ($. % 2) * 0x555555555000, $3)/ex' part >both
psym -m native/srv both >got 2>err
cmp -s both got
report $? 'names that show either form: it names nothing'

# node maps the part of its program that has the builtins twice.
mkdir node && tar -xzf "$TOP/fixtures/node.prof.tar.gz" -C node
mkdir alone && cp node/perf.data alone
psym -q alone/perf.data >builtins
"$BIN/psym" -q --no-host -m node/perf-17690.map alone/perf.data >want
"$BIN/psym" -q --no-host -m node/perf-17690.map -m alone builtins >got
same 'offsets in a file that is mapped twice are named as in perf.data' want got
check 'its builtins are' [ "$(grep -c 'Builtin:.*bin/node' got)" -gt 10000 ]

# Frames that are only counted are as many as those that are looked at.
for file in builtins $named; do
	"$BIN/psym" --no-host "$file" 2>&1 >/dev/null | grep samples, >counted
	"$BIN/psym" --no-host --coverage "$file" 2>&1 >/dev/null | grep samples, >want
	same "$(basename "$file"): the summary of what is copied" want counted
done

# Kernel frames have their addresses in every version: a kallsyms of that boot names them.
cat >kallsyms <<-END
	ffffffff81000000 T _text
	ffffffff81000100 T do_idle
	ffffffff81000400 T cpu_startup_entry
	ffffffff81000800 T start_secondary
	ffffffff81000c00 T _etext
	ffffffffc0301000 t ext4_file_open	[ext4]
	ffffffffc0301200 t ext4_file_read	[ext4]
END
printf 'swapper     0  1000.000100:    1 cycles: \n' >heading
printf '\t%s %s (%s)\n' ffffffff81000123 do_idle+0x23 '[kernel.kallsyms]' \
	ffffffff81000800 cpu_startup_entry+0x400 '[kernel.kallsyms]' \
	ffffffffc0301210 ext4_file_read+0x10 '[ext4]' \
	ffffffff81000aaa start_secondary+0x2aa '[kernel.kallsyms]' >frames
cat heading frames <(echo) >want
sed 's/cpu_.* (/[unknown] (/; s/ext4.* (/[unknown] (/; s/start.* (/[unknown] (/' want >some
psym -m kallsyms some >got 2>err
same 'a kallsyms that agrees with named kernel frames names the others' want got
check 'and that is said under -v' says 'kallsyms: 1 named kernel frames agree'
sed 's/[^ ]*+0x[^ ]*/[unknown]/' want >none
psym -m kallsyms none >got 2>err
same 'without such frames it names them' want got
check 'and who reads it is told' says 'kallsyms: names kernel frames .* another boot'
sed 's/^ffffffff81000/ffffffff81200/' kallsyms >other
psym -m other some >got 2>err
cmp -s some got
report $? 'a kallsyms of another boot names nothing'
check 'as named frames show' says 'other: not used: it disagrees with the named kernel frames'
psym -m other none >got 2>err
cmp -s none got
report $? 'nor does one whose kernel lies elsewhere'
check 'as the others show' says 'other: not used: kernel frames are outside'
psym -m other -m kallsyms some 2>err >got
same 'of several the one that agrees' want got

# No samples.
echo "Samples for 'cpu-clock' event do not have CPU attribute set. Cannot print 'cpu' field." >cpu
status 'perf said why there are none' 2 psym cpu 2>err
check 'and it is repeated' says "perf script printed: Samples for 'cpu-clock'"
check 'with advice' says 'cpu was not recorded'
mkdir archive && cp cpu archive/perf.data.txt
status 'in a directory as well' 2 psym archive 2>err
check 'and said' says 'perf.data.txt: no samples'
: >perf.data.txt
status 'an empty file' 2 psym perf.data.txt 2>err
check 'is said to be empty' says 'perf.data.txt: empty'
printf '# ========\n# captured on    : Sat Nov 21 02:56:14 2026\n# ========\n#\n' >header
status 'a header alone' 0 silent header 2>err
check 'has no samples' says '^psym: no samples$'
cat cpu >>header
status 'a header and an error' 1 silent header 2>err
check 'says the error' says 'perf script printed: Samples'
status 'pfold has nothing to write' 2 fold header 2>err

# What perf script -F leaves out.
fold text >want
sed 's/^\([^	].* [0-9][0-9]*\)  *[0-9][0-9]*[.][0-9]*: .*/\1 /' text >short
check 'a text without time and event' grep -q '^counter  *[0-9]* $' short
psym -q short | cmp -s short -
report $? 'short headers are copied'
fold short | grep -v '^# ' >got
grep -v '^# ' want >stacks
same 'short headers have the same stacks' stacks got
sed 's/^[^	].*//' text >bare
fold bare | grep -v '^# ' | sed 's/^[^;]*;//' | sort >got
sed 's/^[^;]*;//' stacks | awk '{ n = $NF; sub(/ [0-9]+$/, ""); t[$0] += n }
	END { for (k in t) print k, t[k] }' | sort >folded
same 'frames without headers have the same stacks' folded got
finish
