#!/bin/bash
# demo.sh BUILD - draws a flame graph of a real ASP.NET service that was recorded on another machine.
set -euo pipefail
export LC_ALL=C
bin=$1 svg=build/demo.svg folded=build/demo.folded
profile=fixtures/web31.prof.tar.gz
columns=${COLUMNS:-$(tput cols 2>/dev/null || echo 80)}

echo "$bin/psym $profile | $bin/pfold --all | $bin/pflame > $svg"
"$bin/psym" "$profile" | "$bin/pfold" --all | tee "$folded" |
	"$bin/pflame" --title "web31: ASP.NET Core 3.1 under load" >"$svg"

printf '\nThe ten hottest stacks, innermost frame first:\n\n'
total=$(awk '{ n += $NF } END { printf "%.0f", n }' "$folded")
awk '{ print $NF "\t" $0 }' "$folded" | sort -rn -s -k1,1 |
	awk -F '\t' -v total="$total" -v columns="$columns" 'NR <= 10 {
		sub(/ [0-9.]+$/, "", $2)
		gsub(/_\[[kjir]\]/, "", $2)
		n = split($2, f, ";")
		line = sprintf("%5.1f %%  %s", 100 * $1 / total, f[n])
		for (i = n - 1; i > 0 && i > n - 3; i--)
			line = line " < " f[i]
		if (length(line) > columns)
			line = substr(line, 1, columns - 3) "..."
		print line
	}'
printf '\nOpen in a browser: %s\n' "$PWD/$svg"
