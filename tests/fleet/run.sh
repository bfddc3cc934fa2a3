#!/bin/bash
# run.sh [--count N] [--measure] - many archives: one process, GNU parallel and Slurm write the
# same bytes, whoever is killed and whatever is full.  --measure asks how long they take instead.
# In the environment: TOP, the checkout; BIN, the directory of the programs.
. "$TOP/tests/check.sh"
count=42 measure=
while [ $# -gt 0 ]; do
	case $1 in
	--count) count=$2; shift ;;
	--measure) measure=1 ;;
	*) echo "usage: run.sh [--count N] [--measure]" >&2; exit 2 ;;
	esac
	shift
done
needs parallel python3
fleet=$TOP/build/fleet
archives=$fleet/archives-$count
python3 "$TOP/tests/fleet/archives.py" "$count" "$archives" "$TOP/fixtures" || exit 1
export TMPDIR
TMPDIR=$(mktemp -d -p "$fleet") || exit 1
trap 'rm -rf "$TMPDIR"' EXIT
if [ -n "$measure" ]; then
	"$TOP/tests/fleet/measure.sh" "$archives"
	exit
fi
mkdir "$TMPDIR/in"
ln "$archives"/*.tar.gz "$TMPDIR/in"
head -c 200000 "$TOP/fixtures/web10.prof.tar.gz" >"$TMPDIR/in/cut.tar.gz"
echo nothing >"$TMPDIR/in/none.zip"

# One process after the other is what all others are held against.
export PATH=$BIN:$PATH
"$TOP/cmd/resymbolize" -o "$TMPDIR/one" -j 1 "$TMPDIR/in" 2>"$TMPDIR/said"
"$TOP/tests/fleet/results.sh" "$TMPDIR/one" >"$TMPDIR/want"
check "one worker: six files of each archive" \
	[ "$(grep -c each/ "$TMPDIR/want")" = $((6 * (count + 1))) ]
pfold -q --no-host --no-cache -o "$TMPDIR/folds/" "$TMPDIR"/in/*.gz 2>"$TMPDIR/said"
(cd "$TMPDIR/folds" && find . -type f -exec md5sum {} + | sort -k 2) >"$TMPDIR/process"
sed -n 's,[.]/each,.,; /folded$/p' "$TMPDIR/want" | grep -v '/all[.]' >"$TMPDIR/workers"
same "one process of pfold folds the same" "$TMPDIR/process" "$TMPDIR/workers"
for part in local ssh slurm; do
	"$TOP/tests/fleet/$part.sh" "$TMPDIR/in" "$TMPDIR/want"
	got=$?
	[ $got = 77 ] || report $got "$part"
done
finish
