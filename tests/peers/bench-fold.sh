#!/bin/bash
# Folding perf script text, as ratios in one run: the texts of fixtures/ one behind the other, twice;
# MIX=FILE, a recording of a whole machine; and MB (500) of gen-script's, which repeats few lines.
# Beside wc -l, which only looks for line ends, and the peers below PEERS=DIR.  User and system time
# and peak memory, medians of RUNS (5) in turn, on one processor; stackcollapse-perf.pl runs once.
set -u
export LC_ALL=C
mb=${MB:-500} runs=${RUNS:-5}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

for archive in "$TOP"/fixtures/*.prof.tar.gz; do
	tar xzOf "$archive" --wildcards '*perf_script.out' 2>/dev/null
done >"$work/once"
cat "$work/once" "$work/once" >"$work/fixtures"
"$BIN/peers/gen-script" "$mb" >"$work/gen-script" || exit 2
[ -z "${MIX:-}" ] || ln -s "$(realpath "$MIX")" "$work/mix"
taskset -pc 0 $$ >/dev/null 2>&1

# rows TEXT RUNS COMMAND... - pfold and another program that reads a text.
rows()
{
	local text=$1 n=$2
	shift 2
	"$TOP/tests/peers/spent.py" "$n" "$BIN/pfold" -q --no-host "$work/$text" -- \
		"$@" "$work/$text" |
		awk -v text="$text" -v peer="${1##*/}" '{ if ($1 == "-") exit 2; s[NR] = $1; mb[NR] = $3 }
			END { if (NR == 2) printf "%-11s pfold %7.3f s %4.0f MB   %-21s %7.3f s %4.0f MB" \
				"   ratio %.2f\n", text, s[1], mb[1], peer, s[2], mb[2], s[1] / (s[2] + 1e-6) }'
}

for text in fixtures mix gen-script; do
	[ -e "$work/$text" ] || continue
	echo "$text: $(($(stat -Lc %s "$work/$text") / 1000000)) MB of perf script text"
	rows "$text" "$runs" wc -l
	for name in inferno-collapse-perf stackcollapse-perf.pl; do
		peer=$(find -L "${PEERS:-/nonexistent}" -maxdepth 3 -name "$name" -type f -perm -u+x \
			2>/dev/null | head -n 1)
		case $peer in
		'') echo "$name: not below PEERS=${PEERS:-}" ;;
		*.pl) rows "$text" 1 "$peer" ;;
		*) rows "$text" "$runs" "$peer" -n 1 ;;
		esac
	done
done
