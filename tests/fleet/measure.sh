#!/bin/bash
# measure.sh ARCHIVES - how long all of them take: wall seconds, the processor time of one, and
# archives an hour and core.
#
# Two workers are held against two programs that know nothing of each other, each with half of
# the archives, in the same run: what the machine has to give.
set -u
archives=("$1"/*.tar.gz)
n=${#archives[@]} half=$((${#archives[@]} / 2))
export PATH=$BIN:$PATH
script=$TOP/cmd/resymbolize
cd "$TMPDIR" || exit 1
[ "$(nproc)" = 2 ] || echo "(this machine has $(nproc) processors)"

# timed NAME COMMAND ... - sets $took, in ms.
timed()
{
	local name=$1 TIMEFORMAT='%R %U %S'
	shift
	sync
	{ time "$@" >said 2>&1; } 2>took.txt
	took=$(awk '{ printf "%.0f", $1 * 1000 }' took.txt)
	awk -v name="$name" -v n="$n" '{ printf "%-52s %9.2f s %8.1f ms each of a processor\n", name, $1, ($2 + $3) * 1000 / n }' took.txt
}
ratio() { awk -v name="$1" -v a="$2" -v b="$3" 'BEGIN { printf "%-52s %9.2f\n", name, a / b }'; }
two_programs()
{
	pfold -q --no-host --no-cache -o "$1/a/" "${archives[@]:0:half}" &
	pfold -q --no-host --no-cache -o "$1/b/" "${archives[@]:half}" &
	wait
}
drop() { { sync; echo 3 >/proc/sys/vm/drop_caches; } 2>/dev/null || echo "(the page cache stays warm)"; }

echo "$n archives, $(du -chL "${archives[@]}" | tail -n 1 | cut -f 1)"
cat "${archives[@]}" >/dev/null
for round in 1 2 3; do
	echo "-- round $round"
	rm -rf one two apart
	timed "pfold -j 1" pfold -q --no-host --no-cache -j 1 -o one/ "${archives[@]}"
	one=$took
	timed "pfold -j 2" pfold -q --no-host --no-cache -j 2 -o two/ "${archives[@]}"
	two=$took
	timed "two programs, half of them each" two_programs apart
	apart=$took
	ratio "pfold -j 2 is faster by" "$one" "$two"
	ratio "that of what two programs reach" "$apart" "$two"
	diff -r one two || exit 1
done
mapfile -t folds < <(find one -type f)
for round in 1 2 3; do
	echo "-- parts, round $round"
	rm -rf kept drawn
	timed "pflame -j 1" pflame -q -j 1 -o drawn/ "${folds[@]}"
	timed "pfold -j 1, the cache is empty" pfold -q --no-host --cache kept -j 1 -o two/ "${archives[@]}"
	timed "pfold -j 1, archives in the cache" pfold -q --no-host --cache kept -j 1 -o two/ "${archives[@]}"
	diff -r one two || exit 1
done
for round in 1 2 3; do
	echo "-- resymbolize, round $round"
	rm -rf n1 n2
	timed "one worker" "$script" -j 1 -o n1 "$1"
	one=$took
	timed "two workers" "$script" -j 2 -o n2 "$1"
	two=$took
	ratio "two workers are faster by" "$one" "$two"
	printf '%-52s %9d\n' "archives an hour and core, cold cache" $((n * 3600000 / one))
	timed "again: all is done" "$script" -j 2 -o n2
	ratio "that of the first pass" "$took" "$two"
	rm -rf n2/each
	timed "anew, the cache warm" "$script" -j 2 -o n2
	ratio "that of the first pass" "$took" "$two"
	diff <("$TOP/tests/fleet/results.sh" n1) <("$TOP/tests/fleet/results.sh" n2) || exit 1
done
drop
timed "one worker, nothing in the page cache" "$script" -j 1 -o n3 "$1"
echo "-- sizes"
du -sh n1/each n1/cache | sed 's/^/    /'
for program in pfold psym; do
	/usr/bin/time -f "$program: %M KB at most, %U s user, %S s system for one archive" \
		$program -q --no-host --no-cache -o /dev/null "${archives[0]}"
done
