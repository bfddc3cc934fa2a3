#!/bin/bash
# The numbers of 20 pictures in Chromium, compared by numbers.py with sums over the folded lines:
# five recordings of now, fixtures, made stacks, and pictures that lack boxes, one of them with
# 718,088 boxes.  By hand only, because it takes an hour on a busy machine: QUESTIONS=200 asks 200
# questions of each picture, SEED=N chooses others, and ONLY=NAME one picture.  bounds.mjs asks fewer
# questions of made stacks in each run of the tests.
set -u
[ -n "${QUESTIONS:-}" ] || exit 0
. "$TOP/tests/check.sh"
needs chromium node python3 perf
MODULES=$TOP/build/browser CHROMIUM=$(command -v chromium)
export MODULES CHROMIUM
[ -f "$MODULES/installed" ] || cannot 'tests/browser/flame.sh has not installed playwright-core'
cd "$TMPDIR" || exit 1
seed=${SEED:-34}

asked() { [ -z "${ONLY:-}" ] || [ "$ONLY" = "$1" ]; }

# picture NAME OPTION... - asks NAME.svg, drawn from NAME.folded with these options.
picture()
{
	local missing name=$1
	shift
	asked "$name" || return 0
	"$BIN/pflame" -q --countname units "$@" -o "$name.svg" "$name.folded" || { report 1 "$name"; return; }
	missing=$(grep -o '"missing":[0-9]*' "$name.svg" | cut -d: -f2)
	"$TOP/tests/browser/numbers.py" ask "$name.folded" "$seed-$name" "$QUESTIONS" >questions &&
		node "$TOP/tests/browser/numbers.mjs" "$PWD/$name.svg" questions answers &&
		said=$("$TOP/tests/browser/numbers.py" check "$name.folded" "$missing" answers "$@")
	report $? "numbers_of_$name: ${missing:-?} boxes missing, ${said:-}"
}

# recorded NAME COMMAND... - records a command and folds it by second.
recorded()
{
	local name=$1
	shift
	asked "$name" || return 0
	perf record -q -F 999 -g -o perf.data "$@" >/dev/null 2>&1 &&
		"$BIN/pfold" -q --by-second -o "$name.folded" perf.data 2>/dev/null && picture "$name"
}

recorded cc1 gcc -O2 -c -o empty.o -x c "$TOP/lib/writer/flame/tables.c" -I"$TOP/lib" -D_GNU_SOURCE
recorded python python3 -c 'import json, ast
print(sum(len(json.dumps(ast.dump(ast.parse("x = [%d] * 3\n" % i * 300)))) for i in range(60)))'
recorded perl perl -e 'my %h; $h{join ",", sort map { $_ * $_[0] } 1 .. $_ % 50}++ for 1 .. 100000'
recorded xz xz -9 -T1 -k -c "$BIN/psym"
recorded node node -e 'const m = {}; for (let i = 0; i < 4e5; i++) m[JSON.stringify([i, String(i).replace(/[1-5]/g, "x")])] = i'
for f in web31 web10 java calc31 calc10 offcpu10 erlang sarif8 sched61; do
	"$BIN/pfold" -q --by-second -o "$f.folded" "$TOP/fixtures/$f.prof.tar.gz" 2>/dev/null
	picture "$f"
done
"$BIN/pfold" -q -o plain.folded "$TOP/fixtures/web31.prof.tar.gz" 2>/dev/null
picture plain --reverse
"$BIN/peers/gen-folded" 3000 >made.folded
picture made
for f in web31 java; do
	cp "$f.folded" "$f-cut.folded"
	picture "$f-cut" --boxes 400
done
cp made.folded made-cut.folded
picture made-cut --boxes 5000
awk 'BEGIN { srand(7); for (i = 0; i < 718084; i++)
	printf "app;part%d;f%06d_%d %d\n", i % 2, i, (i * 7919) % 1000, 1 + int(rand() * rand() * 1000) }' >flat.folded
picture flat
finish
