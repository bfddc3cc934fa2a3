#!/bin/bash
# report.sh BUILD [TARGET ...] - how many lines of each parser its corpus reaches: for each fuzz
# target the lines of the files that it is there for (parsers.txt), as llvm-cov counts them; VERBOSE=1:
# and those that it does not reach.  BUILD has COV=1.
#
# FILE:NAME,NAME in parsers.txt is these functions of FILE alone: the others of the cache's files open,
# find and replace entries, which no bytes that are parsed decide; those of cfi_step.c are what the target
# unwind reaches with the files that it has in itself, where cfi reaches all.
#
# Lines that no bytes reach are left out, by their text: what follows a failure to get memory or a
# file from the system.  Ends with 1 if a target reaches less than LEAST (90) percent.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=$1
shift
least=${LEAST:-90}
out='ENOMEM|EMFILE|MAP_FAILED|strerror\(|out of memory|no memory'
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
low=0

# lines FILE... of a target - "FILE LINE COUNT" for each line with code.
lines()
{
	llvm-cov export -format=lcov -instr-profile="$work/$target.data" "$build/fuzz/$target" "$@" |
		awk -F'[:,]' '/^SF:/ { sub(/.*\/lib\//, "lib/"); file = $0 } /^DA:/ { print file, $2, $3 }'
}

printf '%-14s %6s %6s %6s  %s\n' target lines reached % files
while read -r target files; do
	case $target in
	'' | '#'*) continue ;;
	esac
	[ $# = 0 ] || [[ " $* " = *" $target "* ]] || continue
	mkdir "$work/$target" && tar -xf "tests/fuzz/corpus/$target.tar" -C "$work/$target" || exit 2
	LLVM_PROFILE_FILE=$work/$target.raw "$build/fuzz/$target" "$work/$target" \
		>"$work/said" 2>&1 || { cat "$work/said"; exit 2; }
	llvm-profdata merge -o "$work/$target.data" "$work/$target.raw" || exit 2
	read -ra paths <<<"$files"
	paths=("${paths[@]%%:*}")
	lines "${paths[@]/#/lib/}" >"$work/lines" || exit 2
	# Of a file that the target does not have llvm-cov says nothing, or all others.
	[ "$(cut -d' ' -f1 "$work/lines" | sort -u | wc -l)" = ${#paths[@]} ] ||
		{ echo "$target has not all of these: $files"; exit 2; }
	awk -v out="$out" -v target="$target" -v files="$files" -v least="$least" \
		-v verbose="${VERBOSE:-}" '
		BEGIN {
			for (n = split(files, part, " "); n > 0; n--)
				if (split(part[n], of, ":") > 1)
					only["lib/" of[1]] = "," of[2] ","
		}
		# A function begins with its name, and ends at a brace, on the left.
		!($1 in known) {
			known[$1] = 1
			for (n = 1; (getline line < $1) > 0; n++) {
				text[$1, n] = line
				if (line ~ /^[a-z].*\(/) {
					name = substr(line, 1, index(line, "(") - 1)
					sub(/.*[ *]/, "", name)
				}
				inside[$1, n] = name
			}
		}
		text[$1, $2] ~ out { next }
		$1 in only && !index(only[$1], "," inside[$1, $2] ",") { next }
		{ all++; reached += $3 > 0; met[$1, inside[$1, $2]] }
		$3 == 0 && verbose { print $1 ":" $2 ":" text[$1, $2] }
		END {
			for (file in only)
				for (n = split(only[file], names, ","); n > 0; n--)
					if (names[n] != "" && !((file, names[n]) in met)) {
						print file " has no function " names[n]
						all = 0
					}
			share = all ? 100 * reached / all : 0
			printf "%-14s %6d %6d %6.1f  %s\n", target, all, reached, share, files
			exit share < least
		}' "$work/lines" || low=$((low + 1))
done <tests/fuzz/parsers.txt
echo "$low below $least %"
[ $low = 0 ]
