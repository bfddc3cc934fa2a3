#!/bin/bash
# What folding must not depend on, and sums that another program arrives at as well.
. "$TOP/tests/check.sh"
needs perl
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
	awk '!/^# / { s += $NF } END { printf "%.0f\n", s }' "$@"
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

"$BIN/pfold" -q --no-host --no-marks text | sed '/^#/d' | sort >plain
sed -E '/^#/d; s/_\[[ijkr]\](;| [0-9]+$)/\1/g' folded | sort | cmp - plain
report $? 'marks only append'
"$BIN/pfold" -q --no-host --no-marks --kernel text | grep -c '_\[k]' >marked
[ "$(cat marked)" = "$(grep -c '_\[k]' folded)" ]
report $? '--kernel marks what is marked by default'
for mark in k j r; do
	grep -q "_\[$mark]" folded
	report $? "there are frames marked $mark"
done

# The first line says what the weights are, and goes through every fold.
[ "$(head -n 1 folded)" = "# pfold event=cpu-clock samples=${periods#* } duration=8.010668 unit=ns" ]
report $? 'the first line says the event, the samples, the duration and the unit'
[ "$(timeless counted | head -n 1)" = "# pfold event=cpu-clock samples=${periods#* } unit=samples" ]
report $? 'counted samples are the unit'
"$BIN/pfold" -q --no-host --compat=flamegraph text >compat
! grep -q -e '^#' -e '_\[.] *$' compat && [ "$(total compat)" = "$(total folded)" ]
report $? '--compat=flamegraph has neither that line nor marks'
sed '/^#/d' folded >bare && "$BIN/pfold" -q bare | cmp bare -
report $? 'stacks that do not say it stay without'
"$BIN/pfold" -q folded bare | sed -n 1p | grep -q '^#'
[ $? = 1 ]
report $? 'nothing is said of weights that are known in part'
fails 2 'weights in samples, earlier weights are in ns; --mix adds them up' \
	"$BIN/pfold" -q folded counted
report $? 'weights of unlike units are refused'
"$BIN/pfold" -q --mix folded counted >mixed &&
	timeless mixed | grep -q "^# pfold event=cpu-clock samples=$((2 * ${periods#* })) unit=mixed\$"
report $? '--mix adds them up'
printf 'a 1 [0] 1.0: 9 cycles:\n\t1 f (/x)\n\na 1 [0] 2.0: 5 cpu-clock:\n\t1 f (/x)\n' >two
fails 2 'the weights of cycles,cpu-clock have different units; --mix adds them up' \
	"$BIN/pfold" -q --event all two
report $? 'events of unlike units are refused'
perl -00 -ne 'BEGIN { open $f[$_], ">", "half$_" for 0, 1 } print { $f[$n++ % 2] } $_' text
for n in 0 1; do "$BIN/pfold" -q --no-host half$n >half$n.folded; done
"$BIN/pfold" -q half0.folded half1.folded | timeless | cmp <(timeless folded) -
report $? 'two halves folded apart and again are the whole'

# Neighbours that say the same are one frame.
fold() { "$BIN/pfold" -q "$@" | grep -v '^# '; }
is() { [ "$(fold "${@:2}" <stacks)" = "$1" ]; }
run='System.Threading.ExecutionContext::RunInternal_[j]'
printf '%s\n' 'a;[x.so];[x.so];[x.so];f 1' 'a;[x.so]_[r];[x.so]_[r];[y.so] 2' '[a];[a];[a] 4' >stacks
is "$(printf '%s\n' '[a];[a] 4' 'a;[x.so];f 1' 'a;[x.so]_[r];[y.so] 2')"
report $? 'unnamed frames of one module are one, the root is none of them'
printf 'a;S::R (async)_[j];%s;[async resume]_[j];S::R (async)_[j];S::R (async)_[j];f 1\n' "$run" >stacks
is 'a;S::R (async)_[j];f 1'
report $? 'an async method is one frame with what only resumes it'
for between in S::R_[j] "$run;S::Q (async)_[j]" "S::R (A, async)_[j]"; do
	echo "a;S::R (async)_[j];$between;S::R (async)_[j];f 1" >stacks
	is "$(cat stacks)"
	report $? "an async method that calls itself stays: $between"
done
printf 'a;[x.so];[x.so];S::R (async)_[j];S::R (async)_[j] 1\n' >stacks
is "$(cat stacks)" --compat=inferno
report $? '--compat keeps every frame'
echo 'a;a;f;f;g;f;g;h;f;i 1' >stacks
is 'a;a;f;g;f;g;h;f;i 1' --merge-recursion && is 'a;a;f;i 1' --merge-recursion=cyclic
report $? '--merge-recursion, direct and cyclic'
fails 2 'expected cyclic' "$BIN/pfold" --merge-recursion=all folded
report $? 'another recursion is not known'
# Options of one case are parted by tabs.
while IFS= read -r options; do
	IFS=$'\t' read -ra words <<<"$options"
	for part in text half0 half1; do
		"$BIN/pfold" -q --no-host "${words[@]}" $part >$part.part
	done
	[ -s text.part ] && "$BIN/pfold" -q "${words[@]}" half0.part half1.part | timeless | cmp <(timeless text.part) - &&
		"$BIN/pfold" -q half0.part half1.part | timeless | cmp <(timeless text.part) -
	report $? "the halves are the whole with '$options'"
done <<'END'

--no-marks
--tidy=none
--tidy=short
--merge-recursion
--merge-recursion=cyclic
--root=pid	--addrs
--root=tid	--srcline
--count=samples
--keep=sendmsg
--keep=leaf ^_
--keep=module libc
--keep=comm dotnet
--drop=Json
--drop=leaf ^_
--drop=module libcoreclr
--hide=kernel .
--hide=module libcoreclr
--start-at=Route
--stop-at=managed ::Write
--rename=^Microsoft\.AspNetCore => ASP
--group=^System\. => [System]
--group=module /libcoreclr => clr
--mark=^_ => kernel
--rules=kernel
--rules=syscalls
--rules=dotnet
--rules=dotnet	--rules=aspnet	--rules=kernel
--rules=idle
--root=comm
--root=process
--root=none
--root=none	--drop=comm x
--skip-after=start_thread
END
for tool in flamegraph inferno; do
	for part in text half0 half1; do
		"$BIN/pfold" -q --no-host --compat=$tool --all $part >$part.part
	done
	"$BIN/pfold" -q --compat=$tool half0.part half1.part | cmp text.part -
	report $? "the halves are the whole with --compat=$tool"
done

# Rules.  What they do to a stack depends on that stack alone.
printf '%s\n' 'a;b;c;d 1' 'a;b_[k];x 2' 'a;m;a;b;q 4' 'e 8' >stacks
is "$(printf '%s\n' 'a;b;c;d 1' 'a;b_[k];x 2' 'a;m;a;b;q 4')" --keep '^b$' && is 'e 8' --drop '^a$'
report $? '--keep and --drop, by a frame or the root'
is "$(fold --keep "^b$" <stacks)" --include "^b$" && is "$(fold --drop "^a$" <stacks)" --exclude "^a$"
report $? 'and as --include and --exclude'
is 'a;b_[k];x 2' --keep 'leaf ^x' --keep 'leaf ^m' && is "$(sed 2d stacks)" --drop 'kernel .'
report $? '--keep and --drop by the leaf and by what a frame is'
is "$(cat stacks)" --keep 'comm ^zz' --drop 'module .'
report $? 'stacks do not say threads and modules'
"$BIN/pfold" --drop 'module .' stacks 2>&1 >out | grep -q '^pfold: stacks: folded stacks contain neither threads nor ' &&
	! "$BIN/pfold" --drop m stacks 2>&1 >out | grep -q neither
report $? 'which is said'
is "$(printf '%s\n' 'a;c;d 1' 'a;m;a;q 4' 'a;x 2' 'e 8')" --hide '^b'
report $? '--hide'
is "$(printf '%s\n' 'a;a;b;q 4' 'a;b;c;d 1' 'a;b_[k];x 2' 'e 8')" --start-at '^[ab]'
report $? '--start-at, the first one'
is "$(printf '%s\n' 'a;b 1' 'a;b_[k] 2' 'a;m;a 4' 'e 8')" --stop-at '^[ab]'
report $? '--stop-at, the first one'
echo 'apart ^[ab]' >apart
is "$(printf '%s\n' 'a;b;c;d 1' 'a;b;q 4' 'a;b_[k];x 2' 'e 8')" --stop-at '^[mb]' --rules apart
[ $? = 1 ] && is "$(printf '%s\n' 'a;b 5' 'a;b_[k] 2' 'e 8')" --rules apart --stop-at '^b'
report $? 'apart, each one, and behind --stop-at'
is "$(printf '%s\n' 'a;G;d 1' 'a;G_[k];x 2' 'a;m;a;G;q 4' 'e 8')" --group '^[bc]$ => G'
report $? '--group, neighbours are one'
is "$(printf '%s\n' 'a;b_[r];c;d 1' 'a;b_[r];x 2' 'a;n;a;b_[r];q 4' 'i 8')" --mark '^b => runtime' \
	--rename '^m => n' --rename '^e => i'
report $? '--mark and --rename'
fails 2 '^pfold: --drop:7: missing closing parenthesis$' "$BIN/pfold" -q --drop 'comm (' folded
report $? 'a rule that is none'
printf '# x\nhide (\n' >bad
fails 2 '^pfold: bad:2:7: missing closing parenthesis$' "$BIN/pfold" -q --rules bad folded
report $? 'a file with a rule that is none'
fails 2 'no samples that the rules keep' "$BIN/pfold" -q --keep zzz folded
report $? 'rules that keep nothing'
printf 'r;b;%s 1\n' "$(printf 'a%.0s' {1..50})b" >hostile
bounded 2 "$BIN/pfold" -q --drop '^(a+)+$' --hide ^b$ hostile >out 2>err
[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'drop:1: the pattern takes too long and skips 1 name: ' err &&
	grep -q '^r;a*b 1$' out
report $? 'a pattern that takes long leaves a name alone'
printf 'q;z 1\nq;%sd 1\n' "$(head -c 60000 /dev/zero | tr '\0' a)" >hostile
bounded 10 "$BIN/pfold" -q --drop '(?=(a+))\1*[bc]' hostile >out && [ "$(wc -c <out)" -gt 60000 ]
report $? 'a pattern that takes the square of a long name'
for i in {1..1500}; do echo "a;$i$(printf 'a%.0s' {1..50})b 1"; done >hostile
fails 2 'takes too long, for example on 1aaaa' bounded 2 "$BIN/pfold" -q --drop '(a+)+$' hostile
report $? 'a pattern that takes long on a thousand names ends'

# Roots: what is known of a text is the thread, and the process where it is printed.
{
	printf 'app 7/7 1.0: 1 cycles:\n\tf f (/x)\n\n.NET TP Worker 7/8 1.0: 2 cycles:\n\tf g (/x)\n\n'
	printf 'own 7/9 1.0: 4 cycles:\n\tf f (/x)\n\nFoo-12 7/10 1.0: 8 cycles:\n\n'
} >threads
is_root() { [ "$(fold "${@:2}" --no-marks threads | tr '\n' ' ')" = "$1" ]; }
is_root 'Foo 8 app;f 1 dotnet;g 2 own;f 4 '
report $? 'threads of pools and runtimes stand under one name'
is_root '.NET_TP_Worker;g 2 Foo-12 8 app;f 1 own;f 4 ' --root=comm
report $? '--root=comm'
is_root '.NET_TP_Worker-7;g 2 Foo-12-7 8 app-7;f 1 own-7;f 4 ' --root=pid &&
	is_root '.NET_TP_Worker-7/8;g 2 Foo-12-7/10 8 app-7/7;f 1 own-7/9;f 4 ' --root=tid
report $? '--root=pid and --root=tid'
is_root '[no frames] 8 f 5 g 2 ' --root=none
report $? '--root=none'
is_root 'Foo 8 app;f 1 dotnet;g 2 own;f 4 ' --root=process
report $? '--root=process, where nothing tells it'
echo 'app 7/7 0.1: PERF_RECORD_COMM: app:7/7' | cat - threads >told
"$BIN/pfold" -q --root=process told | timeless | sed '/^# pfold frame/d' | cmp - <(printf '# pfold event=cycles samples=4 unit=cycles\napp 8\napp;f 5\napp;g 2\n')
report $? '--root=process, where a record tells it'
is_root '.NET_TP_Worker;g 2 Foo-12 8 app;f 1 own;f 4 ' --compat=inferno && is_root 'app;f 1 own;f 4 ' \
	--drop='comm -|W' --root=process
report $? 'roots of other programs, and what a rule knows of threads'
echo 'root ^(own|app)$ => mine' >mine
is_root 'Foo 8 dotnet;g 2 mine;f 5 ' --rules mine
report $? 'roots by rules'
fails 2 'expected comm, process, pid, tid or none' "$BIN/pfold" --root=thread threads
report $? 'a root that is none'
"$BIN/pfold" -q --no-host --root=process "$TOP/fixtures/calc10.prof.tar.gz" | sed '/^#/d' | grep -cv '^calc10;' >others
[ "$(cat others)" = 0 ] && "$BIN/pfold" -q --no-host "$TOP/fixtures/calc10.prof.tar.gz" >roots &&
	"$BIN/psym" -q --no-host "$TOP/fixtures/calc10.prof.tar.gz" | "$BIN/pfold" -q | cmp roots -
report $? 'an archive has the roots of its text, and names its process'

# The files that come along, each on a recording that has what it is about.
for rules in "$TOP"/share/rules/*; do
	name=$(basename "$rules") text=$TOP/fixtures/rules/${rules##*/}.txt
	[ "$name" != roots ] || text=threads
	[ -e "$text" ] || text=$TOP/fixtures/rules/kernel.txt
	perl -00 -ne 'BEGIN { open $f[$_], ">", "half$_" for 0, 1 } print { $f[$n++ % 2] } $_' "$text"
	for part in half0 half1; do "$BIN/pfold" -q --no-host --root=comm --rules "$name" "$part" >$part.part; done
	"$BIN/pfold" -q --no-host --root=comm --rules "$name" "$text" >whole
	[ -s whole ] && "$BIN/pfold" -q --rules "$name" half0.part half1.part 2>err | timeless | cmp <(timeless whole) -
	report $? "the halves are the whole with '--rules $name' on its recording"
done

# Selected samples are those that psym selects.
tid=$(sed -nE 's/^[^\t#].* ([0-9]+) *(\[[0-9]+\])? +[0-9]+\.[0-9]+:.*/\1/p' text | sort | uniq -c | sort -rn |
	awk 'NR == 1 { print $2 }')
pid=$("$BIN/pfold" -q --no-host --root=pid "$archive" | sed -nE '2s/^[^;]*-([0-9]+);.*/\1/p')
for words in "--comms=dotnet" "--tid=$tid" "--pid=$pid" "--cpu=0" "--time=0%-40%"; do
	"$BIN/psym" -q --no-host "$words" "$archive" | "$BIN/pfold" -q --no-host >want
	"$BIN/pfold" -q --no-host "$words" "$archive" | cmp want -
	report $? "$words selects what psym selects"
done
[ "$(total want)" -gt 0 ] && [ "$(total want)" -lt "$(total folded)" ]
report $? 'a part was selected'
printf 'app 7/7 1.0: 1 cycles:\n\t1 f (/x)\n\nown 8/9 1.0: 4 cycles:\n\t1 f (/x)\n\nown 8/10 1.0: 2 cycles:\n\t1 f (/x)\n\n' >ids
[ "$(fold --pid 8 ids)" = 'own;f 6' ] && [ "$(fold --tid 7,9 ids | tr '\n' ' ')" = 'app;f 1 own;f 4 ' ] &&
	[ "$(fold --tids 10 ids)" = 'own;f 2' ] && [ "$(fold --root=tid --pid 8 --tid 9 ids)" = 'own-8/9;f 4' ]
report $? '--pid and --tid select samples'
for tool in flamegraph inferno; do
	for words in "--compat=$tool --pid" "--pid --compat $tool" "--pid --comp=$tool"; do
		# shellcheck disable=SC2086 # words
		[ "$("$BIN/pfold" -q --no-host $words ids | head -n 1)" = 'app-7;f 1' ]
		report $? "$words adds the pid to the root"
	done
done
fails 2 'needs LIST; --root=pid ' "$BIN/pfold" -q ids --pid && fails 2 'needs LIST; --root=pid ' "$BIN/pfold" -q ids --tid &&
	fails 2 '^pfold: --pid ids: expected a list of numbers; --root=pid ' "$BIN/pfold" -q --pid ids &&
	fails 2 '^pfold: --tid ids: expected a list of numbers; --root=pid ' "$BIN/pfold" -q --tid ids
report $? 'without a number they name --root=pid'
fails 2 'no samples that the options select' "$BIN/pfold" -q --pid 1 ids
report $? 'a process that is not there'
fails 2 'not understood' "$BIN/pfold" -q --cpu=a folded
report $? 'a list that is none'
"$BIN/pfold" -q --no-host -n 4 --event-filter=cpu-clock text | cmp folded -
report $? 'words of the peers'

# Each option that the manual has of other programs, as it says; compat.sh shows that these are all.
sed -n '/^[.]Sh OTHER PROGRAMS/,/^[.]Sh EXIT/p' "$TOP/share/man/man1/pfold.1" |
	grep '^[.]It -' | grep -oE -- '--?[A-Za-z][a-z-]*' | grep -vxE -- '--help|-h|--version|-V' >options
while read -r option; do
	case $option in
	--event-filter) words=("$option" cpu-clock) ;;
	--skip-after) words=("$option" none) ;;
	--nthreads | -n) words=("$option" 2) ;;
	--pid | --tid) words=("$option" --compat=flamegraph) ;;
	*) words=("$option") ;;
	esac
	"$BIN/pfold" -q --no-host "${words[@]}" text >out 2>err && [ -s out ]
	report $? "$option is taken"
done <options
[ "$(wc -l <options)" -ge 16 ]
report $? 'the options of other programs are listed'
echo 'r;a;b;a;b;c_[k] 1
r;x 2' >stacks
is "$(printf '%s\n' 'b;c_[k] 1' 'r;x 2')" --skip-after=b &&
	is "$(printf '%s\n' 'a;b;c_[k] 1' 'x 2')" --skip-after=a --skip-after x &&
	is "$(printf '%s\n' 'c_[k] 1' 'r;x 2')" '--skip-after=c(int)' &&
	is "$(cat stacks)" --skip-after=y
report $? '--skip-after begins stacks at the innermost such function'
printf 'java 1 [0] 1.0: 9 cycles:u:\n\t1 La/b;.c()V (/x)\n\t2 f<int ()> (/y)\n
app 1 [0] 1.0: 9 cycles:k:\n\t1 La/b;.c()V (/x)\n\n' >peers
[ "$("$BIN/pfold" -q --no-host --compat=flamegraph peers)" = 'java;f<int ;a/b:.c 9' ]
report $? '--compat=flamegraph: its names, and events by their whole names'
[ "$("$BIN/pfold" -q --no-host --compat=inferno peers)" = "$(printf '%s\n' 'app;La/b:.c 9' 'java;f<int ()>;a/b:.c 9')" ]
report $? '--compat=inferno: its names, and events without modifiers'
printf 'app 1 [0] 1.0: 1 cycles:\n\t1 f (/x)\n  f.c:7\n\n' >lines
[ "$(fold --no-host --context lines)" = 'app;f 1' ] && [ "$(fold --no-host --inline --context lines)" = 'app;f:f.c:7 1' ]
report $? '--context shows lines with --inline'

mkdir in && cp folded in/one && cp text in/two && "$BIN/pfold" -q --no-host -o out.d/ in/one in/two &&
	cmp folded out.d/in/one.folded && cmp folded out.d/in/two.folded
report $? '-o DIR/ gives one output for each input'

fails 2 'no samples of event none; there are: cpu-clock' \
	"$BIN/pfold" -q --no-host --event none text
report $? 'an event that is not there'
fails 2 missing "$BIN/pfold" -q missing
report $? 'a file that is not there'
fails 2 'expected period or samples' "$BIN/pfold" --count nothing folded
report $? 'a weight that does not exist'
printf 'a;b 0\n' >zero
fails 2 'no samples with a weight above 0' "$BIN/pfold" -q zero
report $? 'nothing but weights of 0'
"$BIN/pfold" -q folded missing >part 2>err
[ $? = 1 ] && cmp folded part
report $? 'what could be read is written, with status 1'
fails 2 'No space left' "$BIN/pfold" -q -o /dev/full folded
report $? 'a full disk'
finish
