#!/bin/bash
# Names of native code, as ratios: 190,000 samples (SAMPLES=N takes others) all over this
# build's programs and the C library, by psym and perf script; and a million addresses of
# the C library, of 4,896 distinct ones as profiles have (DISTINCT=N takes others), with
# inlined functions, by psym and llvm-symbolizer.
set -u
export LC_ALL=C
samples=${SAMPLES:-190000} addresses=${ADDRESSES:-1000000} distinct=${DISTINCT:-4896} runs=${RUNS:-3}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%3U %3S'
libc=$(ldd "$BIN/psym" | sed -n 's/.*libc[.]so.* => \([^ ]*\) .*/\1/p')
libc=$(realpath "$libc")
files=("$BIN"/{psym,pfold,pmerge,pflame} "$libc")
"$BIN/peers/gen-perfdata" "$samples" "${files[@]}" >"$work/perf.data" || exit 2
sources=(--trust-host)

middle() { sort -n | sed -n "$((runs / 2 + 1))p"; }

# times NAME COMMAND ... - the middle of several runs, in seconds of processor time.
times()
{
	for ((i = 0; i < runs; i++)); do
		{ time "${@:2}" >"$work/$1" 2>"$work/err" </dev/null; } 2>&1
	done | awk '{ print $1 + $2 }' | middle
}
# against WHAT OURS THEIRS NAME
against()
{
	awk -v w="$1" -v o="$2" -v t="$3" -v n="$4" 'BEGIN {
		printf "%-44s psym %7.3f s, %s %7.3f s: %.3f\n", w, o, n, t, o / (t > 0 ? t : 0.001) }'
}
peak() { /usr/bin/time -f %M "$@" 2>&1 >/dev/null </dev/null | tail -1 | awk '{ printf "%.0f MB", $1 / 1024 }'; }

psym=("$BIN/psym" -q "${sources[@]}" --perf-compat)
if command -v perf >/dev/null; then
	theirs=$(times perf perf script --no-inline -i "$work/perf.data")
	ours=$(times psym "${psym[@]}" --no-inline "$work/perf.data")
	against "$samples samples, names" "$ours" "$theirs" "perf script"
	cmp -s "$work/perf" "$work/psym" || echo "	(they differ)"
	ours=$(times inlined "$BIN/psym" -q -F +srcline "${sources[@]}" "$work/perf.data")
	against "inlined functions and lines, perf without" "$ours" "$theirs" "perf script"
else
	echo "perf: not installed"
fi
[ -x /usr/bin/time ] &&
	echo "	resident: $(peak "${psym[@]}" --no-inline "$work/perf.data"), inlined functions and lines: $(
		peak "$BIN/psym" -q -F +srcline "${sources[@]}" "$work/perf.data")"

if command -v llvm-symbolizer >/dev/null; then
	read -r va off size < <(objdump -h "$libc" | awk '$2 == ".text" { print $4, $6, $3 }')
	id=$(readelf -n "$libc" | sed -n 's/.*Build ID: //p')
	debug=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
	[ -e "$debug" ] || debug=$libc
	awk -v n="$addresses" -v va="$((0x$va))" -v off="$((0x$off))" -v size="$((0x$size))" \
		-v distinct="$distinct" -v list="$work/list" -v text="$work/text" -v file="$libc" 'BEGIN {
		for (i = 0; i < n; i++) {
			at = int(size / distinct * (i * 7919 % distinct))
			printf "0x%x\n", va + at >list
			printf "app 1 1.0: 1 x:\n\t%x [unknown] (%s)\n\n", off + at, file >text
		} }'
	read -r first bytes < <(readelf -lW "$libc" | awk '$1 == "LOAD" && / R E / { print $2, $5 }')
	begin=$((first & ~4095)) end=$(((first + bytes + 4095) & ~4095))
	printf '7f0000000000-%x r-xp %08x 08:01 5 %s\n' $((0x7f0000000000 + end - begin)) \
		"$begin" "$libc" >"$work/maps-1.txt"
	theirs=$(runs=1 times symbolizer sh -c \
		'llvm-symbolizer --obj="$0" --inlines <"$1"' "$debug" "$work/list")
	ours=$(times psym "$BIN/psym" -q "${sources[@]}" -m "$work/maps-1.txt" -m "$libc" \
		-m "$debug" "$work/text")
	against "$addresses addresses, inlined functions" "$ours" "$theirs" llvm-symbolizer
else
	echo "llvm-symbolizer: not installed"
fi
