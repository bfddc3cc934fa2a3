#!/bin/bash
# Jitdumps: alone they name what perf maps name, also the files that perf inject made
# of them; the time of a sample chooses where code was replaced.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1

mkdir sarif8 calc10 web10
for name in sarif8 calc10 web10; do
	tar -xzf "$TOP/fixtures/$name.prof.tar.gz" -C $name
done

# frames MODULE FILE; unnamed MODULE FILE - how many lines of its frames there are.
frames() { grep -c "^	.*$1" "$2"; }
unnamed() { grep -c "^	.*\[unknown\] (.*$1" "$2"; }

"$BIN/psym" --no-host -m sarif8/jit-6762.dump sarif8/perf.data >dump 2>said
check "sarif8: the jitdump belongs" grep -q 'jit-6762.dump names 594 of 594 distinct JIT' said
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

"$BIN/psym" --no-host web10 >named 2>said
check "web10: a dump that was cut off is said" grep -q 'jit-1.dump:427: the last record is cut off' said
[ "$(unnamed doublemapper named)" = 0 ]
report $? "web10: what it lacks the perf map names"

# Three members of one archive: perf.data, what perf inject made of it, text of that.
zip=$TOP/fixtures/calc10.trace.zip
for m in perf.data perf-jit.data perf.data.txt; do
	"$BIN/pfold" --no-host --member "calc10.trace/$m" "$zip" >"$m.folded" 2>"$m.said"
	check "$m: the jitdump belongs" grep -q 'process 11208: .*jit-11208.dump' "$m.said"
done
same "the injected perf.data has the same stacks" perf.data.folded perf-jit.data.folded
same "and so has its text" perf.data.folded perf.data.txt.folded
mkdir trace
unzip -q "$zip" -d trace
cd trace/calc10.trace || exit 1
"$BIN/psym" --no-host -m jit-11208.dump perf-jit.data >named 2>said
[ "$(frames jitted- named)" -gt 10000 ] && [ "$(unnamed jitted- named)" = 0 ]
report $? "files of perf inject are named by the dump alone"

# Called by another number, it must cover half; forced, it need not.
cp jit-11208.dump jit-1.dump
perl -e 'open F, "+<", "jit-1.dump"; seek F, 20, 0; print F pack "L", 1'
"$BIN/psym" -q --no-host -m jit-11208.dump perf.data >a
"$BIN/psym" -q --no-host -m jit-1.dump perf.data >b
same "under the number it had in a container" a b
"$BIN/psym" -q --no-host -p 11208=jit-1.dump -m jit-1.dump perf.data >b
same "by -p" a b
"$BIN/psym" --no-host -m ../../sarif8/jit-6762.dump perf.data 2>said >named
check "the dump of another process is not used" grep -q 'names the code of no process here' said
finish
