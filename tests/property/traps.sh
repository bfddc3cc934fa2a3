#!/bin/bash
# Text that trips parsers: each has its folded answer, written by hand, and psym with
# nothing to add changes no byte of it.  golden/run.sh compares pfold's answers as
# well; here they are what two filters make of it, and what makes the wrong one fail.
. "$TOP/tests/check.sh"
count=0

for trap in "$TOP"/fixtures/traps/*.txt; do
	name=$(basename "$trap" .txt)
	want=$TOP/tests/golden/traps/$name.pfold
	count=$((count + 1))

	"$BIN/psym" -q --no-host <"$trap" >"$TMPDIR/out" && cmp "$trap" "$TMPDIR/out"
	report $? "psym leaves $name alone"

	args=(-q)
	[ -e "$want.args" ] && read -ra args <"$want.args"
	"$BIN/psym" -q --no-host <"$trap" | "$BIN/pfold" "${args[@]}" --no-host >"$TMPDIR/folded" &&
		diff "$want" "$TMPDIR/folded"
	report $? "psym | pfold of $name"

	"$BIN/pfold" -q <"$want" >"$TMPDIR/again" && cmp "$want" "$TMPDIR/again"
	report $? "folding $name again changes nothing"
done
[ "$count" -ge 65 ]
report $? "all traps were tried"
finish
