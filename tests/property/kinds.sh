#!/bin/bash
# An input that is not a profile is described by its kind, with one sentence of advice.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
record='record a profile of the program with perf record -g'
names='it may name code; give a profile, and this file with -m'
drawn='give the profile from which it was drawn'

# kind FILE KIND ADVICE - what psym, pfold and a pipe into psym report.
kind()
{
	local file=$1 line="$2; $3" got
	for run in "psym $file" "pfold $file" "psym"; do
		# shellcheck disable=SC2086
		"$BIN"/$run <"$file" >out 2>said
		got=$?
		case $run in
		psym)	sed -i "s|standard input: |$file: |" said ;;
		esac
		[ $got = 2 ] && [ ! -s out ] && [ "$(sed 's/^[a-z]*: //' said)" = "$file: this is $line" ] || {
			cat said
			report 1 "$run: $2"
			return
		}
	done
	report 0 "$file: $2"
}

cp "$TOP/lib/base/str.c" source.c
cp "$TOP/share/flame/state.js" script.js
cp "$BIN/psym" program
cp "$TOP/share/examples/web31.svg" picture.svg
cp "$TOP/lib/README.md" readme
mkdir calc && tar -xzf "$TOP/fixtures/calc10.prof.tar.gz" -C calc
cp calc/perf-8292.map calc/jit-8292.dump calc/calc10.dll .
printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR' >picture.png
printf '\xff\xd8\xff\xe0\0\x10JFIF\0' >picture.jpg
printf '%%PDF-1.7\n' >paper.pdf
printf 'FLR\0\0\2\0\0' >app.jfr
printf 'gmon\1\0\0\0' >gmon.out
printf 'SQLite format 3\0' >base.sqlite
printf '\xd4\xc3\xb2\xa1\2\0\4\0' >net.pcap
printf '<!DOCTYPE html>\n<html></html>\n' >page.html
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n' >perf.data
printf '# callgrind format\nversion: 1\n' >callgrind.out
printf '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}}]}' >app.cpuprofile
printf '{"traceEvents":[{"ph":"X"}]}' >trace.json
printf '{"$schema":"https://www.speedscope.app/file-format-schema.json"}' >speed.json
printf '{"a":1}' >other.json
printf 'ffffffff81000000 T _text\n' >kallsyms
printf '#!/usr/bin/env python3\nprint(1)\n' >run.py
printf '# started on today\n\n Performance counter stats for true:\n' >stat.txt
head -c 20 program >core && printf '\4' | dd of=core bs=1 seek=16 conv=notrunc status=none

kind source.c "source code" "$record"
kind script.js "source code" "$record"
kind run.py "a script" "$record"
kind program "an ELF program or library" "$names"
kind core "a core dump" "read it with gdb"
kind calc10.dll "a program or library of Windows or .NET" "$names"
kind jit-8292.dump "a jitdump" "$names"
kind perf-8292.map "a list of addresses and names" "$names"
kind kallsyms "a list of addresses and names" "$names"
kind picture.png "a PNG picture" "$drawn"
kind picture.jpg "a JPEG picture" "$drawn"
kind picture.svg "an SVG picture" "$drawn"
kind paper.pdf "a PDF document" "$drawn"
kind page.html "an HTML page" "$drawn"
kind app.jfr "a recording of JDK Flight Recorder" "convert it to folded stacks with jfrconv -o collapsed of async-profiler"
kind gmon.out "a profile of gprof, which has no stacks" "$record"
kind callgrind.out "a profile of callgrind" "print it with callgrind_annotate"
kind app.cpuprofile "a CPU profile of V8" "record one with node --perf-basic-prof and perf record -g"
kind trace.json "a trace of Chrome" "$record"
kind speed.json "a profile of speedscope" "give the profile from which it was made"
kind other.json "JSON of an unknown kind" "$record"
kind stat.txt "a summary of perf stat, which has no samples" "$record"
kind base.sqlite "a SQLite database" "$record"
kind net.pcap "a capture of network packets" "$record"
kind perf.data "a pointer of Git LFS" "fetch the file itself with git lfs pull"
kind readme "text of an unknown kind" "$record"

# Compressed, in an archive, in a directory.
gzip -k app.jfr
kind app.jfr.gz "a recording of JDK Flight Recorder" "convert it to folded stacks with jfrconv -o collapsed of async-profiler"
mkdir empty folder && cp app.jfr readme folder
tar -cf both.tar source.c app.jfr
tar -cf neither.tar source.c readme
reports() { "$BIN/psym" "$1" 2>&1 | grep -qE "$2"; }
check "an archive with a profile of another format" reports both.tar '^psym: app.jfr: this is a recording of JDK'
check "a directory with one" reports folder '^psym: app.jfr: this is a recording of JDK'
check "an archive without one" reports neither.tar '^psym: neither.tar: no perf.data or perf script text in it$'
check "an empty directory" reports empty '^psym: empty: contains no files; give a profile'
finish
