#!/bin/bash
# Tables and trees of calls: their sums are those of the fold, from whatever they are made.
. "$TOP/tests/check.sh"
needs python3
archive=$TOP/fixtures/web31.prof.tar.gz
cd "$TMPDIR" || exit 2
pfold=("$BIN/pfold" -q --no-host)

"${pfold[@]}" "$archive" >folded || exit 1
total=$(awk '!/^#/ { s += $NF } END { printf "%.0f\n", s }' folded)

for by in function module comm process kind file:line; do
	"${pfold[@]}" --top=0 --by "$by" "$archive" >table
	[ "$(awk -F '\t' 'NR > 2 { s += $1 } END { printf "%.0f", s }' table)" = "$total" ]
	report $? "what ends in each $by adds up to $total"
	awk -F '\t' 'NR == 1 { next } NR == 2 { n = NF } NF != n || (NR > 2 && $1 > $4) { bad = 1 }
		END { exit bad || NR < 3 || $3 != "100.00" }' table
	report $? "no $by has more of its own than goes through it, and all shares are 100 %"
	[ "$(head -n 1 table)" = "# total=$total samples=6497 unit=ns" ]
	report $? "the table by $by begins with the sum"
done

# What goes through a function, told from the lines of the fold.
"${pfold[@]}" --top=0 "$archive" >table
awk '/^#/ { next } {
	w = $NF
	sub(/ [0-9]+$/, "")
	n = split($0, f, ";")
	split("", seen)
	for (i = 2; i <= n; i++) {
		sub(/_\[[ijkr]\]$/, "", f[i])
		if (!(f[i] in seen))
			total[f[i]] += w
		seen[f[i]] = 1
	}
	self[f[n]] += w
} END {
	for (name in total)
		printf "%.0f\t%.0f\t%s\n", self[name], total[name], name
}' folded | sort >counted
awk -F '\t' 'NR > 2 { print $1 "\t" $4 "\t" $8 }' table | sort >shown
same 'functions weigh what awk counts' counted shown

"$BIN/pfold" -q --top=0 folded | cut -f 1-6,8 >again
cut -f 1-6,8 table | cmp - again
report $? 'folded stacks give the same table but for the files of code'

{ head -n 1 folded; tail -n +2 folded | sort -r; } | "$BIN/pfold" -q --top=0 | cut -f 1-6,8 | cmp - again
report $? 'the order of the stacks does not matter'

# Other programs get the same rows.
awk -F '\t' -v OFS='\t' 'NR > 2 { print $8, $7, $6, $1, $4 }' table >rows
for to in csv tsv json; do
	"${pfold[@]}" --to "$to" "$archive" >"table.$to"
done
python3 - >rows.read <<'END'
import csv, json
fields = ['function', 'module', 'kind', 'self', 'total']
tables = [list(csv.DictReader(open('table.csv', newline=''))),
          list(csv.DictReader(open('table.tsv', newline=''), delimiter='\t', quoting=csv.QUOTE_NONE)),
          [{k: str(v) for k, v in row.items()} for row in json.load(open('table.json'))['rows']]]
for table in tables[1:]:
    assert table == tables[0]
for row in tables[0]:
    assert list(row) == fields
    print('\t'.join(row[k] for k in fields))
END
same 'CSV, TSV and JSON have the rows of the table' rows rows.read
python3 -c 'import json; t = json.load(open("table.json")); print(t["total"], t["samples"], t["unit"])' >rows.read
[ "$(cat rows.read)" = "$total 6497 ns" ]
report $? 'JSON has the sum'
status 'CSV of a tree' 2 "${pfold[@]}" --to csv --callers main folded 2>err

"${pfold[@]}" --callers 'System.Text.RegularExpressions.RegexInterpreter::Go' \
	--callees 'System.Text.RegularExpressions.RegexInterpreter::Go' "$archive" >tree
want=$(awk -F '\t' '$8 == "System.Text.RegularExpressions.RegexInterpreter::Go" { print $4 }' table)
[ -n "$want" ] && [ "$(awk -F '\t' '$2 == 0 { print $1, $3 }' tree)" = "callers $want
callees $want" ]
report $? "both trees begin with the function's weight, $want"
awk -F '\t' '$1 == "callers" && $2 == 1 { s += $3 } END { exit s != "'"$want"'" }' tree
report $? 'its callers have all of it'
"${pfold[@]}" --depth 2 --callers 'System.Text.RegularExpressions.RegexInterpreter::Go' "$archive" >short
awk -F '\t' '$1 == "callers" && $2 <= 2 || /^(#|way)/' tree | cmp - short
report $? '--depth leaves out the deeper levels'
for wrong in '--depth=0 --callers=main' --depth=2; do
	# shellcheck disable=SC2086 # words
	status "$wrong" 2 "${pfold[@]}" $wrong folded 2>/dev/null
done

status 'no function of that name' 2 "${pfold[@]}" --callers 'No::Such' "$archive" 2>err
grep -q 'No::Such: no function has this name' err
report $? 'that is said'
for wrong in '--top=x' '--by=line'; do
	status "$wrong" 2 "${pfold[@]}" "$wrong" folded 2>/dev/null
done

# Rows as they are on a terminal, with lines that end in CR LF there.
python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))' \
	"$BIN/pfold" -q --by kind folded >terminal
grep -q '10.9 s   83.7 %   83.7 %  ####.*managed' terminal && ! grep -q "$(printf '\t')" terminal
report $? 'a terminal gets columns'
"$BIN/pfold" --top=3 folded 2>err >/dev/null && grep -q '3 of [0-9]* rows are shown' err
report $? 'what is left out is said'
finish
