#!/bin/bash
# Starting the filters: --version, and ten stacks or so of input, beside an empty program linked with
# the same libraries.  User and system time of RUNS (200) runs in turn, as the mean of one.
set -u
export LC_ALL=C
runs=${RUNS:-200}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
echo 'int main(void) { return 0; }' >"$work/empty.c"
for i in 1 2 3 4 5 6 7 8 9 10; do
	printf 'web;main;serve;step%d %d\n' "$i" "$i" >>"$work/folded"
	printf 'web %d [000] %d.5: 1 cycles:\n\t%x step%d (/srv/app)\n\t401136 main (/srv/app)\n\n' \
		"$i" "$i" "$((i + 4096))" "$i" >>"$work/text"
	printf 'web 7 [000] %d.5: 1 cycles:\n\t%x [unknown] (/tmp/perf-7.map)\n\n' \
		"$i" "$((i * 16 + 65536))" >>"$work/jit"
	printf '%x 10 method%d\n' "$((i * 16 + 65536))" "$i" >>"$work/perf-7.map"
done

# empty NAME - a program that does nothing, with the libraries of a filter.
empty()
{
	local libs
	mapfile -t libs < <(readelf -d "$BIN/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/-l:\1/p')
	"${CC:-cc}" -O2 -Wl,--no-as-needed -o "$work/empty-$1" "$work/empty.c" "${libs[@]}"
}

# row NAME ARGUMENT...
row()
{
	local name=$1
	shift
	"$TOP/tests/peers/spent.py" "$runs" "$BIN/$name" "$@" -- "$work/empty-$name" |
		awk -v name="$name ${*##*/}" '{ if ($2 == "-") exit 2; ms[NR] = $2 * 1000 }
			END { if (NR == 2) printf "%-28s %6.2f ms %6.2f ms more than an empty program\n",
				name, ms[1], ms[1] - ms[2] }'
}

for name in psym pfold pflame pmerge; do
	empty "$name" || exit 2
	row "$name" --version
done
row psym -q --no-host "$work/text"
row pfold -q --no-host "$work/text"
row pflame -q "$work/folded"
row pmerge -q -m "$work/perf-7.map" "$work/jit"
