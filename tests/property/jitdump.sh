#!/bin/bash
# Jitdumps: alone they name what perf maps name, also the files that perf inject made
# of them; the time of a sample chooses where code was replaced.
. "$TOP/tests/check.sh"
needs unzip perl
cd "$TMPDIR" || exit 1

mkdir sarif8 calc10 web10
for name in sarif8 calc10 web10; do
	tar -xzf "$TOP/fixtures/$name.prof.tar.gz" -C $name
done

# frames MODULE FILE; unnamed MODULE FILE - how many lines of its frames there are.
frames() { grep -c "^	.*$1" "$2"; }
unnamed() { grep -c "^	.*\[unknown\] (.*$1" "$2"; }

"$BIN/psym" --no-host -m sarif8/jit-6762.dump sarif8/perf.data >dump 2>said
check "sarif8: the jitdump belongs" grep -q 'jit-6762.dump names 244 of 244 distinct JIT' said
[ "$(frames doublemapper dump) $(unnamed doublemapper dump)" = "1808 0" ]
report $? "sarif8: names all 1,808 frames of JIT code"
"$BIN/psym" -q --no-host -m sarif8/perf-6762.map sarif8/perf.data >map
grep doublemapper dump >dump.jit
grep doublemapper map >map.jit
same "sarif8: as the perf map names them" dump.jit map.jit

"$BIN/psym" -q --no-host -m calc10/jit-8292.dump calc10/perf.data >dump
[ "$(unnamed doublemapper dump)" -le 14 ]
report $? "calc10: names all frames of JIT code but 14"
[ "$(frames '\[PreJIT\].*[.]dll)' dump)" = 13096 ]
report $? "calc10: and 13,096 of precompiled code"
"$BIN/psym" -q --no-host -m calc10/calc10.dll calc10/perf.data >image
grep 'Calc[.].*calc10[.]dll' dump | sed 's/\[PreJIT\]//' >a
grep 'Calc[.].*calc10[.]dll' image >b
same "calc10: the image itself names its frames alike" a b

"$BIN/psym" --coverage --no-host web10 >named 2>said
check "web10: a dump that was cut off is reported" grep -q 'cut off: jit-1.dump, in the record at byte 427' said
[ "$(unnamed doublemapper named)" = 0 ]
report $? "web10: what it lacks the perf map names"

# Three members of one archive: perf.data, what perf inject made of it, text of that.
zip=$TOP/fixtures/calc10.trace.zip
for m in perf.data perf-jit.data perf.data.txt; do
	"$BIN/pfold" --no-host --member "calc10.trace/$m" "$zip" >"$m.folded" 2>"$m.said"
	check "$m: the jitdump belongs" grep -q 'process 11208: .*jit-11208.dump' "$m.said"
done
same_stacks "the injected perf.data has the same stacks" perf.data.folded perf-jit.data.folded
same_stacks "and so has its text" perf.data.folded perf.data.txt.folded
mkdir trace
unzip -q "$zip" -d trace
cd trace/calc10.trace || exit 1
"$BIN/psym" --no-host -m jit-11208.dump perf-jit.data >named 2>said
[ "$(frames jitted- named)" -gt 10000 ] && [ "$(unnamed jitted- named)" = 0 ]
report $? "files of perf inject are named by the dump alone"

# Their text says no mappings: the number in a file's name is that of the code in the dump.
"$BIN/psym" -q --no-host perf-jit.data >text
jitted() { grep '(.*/jitted-' "$1" | sed -E 's/^	 *[0-9a-f]+ //'; }
jitted named >a
named_alike()
{
	"$BIN/psym" --no-host -m "$2" "$3" >other 2>said
	jitted other >b
	[ -s a ] && same "$1" a b
}
named_alike "in a text of offsets as well" jit-11208.dump text
perl -pe 's/^(\t *)([0-9a-f]+)(?= .*jitted-)/sprintf "%s%x", $1, hex($2) - 64/e' text >old
named_alike "where perf before 6.1 wrote files without program headers" jit-11208.dump old
"$BIN/psym" -q --no-host --perf-version 6.6 perf-jit.data >absolute
named_alike "and in a text of addresses they ran at" jit-11208.dump absolute
cp ../../sarif8/jit-6762.dump other.dump
perl -e 'open F, "+<", "other.dump"; seek F, 20, 0; print F pack "L", 11208'
for form in text absolute; do
	"$BIN/psym" --no-host -m other.dump $form >other 2>said
	check "$form: the dump of another process of that pid is not used" cmp -s $form other
	check "$form: and that is said" grep -q 'other.dump: not used for .*jitted-11208-' said
done
perl -ne 'print unless /jitted-/ && $n++ > 6' text >few
"$BIN/psym" -q --no-host -m jit-11208.dump few >other
check "few frames show nothing" cmp -s few other
rm other.dump

# Called by another number, it must cover half; forced, it need not.
cp jit-11208.dump jit-1.dump
perl -e 'open F, "+<", "jit-1.dump"; seek F, 20, 0; print F pack "L", 1'
"$BIN/psym" -q --no-host -m jit-11208.dump perf.data >a
"$BIN/psym" -q --no-host -m jit-1.dump perf.data >b
same "under the number it had in a container" a b
"$BIN/psym" -q --no-host -p 11208=jit-1.dump -m jit-1.dump perf.data >b
same "by -p" a b
"$BIN/psym" --no-host -m ../../sarif8/jit-6762.dump perf.data 2>said >named
check "the dump of another process is not used" grep -q 'not used: it names no code of these processes' said
cd "$TMPDIR" || exit 1

# V8 collects work0, work1, ... and uses their addresses again: the time tells them apart.
tar -xf "$TOP/fixtures/jitdump.tar.xz"
"$BIN/psym" --no-host node >named 2>said
check "node: the jitdump belongs" grep -q 'jit-31278.dump names 18 of 18 distinct JIT' said
grep -o 'JS:~work[0-9]*' named | uniq | sed 's/.*work//' >order
[ "$(wc -l <order)" -gt 60 ] && sort -n -C -u order
report $? "node: functions that replaced each other are named in the order they ran"
"$BIN/psym" -q --no-host -m node/jit-31278.dump -p 31278=node/jit-31278.dump node/perf.data >forced
same "node: likewise by -p" named forced
from_node() { grep '(/tmp/perf-31278[.]map)' "$1"; }
from_node named >a
"$BIN/psym" -q --no-host node/perf.data >text
"$BIN/psym" -q --no-host -m node text >named
from_node named >b
same "node: text that perf.data gives its clock" a b
(echo '# event : name = cpu-clock, use_clockid = 1, clockid = 1'; cat text) >clocked
"$BIN/psym" -q --no-host -m node/jit-31278.dump clocked >named
from_node named >b
same "node: text whose header says its clock" a b
"$BIN/psym" --no-host -m node/jit-31278.dump text 2>said >b
check "node: without a clock the last one is taken, and that is said" \
	grep -q 'held several methods over time' said
[ "$(grep -o 'JS:~work[0-9]*' b | sort -u | wc -l)" -lt 10 ]
report $? "node: so that few are left"
"$BIN/pmerge" -q --no-host -o merged/ node
[ "$(grep -c 'JS:~work' merged/perf-31278.map)" -lt 10 ]
report $? "node: a perf map holds the last ones alone"

# Lines: of a caller that of the call.
lines_of() { grep -A 1 "^	.* $1+0x" lines | grep -o '^  work.c:.*' | sort | uniq -c | tr -s ' '; }
"$BIN/psym" -q --no-host -F +srcline llvm >lines
[ "$(lines_of work | tr '\n' ,)" = ' 2 work.c:4, 27 work.c:5, 1 work.c:6,' ]
report $? "llvm: the lines of a leaf are those of its loop"
[ "$(lines_of twice)/$(lines_of main)" = ' 29 work.c:11/ 31 work.c:20' ]
report $? "llvm: and of its callers, where they call"
"$BIN/psym" -q --no-host llvm >plain
grep -v '^  work.c:' lines >a
same "llvm: nothing else is different" plain a
"$BIN/psym" -q --no-host -F +srcline node >lines
! grep -q '^  ' lines
report $? "node: where the dump has no lines, none are printed"

# perf's agent for the JVM: names and lines of compiled methods and of stubs.
names() { grep '^	.* (/tmp/perf-' "$1" | sed -E 's/^[	 ]*[0-9a-f]+ //; s/ \([^()]*\)$//'; }
"$BIN/psym" -q --no-host --perf-compat --no-inline java >named
names named >a
diff a java/perf.names >differ
[ "$(wc -l <java/perf.names) $(tail -n +2 differ)" = '677 < Work.fill(int)+0x11f' ]
report $? "java: what perf inject names is named alike, and one older than its record"
"$BIN/psym" -q --no-host -F +srcline java >lines
lines_at() { grep -A 1 "Work.$1" lines | grep -o '^  .*' | sort | uniq -c | tr -s ' ' | tr '\n' ,; }
[ "$(lines_at 'main(java.lang.String\[\])+0xa4')$(lines_at 'main(java.lang.String\[\])+0xc4')" = \
	' 29 Work.java:47, 6 Work.java:48,' ]
report $? "java: a caller has the line of its call"
"$BIN/psym" -q --no-host java >named
"$BIN/pmerge" -q --no-host java >java.map
"$BIN/psym" -q --no-host -m java.map java/perf.data >by-map
names named >a
names by-map >b
same "java: one map of it names the same" a b
grep -q 'Ljava/util/ArrayList[$]ArrayListSpliterator;forEachRemaining(Ljava/util/function/Consumer;)V+0x' \
	<("$BIN/psym" -q --no-host --no-demangle java)
report $? "java: and without demangling as the agent wrote it"

# Without a file to say which image it is, its code in the jitdump does.
"$BIN/psym" -q --no-host copied10 >by-dump
"$BIN/psym" --no-host -m calc10/calc10.dll -m copied10/jit-27500.dump copied10/perf.data >by-image 2>said
check "copied10: the image is found by its code" \
	grep -q 'calc10.dll was copied to anonymous memory at 7f8eec750000' said
sed '/\[calc10\]/s/\[PreJIT\]//' by-dump >a
same "copied10: and names what the jitdump names" a by-image
grep -q '\[calc10\]' by-image
report $? "copied10: its methods among them"
perl -0777 -pe 's/\x48/\x49/g' calc10/calc10.dll >other.dll
mkdir other
mv other.dll other/calc10.dll
"$BIN/psym" --no-host -m other -m copied10/jit-27500.dump copied10/perf.data >b 2>said
! grep -q 'was copied' said
report $? "copied10: an image with other code is not it"
same "copied10: and names nothing" by-dump b

# The same in memory that is mapped twice, which only the mapping's name tells.
"$BIN/psym" -q --no-host --perf-version 6.12 --show-mmap-events copied10/perf.data |
	sed 's#: r.xp //anon$#: r-xs /memfd:doublemapper (deleted)#
		s#(/tmp/perf-27500.map)#(/memfd:doublemapper (deleted))#' >doubled
[ "$(grep -c ': r-xs /memfd:doublemapper' doubled)" -gt 1 ]
report $? "doublemapper: it is what the text says"
"$BIN/psym" --no-host -m calc10/calc10.dll -m copied10/jit-27500.dump doubled >b 2>said
check "doublemapper: the image is found by its code" \
	grep -q 'calc10.dll was copied to anonymous memory at 7f8eec750000' said
jit_names() { sed -nE 's#^[	 ]*[0-9a-f]+ (.*) \((/tmp/perf-27500.map|/memfd:doublemapper \(deleted\))\)$#\1#p' "$1"; }
jit_names by-image >a
jit_names b >c
same "doublemapper: and names the same" a c
"$BIN/psym" -q --no-host -m other -m copied10/jit-27500.dump doubled >b
jit_names b | sed '/\[calc10\]/s/\[PreJIT\]//' >c
same "doublemapper: an image with other code names nothing" a c

# A composite image is called by its components: their methods are in it.
composite=$TOP/fixtures/r2r/composite
jit="-m composite10/jit-31621.dump"
# shellcheck disable=SC2086 # two words
"$BIN/psym" -q --no-host $jit composite10/perf.txt | sed 's/\[PreJIT\]//' >a
# shellcheck disable=SC2086
"$BIN/psym" --no-host $jit -m "$composite" composite10/perf.txt 2>said | sed 's/\[PreJIT\]//' >b
check "composite10: the image is found by its code" \
	grep -q 'two.r2r.dll was copied to anonymous memory at 7fce86540000' said
same "composite10: and names what the jitdump names" a b
mkdir alone lone
cp "$composite/two.r2r.dll" alone
cp "$composite/calc10.dll" lone
for dir in alone lone; do
	# shellcheck disable=SC2086
	"$BIN/psym" --no-host $jit -m $dir composite10/perf.txt >b 2>said
	! grep -q 'was copied' said
	report $? "composite10: not without both files ($dir)"
done
"$BIN/pmerge" -q --no-host -m "$composite" -m composite10/jit-31621.dump composite10/perf.txt >all.map
[ "$(grep -c '\[calc10\]' all.map)" -gt "$(grep -c '\[calc10\].*)$' <(strings composite10/jit-31621.dump))" ]
report $? "composite10: in one map, all of its methods"
finish
