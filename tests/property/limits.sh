#!/bin/bash
# A file that may not grow (ulimit -f), a stack that may not (ulimit -s), a program that is killed
# (kill -9): the end is clear, no output is there in part, and the next run is right.
. "$TOP/tests/check.sh"
needs perl xz
cd "$TMPDIR" || exit 1
fixtures=$TOP/fixtures
mkdir calc out
tar -xzf "$fixtures/calc10.prof.tar.gz" -C calc
tar -xzf "$fixtures/java.prof.tar.gz" -C calc --one-top-level=java
tar -xJf "$fixtures/lttng10.tar.xz" -C calc --one-top-level=lttng
"$BIN/psym" -q --no-host calc/perf.data -m calc -o psym.want || exit 1
"$BIN/pfold" -q psym.want -o pfold.want || exit 1
"$BIN/pflame" -q pfold.want -o pflame.want || exit 1
"$BIN/pmerge" -q --no-host -m calc calc/perf.data -o pmerge.want || exit 1

psym() { "$BIN/psym" --no-host -m calc calc/perf.data "$@"; }
pfold() { "$BIN/pfold" psym.want "$@"; }
pflame() { "$BIN/pflame" pfold.want "$@"; }
pmerge() { "$BIN/pmerge" --no-host -m calc calc/perf.data "$@"; }

# --- files ---
for tool in psym pfold pflame pmerge; do
	(ulimit -f 1 && $tool -o out/file) 2>err
	[ $? = 2 ] && grep -q "^$tool: out/file: File too large" err && [ -z "$(ls -A out)" ]
	report $? "$tool: an output that may not grow"
done
# The disk that is short of room is that of the cache and of TMPDIR: stdout is a pipe.
for kib in 1 8 64 512; do
	(ulimit -f $kib && psym -q --cache cache) 2>err | cat >got
	[ "${PIPESTATUS[0]}" = 0 ]
	report $? "a cache whose files may have $kib KiB"
	same "changes nothing" psym.want got
	rm -rf cache
	(ulimit -f $kib && "$BIN/psym" --no-host --list-events calc/lttng) 2>err >/dev/null
	status=$?
	[ $status -le 2 ] && { [ $status = 0 ] || grep -q '^psym: ' err; }
	report $? "TMPDIR, with $kib KiB: status $status"
done

# --- stacks ---
for kib in 64 128 256 512; do
	(ulimit -s $kib && psym -o out/file) 2>err
	[ $? = 2 ] && grep -q "^psym: ulimit -s: .* $kib KiB" err && [ -z "$(ls -A out)" ]
	report $? "a stack of $kib KiB is too little, which is said"
	(ulimit -S -s $kib && psym -q) >got
	same "where it may be more it is" psym.want got
done
perl -e 'print "a;$_ 1\n" for "_ZN" . "1a" x 3000 . "Ev", "_Z1f" . "P" x 20000 . "i", "x<" x 9000 . ">" x 9000,
	"b;" x 20000 . "c"' >deep.folded
perl -e 'printf "a 1 [000] 1.0: 1 cycles:\n\t401000 %s+0x1 (/srv/app)\n\n", $_
	for "_ZN" . "1a" x 3000 . "Ev", "_Z1f" . "P" x 20000 . "i", "_Z1fI" . "N1aI" x 5000 . "i" . "EE" x 5000' >deep.text
for tool in psym pfold pmerge pflame; do
	input=deep.text
	[ $tool != pflame ] || input=deep.folded
	(ulimit -s 1024 && "$BIN/$tool" -q -o out/file $input) 2>err
	[ $? -le 2 ]
	report $? "$tool: names that nest deeply, in 1024 KiB"
	rm -f out/file
done

# --- a program that is killed while it stores ---
for ms in 005 010 020 040 080 160; do
	psym -q --cache cache >/dev/null 2>&1 &
	sleep 0.$ms
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
	psym -q --cache cache >got 2>err
	same "the next run, killed after $ms ms" psym.want got
	rm -f cache/?-*
done
# What it was writing counts, and goes.
head -c 3000000 /dev/zero >cache/part-0123456789abcdef
psym -q --cache cache --cache-size 2M >/dev/null 2>err
check "what was left behind counts" [ "$(find cache -name '?-*' | wc -l)" = 0 ]
psym -q --cache cache --cache-size 20M >/dev/null 2>err
check "beside what there is room for" [ "$(find cache -name '?-*' | wc -l)" != 0 ]
check "it is kept while somebody may write it" [ -e cache/part-0123456789abcdef ]
touch -d '2 hours ago' cache/part-0123456789abcdef
psym -q --cache cache --cache-size 20M >/dev/null 2>err
check "and goes later" [ ! -e cache/part-0123456789abcdef ]
finish
