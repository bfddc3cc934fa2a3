#!/bin/bash
# The sums of pannotate: the lines of a function, its instructions, and the weight of its frame in
# pfold are equal on each fixture.
. "$TOP/tests/check.sh"
needs python3
cd "$TOP" || exit 1

sums()
{
	checked=$((checked + 1))
	python3 tests/property/annotate.py "$BIN" "$@" | tee "$TMPDIR/out"
	grep -q '^not ok' "$TMPDIR/out" && failed=1
}

for archive in fixtures/*.prof.tar.gz fixtures/*.script; do
	[ "$archive" = fixtures/native.prof.tar.gz ] || sums -- "$archive"
done
for member in dwarf fp lld; do
	sums --member "$member.perf.data" -- fixtures/native.prof.tar.gz
done
for member in copied10 java llvm node; do
	sums --member "$member/perf.data" -- fixtures/jitdump.tar.xz
done
native=fixtures/native.prof.tar.gz
pannotate()
{
	"$BIN/pannotate" -q --no-host --member dwarf.perf.data "$@" $native 2>"$TMPDIR/err"
}

pannotate --all --to html -o "$TMPDIR/pages/"
(cd "$TMPDIR/pages" && ls ./[0-9]*.html | cut -c3-) >"$TMPDIR/want"
grep -o 'href="[^"]*"' "$TMPDIR/pages/index.html" | cut -d '"' -f 2 >"$TMPDIR/got"
same "--to html -o DIR/: index.html has links to the pages" "$TMPDIR/want" "$TMPDIR/got"

status "--to without a function is refused" 2 pannotate --to json
check "the refusal is reported" grep -q 'needs the name of a function, or --all' "$TMPDIR/err"

pannotate --all -o "$TMPDIR/all/"
(cd "$TMPDIR/all" && ls ./*.txt | cut -c3-) >"$TMPDIR/files"
sed 1d "$TMPDIR/all/index.csv" | cut -d , -f 1 >"$TMPDIR/listed"
same "-o DIR/: index.csv lists the files" "$TMPDIR/files" "$TMPDIR/listed"
sed 1d "$TMPDIR/all/index.csv" | cut -d , -f 3 | sort -rn >"$TMPDIR/want"
pannotate --all --to csv | python3 -c '
import csv, sys
sums = {}
for row in csv.DictReader(sys.stdin):
    key = row["function"], row["module"]
    sums[key] = sums.get(key, 0) + int(row["self"])
print(*sorted(sums.values(), reverse=True), sep="\n")' >"$TMPDIR/got"
same "-o DIR/: index.csv has the self weights" "$TMPDIR/want" "$TMPDIR/got"
pannotate --max-stack 1 --no-inline --all --to csv |
	python3 -c 'import csv, sys; print(sum(r["self"] != r["total"] for r in csv.DictReader(sys.stdin)), "differ")' >"$TMPDIR/got"
pannotate --no-inline --all --to csv |
	python3 -c 'import csv, sys; print(sum(r["self"] != r["total"] for r in csv.DictReader(sys.stdin)), "differ")' >"$TMPDIR/whole"
check "--max-stack 1: each total is a self weight" sh -c 'grep -qx "0 differ" "$0" && ! grep -qx "0 differ" "$1"' "$TMPDIR/got" "$TMPDIR/whole"
pannotate --list-events >"$TMPDIR/got"
"$BIN/psym" -q --no-host --member dwarf.perf.data --list-events $native >"$TMPDIR/want"
same "--list-events: as psym" "$TMPDIR/want" "$TMPDIR/got"
tar -xzOf fixtures/web31.prof.tar.gz ./perf.data >"$TMPDIR/web31.data"
"$BIN/pannotate" -q --no-host --all --to csv "$TMPDIR/web31.data" 2>"$TMPDIR/err" >"$TMPDIR/rows"
python3 -c '
import csv, sys
print(*{(row["address"], row["self"] == "0") for row in csv.DictReader(sys.stdin)
        if row["function"] == "[unknown]" and not row["module"]})' <"$TMPDIR/rows" >"$TMPDIR/got"
echo "('0x0', True)" >"$TMPDIR/want"
same "addresses without a mapping have one row" "$TMPDIR/want" "$TMPDIR/got"

# as_recorded NAME PROFILE [OPTION]... - the profile has the rows of $member.perf.data.
as_recorded()
{
	local name=$1 profile=$2
	shift 2
	"$BIN/pannotate" -q --no-host --all --to csv "$@" -m $native "$profile" 2>"$TMPDIR/err" | sort >"$TMPDIR/got"
	"$BIN/pannotate" -q --no-host --all --to csv "$@" --member $member.perf.data $native 2>"$TMPDIR/err" |
		sort >"$TMPDIR/want"
	same "$member as $name: the same weights at the same addresses" "$TMPDIR/want" "$TMPDIR/got"
}

# Some versions of perf print run-time addresses.
run_time()
{
	python3 -c '
import re, sys
maps = []
for line in sys.stdin:
    found = re.search(r"MMAP2 \S+: \[0x(\w+)\(0x(\w+)\) @ (\w+) .*: r-xp (\S+)$", line)
    if found:
        maps.insert(0, (found[4], *(int(x, 16) for x in found.groups()[:3])))
    found = re.match(r"(\s+)(\w+) (.*\((/.*)\))$", line)
    if found:
        at = int(found[2], 16)
        start = next(s - o for path, s, n, o in maps if path == found[4] and o <= at < o + n)
        line = "%s%x %s\n" % (found[1], start + at, found[3])
    sys.stdout.write(line)'
}

for member in fp lld; do
	tar -xzOf $native ./$member.perf.data >"$TMPDIR/perf.data"
	"$BIN/psym" -q --no-host --show-mmap-events "$TMPDIR/perf.data" >"$TMPDIR/unnamed" 2>"$TMPDIR/err"
	check "$member as text: no function of the program is named" sh -c \
		'grep -q "\[unknown\] (/srv/app" "$0" && ! grep -q "+0x.*(/srv/app" "$0"' "$TMPDIR/unnamed"
	as_recorded "unnamed text" "$TMPDIR/unnamed"
	run_time <"$TMPDIR/unnamed" >"$TMPDIR/run-time"
	as_recorded "unnamed text with run-time addresses" "$TMPDIR/run-time"
	"$BIN/psym" -q --no-host --no-inline --show-mmap-events --member $member.perf.data $native >"$TMPDIR/named" 2>"$TMPDIR/err"
	check "$member as text: functions are named" grep -q '+0x.*(/srv/app' "$TMPDIR/named"
	as_recorded "named text" "$TMPDIR/named" --no-inline
	sums -m $native -- "$TMPDIR/named"
done
# A pprof has the address of the last byte of a call, not the return address.
for member in dwarf fp lld; do
	"$BIN/psym" -q --no-host --member $member.perf.data --to pprof $native >"$TMPDIR/$member.pb" 2>"$TMPDIR/err"
	as_recorded pprof "$TMPDIR/$member.pb"
done
pannotate --missing >"$TMPDIR/got"
"$BIN/psym" -q --no-host --member dwarf.perf.data -F +srcline --missing $native >"$TMPDIR/want"
same "--missing: as psym with source lines" "$TMPDIR/want" "$TMPDIR/got"
finish
