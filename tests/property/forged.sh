#!/bin/bash
# No name makes a line of its own in what psym and pmerge print, none drives a terminal, and
# none becomes a file name that does.
. "$TOP/tests/check.sh"
needs perl
cd "$TMPDIR" || exit 1
mkdir d
tar -xzf "$TOP/fixtures/sarif8.prof.tar.gz" -C d

# --- a comm that would be a sample and a frame of its own ---
i=0
for comm in 'a\nb\n\tc\n' 'x\n\tdead f (x)\n' '\n\n\n\n\n\n\n\n\n\n\n\n\n\n' '\tdead f (x)' 'a\n\n\tb (c)\n' \
	'a 1 2.000000: 7' '7 [000] 1.0: 9' '1 1.0: 2 2.0: e'; do
	i=$((i + 1))
	perl -0777 -pe '($to = q('"$comm"')) =~ s/\\n/\n/g; $to =~ s/\\t/\t/g;
		$to .= " " x (15 - length $to); s/Sarif[.]Multitool?/substr($to, 0, 15)/ge' d/perf.data >comm$i.data
	check "comm $i is there" [ "$(cmp -l d/perf.data comm$i.data | wc -l)" -ge 14 ]
	"$BIN/psym" -q --no-host comm$i.data >text
	"$BIN/pfold" -q --no-host comm$i.data | grep -v '^#' >want
	"$BIN/pfold" -q text | grep -v '^#' >got
	[ "$(sed 's/.* //' want | paste -sd+ | bc)" = "$(sed 's/.* //' got | paste -sd+ | bc)" ] &&
		[ "$(wc -l <want)" = "$(wc -l <got)" ]
	report $? "comm $i counts no stack that was not there"
done

# --- a symbol and a mapping with a newline, in text and in a perf map ---
perl -0777 -pe 's/libcoreclr\.so/lib\n\tf \(x/g' d/perf.data >odd.data
"$BIN/psym" -q --no-host d/perf.data | wc -l >want
"$BIN/psym" -q --no-host odd.data | wc -l >got
same "a mapping makes no line" want got
"$BIN/psym" -q --no-host --show-mmap-events d/perf.data | wc -l >want
"$BIN/psym" -q --no-host --show-mmap-events odd.data | wc -l >got
same "nor does its record" want got

# --- a terminal ---
perl -0777 -pe 's/Sarif[.]Multit/\e]0;owned\a\x{c2}\x{9b}/g; s/libcoreclr\.so/a\x{e2}\x{80}\x{ae}b\e[2J\r\x7fxx/g' \
	d/perf.data >screen.data
odd='\x1b|\r(?!\n)|\x07|\x7f|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c'
"$BIN/psym" -q --no-host screen.data | LC_ALL=C grep -aqP "$odd"
report $? "a file gets the bytes as they are"
if command -v script >/dev/null; then
	for tool in psym pfold; do
		script -qec "stty -onlcr; '$BIN/$tool' --no-host --coverage screen.data" /dev/null \
			</dev/null >shown 2>&1
		check "$tool writes to the terminal" [ "$(wc -c <shown)" -gt 1000 ]
		! LC_ALL=C grep -aqP "$odd" shown
		report $? "$tool: nothing that steers it"
	done
else
	echo "not ok a terminal # SKIP script is not installed"
fi

# --- files named after members ---
dll=$(printf 'calc\n\033[31m\342\200\256.dll')
mkdir images images-out
cp "$TOP/fixtures/r2r/x64/calc10.dll" "images/$dll"
"$BIN/pmerge" --relative -o images-out/ images >/dev/null 2>err
check "pmerge -o DIR/ makes the file" [ "$(find images-out -type f | wc -l)" = 1 ]
find images-out -type f -print0 | LC_ALL=C grep -aqzP '[\x01-\x1f\x7f]|\xe2\x80\xae'
[ $? = 1 ]
report $? "its name steers no terminal"
finish
