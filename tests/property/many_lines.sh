#!/bin/bash
# More distinct lines and stacks than are remembered: each is named and counted as the first was.
. "$TOP/tests/check.sh"
export LC_ALL=C
cd "$TMPDIR" || exit 2

# sample COMM FRAME... in awk: a sample of pid 7 whose frames are given.
sample='function sample(comm, n, frame,   i) {
	printf "%s 7/7 [000] %d.000000: 1 cycles:\n", comm, ++at
	for (i = 1; i <= n; i++)
		print frame[i]
	print ""
}'

# 40,000 addresses of JIT code, each sampled twice, far from each other.
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "7f00%08x 10 method_%d\n", i * 16, i }' \
	>perf-7.map
awk "$sample"'BEGIN { for (k = 0; k < 2; k++) for (i = 0; i < 40000; i++) {
	frame[1] = sprintf("\t    7f00%08x [unknown] (/tmp/perf-7.map)", i * 16 + 4)
	sample("app", 1, frame) } }' >unnamed.txt
awk 'BEGIN { for (i = 0; i < 40000; i++) print "app;method_" i "_[j] 2" }' | sort >want
"$BIN/pfold" -q --no-host -m perf-7.map unnamed.txt | grep -v '^#' | sort >got
same 'each address is named each time' want got
"$BIN/psym" -q --no-host -m perf-7.map unnamed.txt | grep -c 'method_.*+0x4 (/tmp/perf-7.map)$' >count
echo 80000 >want
same 'psym names them all' want count

# 160,000 stacks of 400 functions by 400, each sampled twice.
awk "$sample"'BEGIN { for (k = 0; k < 2; k++) for (i = 0; i < 400; i++) for (j = 0; j < 400; j++) {
	frame[1] = sprintf("\t%16x leaf_%d+0x4 (/srv/app/server)", 4096 + i * 64, i)
	frame[2] = sprintf("\t%16x root_%d+0x4 (/srv/app/server)", 65536 + j * 64, j)
	sample("app", 2, frame) } }' >stacks.txt
awk 'BEGIN { for (i = 0; i < 400; i++) for (j = 0; j < 400; j++)
	printf "app;root_%d;leaf_%d 2\n", j, i }' | sort >want
"$BIN/pfold" -q --no-host stacks.txt | grep -v '^#' | sort >got
same 'each stack is counted twice' want got
finish
