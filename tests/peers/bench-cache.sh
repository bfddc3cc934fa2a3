#!/bin/bash
# ARCHIVES=20 archives that hold a profile and 40 megabytes of binaries, in one run: with
# an empty cache and with a warm one, as ratios of time and of processor time.  And as many
# different profiles of the same libraries of this machine, each by a run of its own:
# without a cache, and with one that is empty at first.
set -u
export LC_ALL=C
archives=${ARCHIVES:-20}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%R %U %S'
mkdir -p "$work/all/usr/lib" "$work/in"
tar -xzf "$TOP/fixtures/web10.prof.tar.gz" -C "$work/all"
# Whatever libraries this machine has: they only have to be unpacked and looked at.
find -L /usr/lib -maxdepth 2 -name 'lib*.so.*' -type f -size +500k 2>/dev/null | sort |
	while read -r lib; do
		[ "$(du -sm "$work/all" | cut -f1)" -lt 40 ] || break
		cp "$lib" "$work/all/usr/lib/"
	done
tar -czf "$work/one.tar.gz" -C "$work/all" .
for ((i = 0; i < archives; i++)); do
	cp "$work/one.tar.gz" "$work/in/$i.tar.gz"
done
sleep 0.3 # what is younger is not kept

once()
{
	{ time "$BIN/psym" -q --no-host --cache="$work/cache" -o "$work/out/" "$work"/in/* \
		2>/dev/null; } 2>&1 | awk '{ print $1, $2 + $3 }'
}
cold=$(once)
warm=$(once)
echo "naming $archives archives of $(stat -c %s "$work/one.tar.gz") bytes"
echo "$cold $warm" | awk '{
	printf "%-12s %8.3f s, %8.3f s of the processor\n", "empty cache", $1, $2
	printf "%-12s %8.3f s, %8.3f s of the processor: %.3f and %.3f of it\n", "warm cache",
		$3, $4, $3 / $1, $4 / $2 }'

libraries=()
for f in $(ldd "$BIN/psym" | sed -n 's/.* => \([^ ]*\) .*/\1/p') "$(command -v node)"; do
	libraries+=("$(realpath "$f")")
done
"$BIN/peers/gen-perfdata" 1 "${libraries[@]:0:12}" >/dev/null || exit 2
for ((i = 0; i < archives; i++)); do
	"$BIN/peers/gen-perfdata" $((1000 + i)) "${libraries[@]:0:12}" >"$work/$i.data"
done
# each OPTION ... - the processor time of each, then of all.
each()
{
	for ((i = 0; i < archives; i++)); do
		{ time "$BIN/psym" -q --trust-host "$@" "$work/$i.data" >/dev/null 2>&1; } 2>&1
	done | awk '{ t = $2 + $3; all += t } NR == 1 { first = t } END { print first, all }'
}
without=$(each --no-cache)
with=$(each --cache "$work/tables")
echo "$without $with $archives" | awk '{
	printf "%d profiles of the same libraries, CPU: %.3f s without, %.3f s with: %.3f of it\n",
		$5, $2, $4, $4 / $2
	printf "\tthe first %.3f s, each of the others %.3f s instead of %.3f s\n",
		$3, ($4 - $3) / ($5 - 1), $2 / $5 }'
