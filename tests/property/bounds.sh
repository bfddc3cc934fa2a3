#!/bin/bash
# What an input may make of itself is bounded where nobody said how far.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
{
	printf 'a 1 1.000001: 1 cycles: \n\t401136 main (/srv/app)\n\n'
	head -c 300000000 /dev/zero
} | gzip -9 >bomb.txt.gz
check "a small file that unpacks to 300 MB" [ "$(stat -c %s bomb.txt.gz)" -lt 1000000 ]
for tool in psym pfold pmerge; do
	"$BIN/$tool" --no-host bomb.txt.gz >out 2>err
	check "$tool: does not unpack it" [ $? = 2 ]
	check "$tool: says the bound" grep -q 'exceeds the limit of 268435456 unpacked bytes (--max-spool) and is left out' err
done
"$BIN/psym" --no-host --max-spool 400M bomb.txt.gz >out 2>err
check "--max-spool lifts it" grep -q main out
finish
