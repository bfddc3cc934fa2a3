#!/bin/bash
# Many archives by cmd/resymbolize on GNU parallel: what each has is what the filters
# make of it alone; an interrupted night goes on where it was; damage and failure are listed.
. "$TOP/tests/check.sh"
needs parallel pgrep python3
cd "$TMPDIR" || exit 1
export PATH=$BIN:$PATH HOME=$TMPDIR
script=$TOP/cmd/resymbolize

mkdir -p 'the archives/more' libs
for name in web10 calc31 java node; do
	cp "$TOP/fixtures/$name.prof.tar.gz" "the archives/$name \$x's.tar.gz"
done
cp "$TOP/fixtures/traps/01_comm_space.txt" 'the archives/more/text.perf.data'
printf '# ========\n# captured on    : Sat Nov 21 02:56:14 2026\n# ========\n#\n' >'the archives/more/empty.perf.data'
head -c 200000 "$TOP/fixtures/web10.prof.tar.gz" >'the archives/cut.tar.gz'
echo nothing >'the archives/none.zip'
tar -xzf "$TOP/fixtures/native.prof.tar.gz" -C libs
printf '%s\n' "$PWD/the archives/none.zip" >none

# night DIR OPTION ... - the exit status is printed behind what is said.
night()
{
	"$script" -o "$@" >said 2>&1
	echo "status $?" >>said
}
# results DIR - that do not depend on who made them.
results() { (cd "$1" && find . -path ./cache -prune -o -type f ! -name joblog ! -path "./work/*" ! -name todo \
	! -name settings -exec md5sum {} + | sort -k 2); }

night one -j 2 -m libs 'the archives'
check "status 1: one is damaged, one of no use" grep -q '^status 1$' said
check "how many is said" grep -q ': 8 archives: 1 failed .*, 1 partly damaged' said
same "what failed is listed" none one/failed
check "the damaged one is listed" grep -qx "$PWD/the archives/cut.tar.gz" one/damaged
check "what failed is tried twice" [ "$(grep -c none.zip one/joblog)" = 2 ]
check "the others once" [ "$(wc -l <one/joblog)" = 9 ]
check "one without samples has results" grep -q '>no samples</text>' "one/each$PWD/the archives/more/empty.perf.data.svg"
pfold -q --no-host -m libs -o folds/ "$PWD"/the\ archives/*.gz "$PWD"/the\ archives/more/* 2>/dev/null
(cd folds && find . -name '*.folded' -exec md5sum {} + | sort -k 2) >want
(cd one/each && find . -name '*.folded' -exec md5sum {} + | sort -k 2) >got
same "the folds are pfold's" want got
each="one/each$PWD/the archives/java \$x's.tar.gz"
psym -q --no-host -m libs --missing "${each#one/each}" >want
same "the list of what to fetch is psym's" want "$each.missing"
pflame -q --title "java \$x's.tar.gz" "$each.folded" >want
same "the picture is pflame's" want "$each.svg"
python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["input"])' "$each.json" >got
echo "${each#one/each}" >want
same "coverage is JSON" want got

# pdiff takes only the folds of such a directory.
find "$PWD/one/each" -name '*.folded' | sort >folds.list
mapfile -t folds <folds.list
pdiff -q --mix --to tsv "${folds[@]}" --with "${folds[@]}" >want 2>err
pdiff -q --mix --to tsv one/each --with one/each >got 2>err
check "six archives have samples" grep -q '^6 profiles, .* each -> 6 profiles' <(pdiff -q --mix one/each --with one/each 2>err)
same "pdiff compares the folds of each archive" want got

# Over all: by another way.
pfold -q --mix -o want one/each"$PWD"/the\ archives/*.folded
same "the sum of the folds" want one/all.ns.folded
check "and no others" [ "$(find one -name 'all.*.folded' | wc -l)" = 2 ]
check "and of those in another unit" [ -s one/all.cycles.folded ]
check "a picture of each" [ "$(find one -maxdepth 1 -name 'all.*.svg' | wc -l)" = \
	"$(find one -maxdepth 1 -name 'all.*.folded' | wc -l)" ]
find one/each -name '*.json' -exec cat {} + | python3 -c '
import json, sys
from collections import Counter
unnamed, frames = Counter(), Counter()
for line in sys.stdin:
    for m in json.loads(line)["modules"]:
        name = json.dumps(m["module"])[1:-1] or "(no mapping)"
        frames[name] += m["frames"]
        unnamed[name] += m["frames"] - m["named"]
for name in unnamed:
    if unnamed[name]:
        print(unnamed[name], frames[name], "%.3f" % (100 * unnamed[name] / frames.total()), name, sep="\t")' |
	sort >want
tail -n +2 one/unnamed.tsv | cut -f 1-3,5 | sort >got
same "what is unnamed by module" want got
check "the heaviest is first" [ "$(sed 1d one/unnamed.tsv | cut -f 1 | sort -rn | head -n 1)" = \
	"$(sed -n '2s/\t.*//p' one/unnamed.tsv)" ]
find one/each -name '*.missing' -exec cat {} + | grep -v '^#' | sort -u >want
grep -v '^#' one/missing.txt | sort >got
same "what to fetch: each key once" want got

# Again: only what failed.
results one >before
wc -l <one/joblog >lines
night one
check "again: only what failed" [ "$(($(wc -l <one/joblog) - $(cat lines)))" = 2 ]
results one >after
same "again: the same" before after

# Shares of several machines, with the same cache.
night two -c one/cache -m libs -n 'the archives'
check "-n only notes them" [ -z "$(find two/each -type f)" ]
for i in 0 1 2; do "$script" -o two -t $i/3 2>/dev/null & done
wait
night two
check "shares: only what failed is left for the end" [ "$(wc -l <two/joblog)" = 2 ]
results two | sed 's,two/,one/,' >after
same "shares: the same" before after
find "$PWD/the archives" -type f >list
night three -l list -m libs
results three >after
same "a list: the same" before after

# Interrupted in the middle: nothing goes on, nothing is half there; then it goes on.
mkdir slow
cat >slow/pflame <<'END'
#!/bin/sh
sleep 0.4
exec "$BIN/pflame" "$@"
END
chmod +x slow/pflame
# interrupted SIGNAL - ends the script, or parallel.
interrupted()
{
	local signal=$1 who=$2 pid
	rm -rf four
	set -m
	PATH=$PWD/slow:$PATH "$script" -o four -j 2 -m libs 'the archives' >said 2>&1 &
	pid=$!
	set +m
	for _ in $(seq 1000); do
		[ -n "$(find four -name '*.status' 2>/dev/null)" ] && break
		sleep 0.05
	done
	[ "$who" = script ] || pid=$(pgrep -P "$pid" -f parallel | head -n 1)
	kill -"$signal" "$pid"
	for _ in $(seq 1000); do
		pgrep -f "one $PWD/four" >left || break
		sleep 0.05
	done
	check "SIG$signal to $who: no worker is left" [ ! -s left ]
	wait
	check "SIG$signal to $who: something is done" [ -n "$(find four -name '*.status')" ]
}
for signal in TERM INT; do
	interrupted $signal script
	check "SIG$signal: not all is done" [ "$(find four -name '*.status' | wc -l)" -lt 6 ]
	check "SIG$signal: no directory of a worker is left" [ -z "$(find four/work -mindepth 1 2>/dev/null)" ]
	find four -name '*.status' -exec stat -c '%n %Y %i' {} + | sort >finished
	night four
	results four >after
	same "SIG$signal: it goes on, to the same" before after
	find four -name '*.status' -exec stat -c '%n %Y %i' {} + | sort | grep -Fxf finished | cmp - finished
	report $? "SIG$signal: what was done is not done again"
done
interrupted KILL parallel
night four
results four >after
same "parallel is killed: the same" before after
check "parallel is killed: nothing of workers is left" [ -z "$(find four/work -mindepth 1 2>/dev/null)" ]
# A worker is killed in the middle: all it had is done by the retry.
rm -rf five
PATH=$PWD/slow:$PATH "$script" -o five -j 2 -m libs 'the archives' >said 2>&1 &
for _ in $(seq 1000); do
	worker=$(pgrep -f "one $PWD/five" | head -n 1)
	[ -n "$worker" ] && [ -n "$(find five/work -mindepth 1 2>/dev/null)" ] && break
	sleep 0.05
done
kill -KILL "$worker" && wait
results five >after
same "a worker is killed: the same" before after

# A name with a newline would be two lines of a list: here the second names another archive.
mkdir -p "odd/a$(printf '\nx')$PWD/the archives" odd/good
cp "$TOP/fixtures/traps/01_comm_space.txt" "odd/a$(printf '\nx')$PWD/the archives/java.perf.data"
cp "$TOP/fixtures/traps/01_comm_space.txt" odd/good/text.perf.data
cp "$TOP/fixtures/traps/01_comm_space.txt" "odd/b$(printf '\n')
.tar"
night six odd
check "names with a newline are reported" [ "$(grep -c 'odd/.*: a name with a newline is refused' said)" = 2 ]
check "and the status is 1" grep -q '^status 1$' said
echo "$PWD/odd/good/text.perf.data" >want
same "the other archive is done" want six/done
for words in "-o seven$(printf '\nx') odd/good" "-o seven -m libs$(printf '\nx') odd/good" "-o seven odd/good$(printf '\nx')"; do
	mapfile -d ' ' -t words < <(printf %s "$words")
	night "${words[@]:1}"
	check "a newline in the arguments is refused" grep -q ': a name with a newline is refused' said
	check "and the status is 2" grep -q '^status 2$' said
done
check "no archive was read for them" [ ! -e seven/done ]

status "no output directory" 2 "$script" 'the archives' 2>/dev/null
status "no archives" 2 "$script" -o nought 2>/dev/null
status "an unknown option" 2 "$script" -x 2>/dev/null
finish
