#!/bin/bash
# Printing 190,000 samples of perf.data (SAMPLES=N takes others), made with a fixed seed:
# psym and perf script in turn, without a name on either side, as a ratio.  DATA=FILE, a perf.data
# of a whole machine: user and system time and peak memory on one processor, with the files of this
# machine, beside perf script --no-inline.  Then psym over MB=500 megabytes of text.
set -u
export LC_ALL=C
samples=${SAMPLES:-190000} runs=${RUNS:-5}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%R
mkdir "$work/empty"
"$BIN/peers/gen-perfdata" "$samples" >"$work/perf.data" || exit 2

middle() { sort -n | sed -n "$((runs / 2 + 1))p"; }

once()
{
	{ time "$@" >"$work/out" 2>"$work/err" </dev/null; } 2>&1
}

psym=("$BIN/psym" -q --no-host --perf-compat "$work/perf.data")
perf=(perf script --symfs "$work/empty" -i "$work/perf.data")
command -v perf >/dev/null || perf=()
for ((i = 0; i < runs; i++)); do
	once "${psym[@]}" >>"$work/psym.s"
	[ ${#perf[@]} = 0 ] || once "${perf[@]}" >>"$work/perf.s"
done
ours=$(middle <"$work/psym.s")
echo "printing $samples samples of perf.data"
printf '%-28s %8.3f s\n' psym "$ours"
if [ ${#perf[@]} = 0 ]; then
	echo "perf script: not installed"
else
	awk -v o="$ours" -v t="$(middle <"$work/perf.s")" 'BEGIN {
	printf "%-28s %8.3f s %8.2f x psym\n", "perf script", t, t / (o > 0 ? o : 0.001) }'
fi

# beside_perf NAME COMMAND... - the command over $DATA, and perf script.
beside_perf()
{
	local name=$1
	shift
	taskset -c 0 "$TOP/tests/peers/spent.py" "$runs" "$@" "$DATA" -- \
		perf script --no-inline -i "$DATA" |
		awk -v name="$name" '{ if ($1 == "-") exit 2; s[NR] = $1; mb[NR] = $3 }
			END { if (NR == 2) printf "%-17s %7.2f s %4.0f MB   perf script %7.2f s %4.0f MB" \
				"   ratio %.2f\n", name, s[1], mb[1], s[2], mb[2], s[1] / (s[2] + 1e-6) }'
}
if [ -n "${DATA:-}" ] && [ ${#perf[@]} != 0 ]; then
	echo "$(($(stat -Lc %s "$DATA") / 1000000)) MB of perf.data"
	beside_perf 'psym --no-inline' "$BIN/psym" -q --no-inline
	beside_perf psym "$BIN/psym" -q
	beside_perf pfold "$BIN/pfold" -q
fi

# Text with nothing to name: to wc -l, which only looks for line ends.
mb=${MB:-500}
"$BIN/peers/gen-script" "$mb" >"$work/text" || exit 2
cat "$work/text" >/dev/null
for ((i = 0; i < runs; i++)); do
	once wc -l "$work/text" >>"$work/wc.s"
	{ time "$BIN/psym" -q --no-host "$work/text" >/dev/null; } 2>>"$work/text.s"
	once "$BIN/psym" --no-host -o /dev/null "$work/text" >>"$work/counted.s"
done
awk -v mb="$mb" -v o="$(middle <"$work/text.s")" -v c="$(middle <"$work/counted.s")" \
	-v t="$(middle <"$work/wc.s")" 'BEGIN {
	printf "copying %d MB of text\n%-28s %8.3f s %8.1f x wc -l\n", mb, "psym -q", o,
		o / (t > 0 ? t : 0.001)
	printf "%-28s %8.3f s %8.1f x wc -l\n", "psym, with its summary", c,
		c / (t > 0 ? t : 0.001) }'
