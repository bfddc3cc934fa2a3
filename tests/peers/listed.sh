#!/bin/bash
# `go tool pprof -list` and `-disasm` of psym's pprof have the lines, instructions and weights of
# pannotate: a recursive C program without PIE.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
needs perf gcc go objdump python3
cat >work.c <<'END'
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static unsigned mixture(unsigned a, unsigned b)
{
	a ^= b * 2654435761u;
	a = (a << 13) | (a >> 19);
	return a * 5 + 1;
}
__attribute__((noinline)) static unsigned hashing(const unsigned char *p, unsigned n)
{
	unsigned h = 7;
	for (unsigned i = 0; i < n; i++)
		h = mixture(h, p[i]);
	return h;
}
__attribute__((noinline)) static unsigned fibonacci(unsigned n)
{
	if (n < 2)
		return n;
	return fibonacci(n - 1) +
	       fibonacci(n - 2);
}
int main(void)
{
	static unsigned char text[50000];
	unsigned sum = 0;
	for (unsigned i = 0; i < 2000; i++) {
		text[i] = (unsigned char)sum;
		sum += hashing(text, sizeof(text));
		sum += fibonacci(20);
	}
	printf("%u\n", sum);
	return 0;
}
END
gcc -g -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -no-pie -o work work.c || exit 1
perf record -q -e cpu-clock -F 2000 -g -o perf.data ./work >/dev/null 2>&1 || exit 1
"$BIN/psym" -q --to pprof -o work.pb.gz perf.data || exit 1

cat >compare.py <<'END'
"""compare.py COLUMN FUNCTION - the rows of go, on standard input, and those of pannotate, in FUNCTION.csv."""
import csv
import re
import sys

column, function = sys.argv[1:]
go, want = {}, {}
for row in sys.stdin:
    if m := re.match(r' *([0-9.]+)(?:ns)? +([0-9.]+)(?:ns)? +([0-9a-f]+):', row):
        go[m[3]] = tuple(0 if n == '.' else int(n) for n in m.group(1, 2))
for row in csv.DictReader(open(function + '.csv')):
    key = row[column].removeprefix('0x')
    want[key] = tuple(a + int(row[b]) for a, b in zip(want.get(key, (0, 0)), ('self', 'total')))
if column == 'address':
    # go omits the last instruction of some functions.
    last = max(go)
    want = {key: sums for key, sums in want.items() if key <= last}
for key in go.keys() | want.keys():
    sums, wanted = go.get(key, (0, 0)), want.get(key, (0, 0))
    # pannotate counts the outermost frame of a recursive function, and go counts each line once.
    if sums[0] != wanted[0] or (function != 'fibonacci' and sums != wanted):
        sys.exit(f'{column} {key}: go has {sums}, pannotate {wanted}')
if not any(sum(sums) for sums in want.values()):
    sys.exit('no weights')
END
go_rows() { go tool pprof -unit=ns "$@" work.pb.gz 2>/dev/null; }
for function in mixture hashing fibonacci main; do
	"$BIN/pannotate" -q --no-inline --to csv "$function" perf.data >"$function.csv"
	go_rows -list "^$function\$" >rows
	check "-list $function" python3 compare.py line "$function" <rows
	go_rows -disasm "$function" >rows
	check "-disasm $function" python3 compare.py address "$function" <rows
done
finish
