#!/bin/bash
# pfold beside stackcollapse-perf.pl and inferno-collapse-perf, looked for below
# PEERS: the same weight for each thread name, and the same inclusive weight for
# each function whose name is a plain word (the tools spell the others differently,
# and drop some).
set -u
if [ -z "${PEERS:-}" ]; then
	echo 'PEERS=DIR names no directory with stackcollapse-perf.pl or inferno-collapse-perf'
	exit 77
fi
export LC_ALL=C
failed=0 count=0

# weigh by_root|by_function FILE
weigh()
{
	awk -v what="$1" '{
		w = $NF
		sub(/ [0-9]+$/, "")
		n = split($0, f, ";")
		split("", seen)
		if (what == "by_root")
			t[f[1]] += w
		else for (i = 2; i <= n; i++)
			if (f[i] ~ /^[A-Za-z0-9_]+$/ && !(f[i] in seen)) {
				seen[f[i]]
				t[f[i]] += w
			}
	}
	END { for (k in t) printf "%s %.0f\n", k, t[k] }' "$2" | sort
}

# compare PEER NAME INPUT
compare()
{
	local what
	if ! "$1" "$3" >"$TMPDIR/peer" 2>/dev/null ||
		! "$BIN/pfold" -q --no-host "$3" >"$TMPDIR/ours"; then
		echo "not ok $2 runs"
		failed=1
		return
	fi
	for what in by_root by_function; do
		weigh $what "$TMPDIR/peer" >"$TMPDIR/a"
		weigh $what "$TMPDIR/ours" >"$TMPDIR/b"
		if [ -s "$TMPDIR/a" ] && diff "$TMPDIR/a" "$TMPDIR/b" >"$TMPDIR/diff"; then
			echo "ok $2 $what ($(wc -l <"$TMPDIR/a"))"
		else
			echo "not ok $2 $what"
			head -n 20 "$TMPDIR/diff"
			failed=1
		fi
	done
}

"$BIN/psym" -q --no-host "$TOP/fixtures/web31.prof.tar.gz" >"$TMPDIR/web31" || exit 1
"$BIN/peers/gen-script" 5 >"$TMPDIR/generated" || exit 1
for name in stackcollapse-perf.pl inferno-collapse-perf; do
	peer=$(find -L "$PEERS" -maxdepth 3 -name "$name" -type f -perm -u+x | head -n 1)
	[ -n "$peer" ] || continue
	count=$((count + 1))
	compare "$peer" "$name web31" "$TMPDIR/web31"
	compare "$peer" "$name generated" "$TMPDIR/generated"
done
if [ "$count" = 0 ]; then
	echo "$PEERS holds neither stackcollapse-perf.pl nor inferno-collapse-perf"
	exit 77
fi
exit $failed
