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

status "--to without a function is refused" 2 pannotate --to json
check "the refusal is reported" grep -q 'needs the name of a function, or --all' "$TMPDIR/err"
finish
