#!/bin/bash
# Samples weighed by fields of tracepoints and probes: pfold --weight beside what the program
# has read, and beside the fields that perf script prints, summed by awk.
. "$TOP/tests/check.sh"
needs perf gcc
cd "$TMPDIR" || exit 1

gcc -O1 -g -D_GNU_SOURCE -fno-omit-frame-pointer -fno-optimize-sibling-calls -o reads "$TOP/tests/peers/reads.c"
check "the program is built" [ -x reads ]

perf_at() { perf --buildid-dir "$TMPDIR/buildids" "$@"; }
trap 'perf probe -q -d "probe_reads:take_$$" -d "sdt_reads:took" 2>/dev/null' EXIT
if ! perf_at probe -q -x ./reads "take_$$=take amount" 2>err ||
	! perf_at buildid-cache --add ./reads 2>err || ! perf_at probe -q sdt_reads:took 2>err ||
	! perf record -q -g -o perf.data -e "syscalls:sys_exit_read,probe_reads:take_$$,sdt_reads:took" \
		./reads >measured 2>err; then
	echo "perf cannot record probes here: $(tail -n 1 err)"
	exit 77
fi
perf script -i perf.data -F comm,pid,tid,cpu,time,event,trace,ip,sym,dso >perf.txt 2>/dev/null

# sum FUNCTION: the weight of stacks that end in it, in what standard input folds.
sum() { awk -v f=";$1" '!/^#/ { w = $NF; sub(/ [0-9]*$/, "") } substr($0, length($0) - length(f) + 1) == f { n += w } END { print n + 0 }'; }
amount() { awk -v f="$1" '$1 == f { print $2 }' measured; }

for from in perf.data perf.txt; do
	"$BIN/pfold" --weight ret --event syscalls:sys_exit_read "$from" >ret 2>said
	for f in read_small read_large read_nothing; do
		want=$(amount $f)
		[ $f != read_nothing ] || want=0
		check "$from: bytes that $f has read" [ "$(sum $f <ret)" = "$want" ]
	done
	check "$from: they are bytes" grep -q '^# pfold event=syscalls:sys_exit_read .* unit=bytes$' ret
	check "$from: reads that failed are counted and left out" \
		grep -q " $(amount read_nothing) of a negative weight left out" said

	for probe in "probe_reads:take_$$ amount" "sdt_reads:took arg1"; do
		read -r event field <<<"$probe"
		"$BIN/pfold" --event "$event" --weight "$field:items" "$from" >amounts 2>said
		check "$from: amounts that $event was passed" \
			[ "$(sum take <amounts)" = "$(amount take_amounts)" ]
		check "$from: their unit is as given" grep -q ' unit=items$' amounts
		check "$from: two amounts were negative" grep -q ', 2 of a negative weight left out' said
	done
	"$BIN/pfold" --weight nonesuch "$from" >none 2>said
	check "$from: no such field is status 2" [ $? = 2 ]
	check "$from: the fields that there are are listed" \
		grep -q 'there are: .*ret.*amount.*arg1' said
done

# All of the program's reads, those of the loader as well, as perf prints them.
want=$(perf script -i perf.data -F event,trace 2>/dev/null | awk '
	function digit(c) { return index("0123456789abcdef", c) - 1 }
	/sys_exit_read:/ && length($NF) < 18 { v = 0; for (i = 3; i <= length($NF); i++) v = v * 16 + digit(substr($NF, i, 1)); n += v }
	END { print n + 0 }')
got=$("$BIN/pfold" -q --weight ret --event syscalls:sys_exit_read perf.data | awk '!/^#/ { n += $NF } END { print n + 0 }')
check "all bytes read, as perf script has them ($want, $got)" [ "$want" = "$got" ]

# How long calls took: the same as awk finds it, and no longer than the program took.
pair=syscalls:sys_enter_nanosleep..syscalls:sys_exit_nanosleep
perf record -q -g -o waits.data -e "${pair/../,},syscalls:sys_enter_read,syscalls:sys_exit_read" \
	./reads >measured 2>err
perf script --ns -i waits.data >waits.txt 2>/dev/null
want=$(awk '/sys_e[a-z]*_nanosleep:/ { match($0, /[0-9]+[.][0-9]+: /); split(substr($0, RSTART, RLENGTH - 2), t, ".")
	ns = t[1] % 100000 * 1e9 + t[2] } /sys_enter_nanosleep:/ { begin = ns }
	/sys_exit_nanosleep:/ { n += ns - begin } END { printf "%.0f", n }' waits.txt)
for from in waits.data waits.txt; do
	got=$("$BIN/pfold" -q --weight-of $pair "$from" | sum wait_long)
	check "$from: time in nanosleep is what awk finds ($want, $got)" [ "$got" = "$want" ]
	check "$from: and what the program measured, or less" \
		[ "$got" -ge 50000000 -a "$got" -le "$(awk '$1 == "wait_long" { print $3 }' measured)" ]
done
# Bytes of the middle are overwritten: no pair is made across them.
cp waits.data damaged.data
size=$(stat -c %s waits.data)
head -c 2048 /dev/zero | tr '\0' '\377' | dd of=damaged.data bs=1 seek=$((size / 16 * 8)) conv=notrunc status=none
reads=${pair//nanosleep/read}
whole=$("$BIN/pfold" -q --weight-of "$reads" waits.data | awk '!/^#/ { n += $NF } END { print n + 0 }')
"$BIN/pfold" --weight-of "$reads" damaged.data >some 2>said
status=$?
part=$(awk '!/^#/ { n += $NF } END { print n + 0 }' some)
check "damage costs time and adds none ($whole, $part)" [ "$part" -lt "$whole" -a "$part" -gt 0 ]
check "and is status 1" [ $status = 1 ]

if perf record -q -g -o kmalloc.data -e kmem:kmalloc ./reads >/dev/null 2>err; then
	want=$(perf script -i kmalloc.data -F event,trace 2>/dev/null |
		sed -n 's/.* bytes_alloc=\([0-9]*\).*/\1/p' | awk '{ n += $1 } END { print n + 0 }')
	got=$("$BIN/pfold" -q --weight bytes_alloc kmalloc.data | awk '!/^#/ { n += $NF } END { print n + 0 }')
	check "bytes that the kernel allocated, as perf script has them ($want, $got)" \
		[ "$want" = "$got" ]
fi
finish
